package dev.sro.core.recipe.generated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.model.KubeObject;
import dev.sro.core.recipe.generated.Expectation.Placed;
import dev.sro.core.recipe.generated.Expectation.State;
import dev.sro.core.recipe.generated.Expectation.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares what is there in the end with what is expected: every object, node labels, status. */
final class FinalState {

    private static final Set<String> GROUPS =
            Set.of("driver-container", "runtime-enablement", "device-plugin", "device-monitoring");

    private final Blueprint blueprint;
    private final Expectation expectation;
    private final ExpectedTrees trees;
    private final FakeCluster cluster;

    FinalState(Blueprint blueprint, Expectation expectation, ExpectedTrees trees, FakeCluster cluster) {
        this.blueprint = blueprint;
        this.expectation = expectation;
        this.trees = trees;
        this.cluster = cluster;
    }

    void check(Set<Placed> applied, boolean done) {
        for (State state : expectation.states) {
            for (Wanted wanted : state.wanted()) {
                wanted.places().stream()
                        .filter(applied::contains)
                        .forEach(place -> object(state, wanted, place.kernel().orElse(null)));
            }
        }
        namespace();
        status(done);
        if (done) {
            labels();
        }
        order();
    }

    private void object(State state, Wanted wanted, @Nullable Kernel kernel) {
        Item item = wanted.item();
        KubeObject live = cluster.objects.values().stream()
                .filter(each -> each.annotation(Item.MARK).orElse("").equals(item.mark()))
                .filter(each -> kernel == null || each.ref().name().endsWith("-" + kernel.suffix()))
                .findFirst()
                .orElseThrow();
        String name = live.ref().name();
        if (kernel == null) {
            assertThat(name).isEqualTo(item.name());
        } else {
            name(item, kernel, name);
        }
        assertThat(plain(live.tree(), item))
                .as(item.mark() + " in " + state.number() + " " + kernel)
                .isEqualTo(PlainTrees.normal(trees.of(wanted, state, kernel, name)));
        assertThat(live.maps("metadata", "ownerReferences"))
                .as("owner")
                .anyMatch(owner ->
                        Blueprint.RESOURCE.equals(owner.get("name")) && Boolean.TRUE.equals(owner.get("controller")));
    }

    /** SRO: what the suffix leaves no room for is cut, and hashed; the API server refused what the original made of it. */
    private static void name(Item item, Kernel kernel, String name) {
        boolean label = item.kind().hasApp() || item.kind() == Kind.JOB || item.kind() == Kind.SERVICE;
        int most = label ? 63 : 253;
        String whole = item.name() + "-" + kernel.suffix();
        if (whole.length() <= most) {
            assertThat(name).isEqualTo(whole);
        } else {
            assertThat(name.length()).isLessThanOrEqualTo(most);
            assertThat(name).startsWith(item.name().substring(0, 25)).endsWith("-" + kernel.suffix());
        }
    }

    private static Object plain(Map<String, Object> tree, Item item) {
        Map<String, Object> copy = PlainTrees.live(tree);
        if (item.says(Item.PREFIX + "kernel-affine").isEmpty()) {
            Map<String, Object> metadata = ExpectedTrees.map(Objects.requireNonNull(copy.get("metadata")));
            ExpectedTrees.map(Objects.requireNonNull(metadata.get("annotations")))
                    .remove(Item.PREFIX + "kernel-affine");
        }
        return copy;
    }

    /** Labels and annotations that the recipe has for it are on the namespace of the operands. */
    private void namespace() {
        expectation.namespace.ifPresent(item -> {
            KubeObject live = cluster.objects.values().stream()
                    .filter(each -> each.ref().kind().equals("Namespace")
                            && each.ref().name().equals(Blueprint.SPACE))
                    .findFirst()
                    .orElseThrow();
            Kernel first = expectation.kernels.get(0);
            assertThat(live.map("metadata", "labels"))
                    .as("labels of the namespace")
                    .containsAllEntriesOf(ExpectedTrees.map(trees.evaluated(item.labels(), first)));
            assertThat(live.map("metadata", "annotations"))
                    .as("annotations of the namespace")
                    .containsAllEntriesOf(ExpectedTrees.map(trees.evaluated(item.annotations(), first)));
        });
    }

    private void status(boolean done) {
        String ready = cluster.status(Blueprint.RESOURCE).getConditions().stream()
                .filter(condition -> condition.getType().equals("Ready"))
                .map(condition -> condition.getStatus())
                .findFirst()
                .orElse("");
        boolean refused = blueprint.refusal().isPresent();
        boolean idle = expectation.kernels.isEmpty();
        if (!idle) {
            assertThat(ready).as("Ready").isEqualTo(done && !refused ? "True" : "False");
        }
        String all = String.valueOf(cluster.status(Blueprint.RESOURCE));
        expectation.states.stream().filter(State::broken).findFirst().ifPresent(state -> {
            Blueprint.Flaw flaw = blueprint.files().stream()
                    .map(Blueprint.File::flaw)
                    .filter(each -> each != Blueprint.Flaw.NONE)
                    .findFirst()
                    .orElseThrow();
            assertThat(all).as("problem of " + state.number()).contains(flaw.code);
        });
        blueprint.refusal().ifPresent(flaw -> assertThat(all).contains(flaw.code));
    }

    private void labels() {
        for (Blueprint.Machine machine : Expectation.served(blueprint)) {
            Map<String, String> labels = Objects.requireNonNull(cluster.nodes.get(machine.name()))
                    .facts()
                    .labels();
            for (State state : expectation.states) {
                assertThat(labels).as(machine.name()).containsEntry(ExpectedTrees.label(state), "Ready");
            }
            groups(machine.kernel())
                    .forEach(group -> assertThat(labels)
                            .as(machine.name())
                            .containsEntry(LookedForLabels.label(blueprint, group), "ready"));
        }
    }

    /** Whose DaemonSets for the kernel are ready. SRO: all of one group, where the original labelled for each. */
    private List<String> groups(Kernel kernel) {
        return GROUPS.stream()
                .filter(group -> {
                    List<Wanted> own = expectation
                            .all()
                            .filter(wanted -> wanted.item().kind() == Kind.DAEMON_SET
                                    && (wanted.kernels().isEmpty()
                                            || wanted.kernels().contains(kernel)))
                            .filter(wanted -> wanted.item()
                                    .says(Item.PREFIX + "state")
                                    .filter(group::equals)
                                    .isPresent())
                            .toList();
                    return !own.isEmpty()
                            && own.stream()
                                    .allMatch(wanted -> wanted.waited()
                                            && wanted.item()
                                                    .says(Item.PREFIX + "kernel-affine")
                                                    .isEmpty());
                })
                .toList();
    }

    /** Within what one state has in common, or for one kernel: in the order in which helm installs kinds. */
    private void order() {
        for (State state : expectation.states) {
            List<String> names = new ArrayList<>();
            state.wanted().stream()
                    .filter(wanted -> wanted.kernels().isEmpty())
                    .forEach(wanted -> names.add("create " + wanted.item().kind().word + " "
                            + wanted.item().name()));
            List<Integer> ranks = new ArrayList<>();
            cluster.writes.stream().filter(names::contains).forEach(write -> {
                for (Kind kind : Kind.values()) {
                    boolean held = kind == Kind.BUILD_CONFIG;
                    if (write.startsWith("create " + kind.word + " ") && !held) {
                        ranks.add(kind.rank());
                    }
                }
            });
            assertThat(ranks).as("order of kinds in " + state.number()).isSorted();
        }
    }
}
