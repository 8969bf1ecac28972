package dev.sro.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.OsRelease;
import dev.sro.api.Pool;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.Nodes;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolsTest {

    private static List<Pool> group(ObservedNode... nodes) {
        return Pools.group(List.of(nodes), node -> Map.of());
    }

    @Test
    void twoKernelsMakeTwoPoolsWithTheSuffixesOfSro() {
        List<Pool> pools = group(Nodes.node("b", Nodes.K1), Nodes.node("a", Nodes.K1), Nodes.node("c", Nodes.K2));
        assertThat(pools).extracting(Pool::affinityHash).containsExactly("e383247e62b56585", "b657a71de7fad62f");
        assertThat(pools).extracting(Pool::nodes).containsExactly(List.of("c"), List.of("a", "b"));
        assertThat(pools.get(1).name()).isEqualTo("rhcos8.4-4.18.0-305.45.1.el8_4.x86_64");
        assertThat(pools.get(1).kernelLabel()).isEqualTo(Nodes.K1);
    }

    @Test
    void oneUbuntuKernelOnTwoArchitecturesMakesTwoPools() {
        List<Pool> pools = group(
                Nodes.node("a", Nodes.UBUNTU, Nodes.UBUNTU_2204, "amd64"),
                Nodes.node("b", Nodes.UBUNTU, Nodes.UBUNTU_2204, "arm64"));
        assertThat(pools)
                .extracting(Pool::name)
                .containsExactly("ubuntu22.04-5.15.0-91-generic-amd64", "ubuntu22.04-5.15.0-91-generic-arm64");
        assertThat(pools).extracting(Pool::affinityHash).doesNotHaveDuplicates().contains("6d1425a686f2f04c");
        assertThat(pools).noneMatch(PoolNames::kernelNamesArchitecture);
    }

    @Test
    void realTimeKernelsSystemsAndArchitecturesOfOneClusterEachHaveTheirPoolInOneOrder() {
        String realTime = "4.18.0-305.19.1.rt7.91.el8_4.x86_64";
        OsRelease rhcos94 = new OsRelease("rhcos", "9.4");
        String newRealTime = "5.14.0-427.50.1.el9_4.x86_64+rt";
        ObservedNode[] nodes = {
            Nodes.node("rt-b", realTime),
            Nodes.node("rt-a", realTime),
            Nodes.node("std", Nodes.K1),
            Nodes.node("new", "5.14.0-427.50.1.el9_4.x86_64", rhcos94, "amd64"),
            Nodes.node("new-rt", newRealTime, rhcos94, "amd64"),
            Nodes.node("arm", "5.14.0-427.50.1.el9_4.aarch64", rhcos94, "arm64"),
            Nodes.node("ubuntu", Nodes.UBUNTU, Nodes.UBUNTU_2204, "amd64"),
        };
        List<Pool> pools = group(nodes);
        assertThat(pools).hasSize(6);
        assertThat(pools).extracting(Pool::name).isSorted().doesNotHaveDuplicates();
        assertThat(pools).allSatisfy(pool -> assertThat(pool.name().length()).isLessThanOrEqualTo(63));
        assertThat(pools).extracting(Pool::affinityHash).doesNotHaveDuplicates().contains("bc3e2e7be0b5c587");
        assertThat(pools)
                .filteredOn(pool -> pool.kernel().raw().equals(realTime))
                .singleElement()
                .extracting(Pool::nodes)
                .isEqualTo(List.of("rt-a", "rt-b"));
        assertThat(pools)
                .filteredOn(pool -> pool.kernel().raw().equals(newRealTime))
                .singleElement()
                .extracting(Pool::kernelLabel)
                .isEqualTo("5.14.0-427.50.1.el9_4.x86_64_rt");
        Collections.reverse(Arrays.asList(nodes));
        assertThat(group(nodes)).isEqualTo(pools);
    }

    @Test
    void rhelAndRhelCoreOsWithOneKernelMakeTwoPools() {
        List<Pool> pools = group(
                Nodes.node("a", Nodes.K1, Nodes.RHCOS_84, "amd64"),
                Nodes.node("b", Nodes.K1, new OsRelease("rhel", "8.4"), "amd64"));
        assertThat(pools)
                .extracting(Pool::affinityHash)
                .doesNotHaveDuplicates()
                .as("CoreOS keeps the suffix of SRO")
                .contains("b657a71de7fad62f");
        assertThat(pools).extracting(Pool::name).doesNotHaveDuplicates();
    }

    @Test
    void aKernelStringOfSixtyFourCharactersMakesALegalLabel() {
        String kernel = "6.5.0-1014-" + "x".repeat(53);
        Pool pool = group(Nodes.bare("a", kernel, Nodes.UBUNTU_2204, "amd64")).get(0);
        Pool other = group(Nodes.bare("a", kernel.substring(0, 63) + "y", Nodes.UBUNTU_2204, "amd64"))
                .get(0);
        assertThat(kernel).hasSize(64);
        assertThat(pool.kernelLabel()).hasSize(63).startsWith("6.5.0-1014-xxx").isNotEqualTo(other.kernelLabel());
        assertThat(pool.name()).hasSizeLessThanOrEqualTo(63);
    }

    @Test
    void pluginKeySplitsAPool() {
        List<Pool> pools = Pools.group(
                List.of(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K1)), node -> Map.of("firmware", node.name()));
        assertThat(pools).hasSize(2).extracting(Pool::affinityHash).doesNotHaveDuplicates();
        assertThat(pools).extracting(pool -> pool.key().get("firmware")).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void pluginKeysThatALabelCannotTellApartStillDo() {
        assertThat(Pools.group(
                        List.of(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K1)),
                        node -> Map.of("board", node.name().equals("a") ? "x/y" : "x_y")))
                .extracting(Pool::name)
                .doesNotHaveDuplicates();
    }

    @Test
    void noNodesMakeNoPools() {
        assertThat(group()).isEmpty();
    }
}
