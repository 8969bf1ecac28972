package dev.sro.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.Outcome;
import dev.sro.api.Reach;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.World;
import dev.sro.core.model.KubeObject;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Labels that DaemonSets want on the nodes on which they are ready. */
class ReadyLabelsTest {

    private static final String FIRST = "example.com/first";
    private static final String SECOND = "example.com/second";

    private static State state(String image) {
        return State.builder()
                .id("1000-both")
                .reach(Reach.nodeByNode())
                .addManifests(ManifestTemplate.text("x.yaml", """
                    apiVersion: apps/v1
                    kind: DaemonSet
                    metadata: {name: first, annotations: {sro.dev/ready-label: example.com/first}}
                    spec: {template: {spec: {containers: [{name: c, image: "i:1"}]}}}
                    ---
                    apiVersion: apps/v1
                    kind: DaemonSet
                    metadata:
                      name: second
                      annotations:
                        sro.dev/ready-label: example.com/second
                        specialresource.openshift.io/kernel-affine: "true"
                    spec: {template: {spec: {containers: [{name: c, image: "%s"}]}}}
                    """.formatted(image)))
                .build();
    }

    private static Set<String> labels(World world, String node) {
        return world.node(node).facts().labels().keySet();
    }

    private static World settled() {
        World world = new World(state("i:1")).with(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K2));
        assertThat(world.settle().converged()).isTrue();
        return world;
    }

    @Test
    void eachNodeGetsTheLabelsOfWhatIsReadyOnIt() {
        World world = settled();

        for (String node : Set.of("a", "b")) {
            assertThat(labels(world, node)).contains(FIRST, SECOND);
            assertThat(world.node(node).facts().labels()).containsEntry(FIRST, "ready");
        }
    }

    @Test
    void eachDaemonSetIsJudgedByItself() {
        World world = new World(state("i:1")).with(Nodes.node("a", Nodes.K1));
        world.settle();
        Set<String> seconds = world.objects.values().stream()
                .filter(object -> object.ref().name().startsWith("second"))
                .map(KubeObject::uid)
                .collect(Collectors.toSet());
        world.pods.values().removeIf(pod -> seconds.contains(pod.owner()));
        world.step();

        assertThat(labels(world, "a"))
                .as("another DaemonSet of the state may wait for the first one's label")
                .contains(FIRST)
                .doesNotContain(SECOND);
    }

    @Test
    void whatRunsKeepsItsLabelsWhileItsStateCannotBeRendered() {
        World world = settled();
        world.plugin.states = context -> StateGraph.chain(state("${nothing}"));

        assertThat(world.plan().writes())
                .filteredOn(Write.LabelNode.class::isInstance)
                .isEmpty();
        assertThat(labels(world, "a")).contains(FIRST, SECOND);
    }

    @Test
    void whileNothingIsSeenTheLabelsStay() {
        World world = settled();
        world.pods.clear();
        world.unseen.put("apps/v1/DaemonSet", Outcome.waiting("CacheFilling", world.now, "x"));

        assertThat(world.plan().writes())
                .filteredOn(Write.LabelNode.class::isInstance)
                .isEmpty();
    }

    @Test
    void aNodeThatIsNotServedAnyMoreLosesThem() {
        World world = settled();
        world.resource.getMetadata().setDeletionTimestamp("2026-01-01T11:00:00Z");
        world.settle();

        assertThat(labels(world, "a")).doesNotContain(FIRST, SECOND);
    }
}
