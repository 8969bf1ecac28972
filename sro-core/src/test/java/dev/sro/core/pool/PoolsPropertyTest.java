package dev.sro.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.OsRelease;
import dev.sro.api.Pool;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.Nodes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PoolsPropertyTest {

    private static final String LABEL_VALUE = "([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?";

    @Provide
    Arbitrary<List<ObservedNode>> nodes() {
        Arbitrary<String> kernel = Arbitraries.of(
                Nodes.K1,
                Nodes.K2,
                Nodes.UBUNTU,
                "6.1.0+",
                "6.1.0",
                "6.1.0~rc1",
                "6.1.0_rc1",
                "6.1.0-rc1",
                "6.5.0-1014-" + "very".repeat(10) + "-long");
        Arbitrary<OsRelease> os = Arbitraries.of(
                Nodes.RHCOS_84,
                Nodes.UBUNTU_2204,
                new OsRelease("rhel", "8.4"),
                new OsRelease("rocky", "8.4"),
                new OsRelease("ubuntu", "24.04"),
                new OsRelease("flatcar", "3510.2.1"));
        Arbitrary<String> board = Arbitraries.of("", "a", "b/c", "b_c", "1-2");
        return Combinators.combine(kernel, os, Arbitraries.of("amd64", "arm64"), board)
                .as((k, o, arch, b) -> Nodes.label(Nodes.bare("n", k, o, arch), "board", b))
                .list()
                .ofMaxSize(30)
                .map(PoolsPropertyTest::named);
    }

    private static List<ObservedNode> named(List<ObservedNode> nodes) {
        List<ObservedNode> result = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            String name = "n" + i;
            result.add(Nodes.with(nodes.get(i), facts -> facts.name(name)));
        }
        return result;
    }

    private static List<Pool> group(List<ObservedNode> nodes) {
        return Pools.group(nodes, node -> {
            String board = node.labels().getOrDefault("board", "");
            return board.isEmpty() ? Map.of() : Map.of("board", board);
        });
    }

    @Property(tries = 300)
    void doNotDependOnTheOrderOfNodes(@ForAll("nodes") List<ObservedNode> nodes, @ForAll Random random) {
        List<ObservedNode> shuffled = new ArrayList<>(nodes);
        Collections.shuffle(shuffled, random);
        assertThat(group(shuffled)).isEqualTo(group(nodes));
    }

    @Property(tries = 300)
    void haveUniqueLegalNamesAndUniqueSuffixes(@ForAll("nodes") List<ObservedNode> nodes) {
        List<Pool> pools = group(nodes);
        assertThat(pools).extracting(Pool::name).doesNotHaveDuplicates().allMatch(name -> name.matches(LABEL_VALUE));
        Set<String> suffixes = new HashSet<>();
        for (Pool pool : pools) {
            assertThat(suffixes.add(pool.affinityHash())).as(pool.name()).isTrue();
            assertThat(pool.kernelLabel()).matches(LABEL_VALUE);
        }
    }

    @Property(tries = 300)
    void holdEveryNodeExactlyOnce(@ForAll("nodes") List<ObservedNode> nodes) {
        assertThat(group(nodes).stream().flatMap(pool -> pool.nodes().stream()))
                .containsExactlyInAnyOrderElementsOf(
                        nodes.stream().map(ObservedNode::name).toList());
    }

    @Property(tries = 300)
    void keepTheirNamesWhenOthersComeAndGo(@ForAll("nodes") List<ObservedNode> nodes) {
        Set<Pool> all = group(nodes).stream().map(PoolsPropertyTest::key).collect(Collectors.toSet());
        for (ObservedNode node : nodes) {
            assertThat(all).contains(key(group(List.of(node)).get(0)));
        }
    }

    private static Pool key(Pool pool) {
        return pool.withNodes(List.of());
    }
}
