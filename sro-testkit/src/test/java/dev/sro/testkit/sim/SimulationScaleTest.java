package dev.sro.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.Gvr;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SimulationScaleTest {
    private static final NodeProfile MACHINE =
            NodeProfile.of(OsRelease.UBUNTU_22).withLabel("pool", "a");
    private static final SimTimings NO_LAG = SimTimings.DEFAULTS.withNfdLag(Duration.ZERO);
    /** Calls to the cluster for one node from the creation of a DaemonSet to its ready pod. */
    private static final long CALLS_PER_NODE = 20;

    @Test
    void aDaemonSetComesUpWithWorkInProportionToItsNodes() {
        long small = callsForRollout(50);
        long large = callsForRollout(200);

        assertThat(large - small).isLessThanOrEqualTo(150 * CALLS_PER_NODE);
        assertThat((large - small) % 150).isZero();
    }

    @Test
    @Tag("slow")
    void aDaemonSetComesUpOnFiveThousandNodes() {
        assertThat(callsForRollout(5000)).isLessThan(5000 * CALLS_PER_NODE);
    }

    private static long callsForRollout(int nodes) {
        try (SimWorld world = new SimWorld(NO_LAG)) {
            world.sim.nodes().createMany("n", nodes, MACHINE);
            world.advance("PT2S");
            world.counting.calls().clear();
            world.daemonSet("a", "img:1", "");
            world.advance("PT2S");
            assertThat(JsonNodes.integer(world.status(Gvr.DAEMONSETS, "a"), 0, "numberAvailable"))
                    .isEqualTo(nodes);
            return world.counting.total();
        }
    }

    @Test
    void oneNodesEventTouchesOnlyItsPodWhateverTheSizeOfTheCluster() {
        assertThat(costOf(80, w -> w.sim.nodes().reboot("n7")))
                .isEqualTo(costOf(20, w -> w.sim.nodes().reboot("n7")));
        assertThat(costOf(80, w -> w.sim.nodes().label("n7", "pool", null)))
                .isEqualTo(costOf(20, w -> w.sim.nodes().label("n7", "pool", null)));
        assertThat(costOf(80, w -> w.sim.nodes().create("late", MACHINE)))
                .isEqualTo(costOf(20, w -> w.sim.nodes().create("late", MACHINE)));
        assertThat(costOf(80, w -> Pods.delete(w.api, w.podOn("n7"))))
                .isEqualTo(costOf(20, w -> Pods.delete(w.api, w.podOn("n7"))));
    }

    private static long costOf(int nodes, Consumer<SimWorld> event) {
        try (SimWorld world = new SimWorld(NO_LAG)) {
            world.sim.nodes().createMany("n", nodes, MACHINE);
            world.daemonSet("a", "img:1", "");
            world.advance("PT5S");
            world.counting.calls().clear();
            world.changes.clear();
            event.accept(world);
            world.advance("PT2M");
            assertThat(world.changesOf(Gvr.PODS, c -> true))
                    .allMatch(c -> Pods.targetNode(c.object()).matches("n7|late"));
            return world.counting.total();
        }
    }

    @Test
    void anEventThatDoesNotMatterCostsNoWrite() {
        try (SimWorld world = new SimWorld(NO_LAG)) {
            world.sim.nodes().createMany("n", 50, MACHINE);
            world.daemonSet("a", "img:1", "");
            world.advance("PT5S");
            world.changes.clear();

            world.sim.nodes().label("n7", "unrelated", "x");
            world.advance("PT1M");

            assertThat(world.changes).extracting(Change::type).containsExactly(Gvr.NODES);
        }
    }

    @Test
    void equalSeedsAndHistoriesGiveEqualClusters() {
        assertThat(history(7)).isEqualTo(history(7));
        assertThat(history(7)).isNotEqualTo(history(8));
    }

    private static String history(long seed) {
        try (SimWorld world = new SimWorld(SimTimings.DEFAULTS, seed)) {
            world.sim.nodes().createMany("n", 5, MACHINE);
            world.sim.behaviors().add(Behavior.fail(1, Duration.ofSeconds(1)).times(3));
            world.daemonSet("a", "img:1", "");
            world.job("j", "", ",'completions':3,'parallelism':2");
            world.deployment("d", 3, "");
            world.advance("PT20S");
            world.sim.nodes().reboot("n2", "6.8.0-1").delete("n4");
            world.setImage(Gvr.DAEMONSETS, "a", "img:2");
            world.advance("PT3M");
            return world.dump();
        }
    }
}
