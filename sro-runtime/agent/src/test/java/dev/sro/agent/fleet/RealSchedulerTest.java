package dev.sro.agent.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.simulate.Mix;
import dev.sro.testkit.controlplane.ControlPlane;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What orders and loss classes are worth, and cost, with the scheduler that users have: real API server, controllers and scheduler, agents on
 * emulated GPUs, and this test for a kubelet. The large form is this one with other numbers; docs/slicing/dra.md has its command and its table.
 */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
class RealSchedulerTest {
    private static final int NODES = Integer.getInteger("sro.fleet.nodes", 2);
    private static final int GPUS = Integer.getInteger("sro.fleet.gpus", 2);
    private static final int ROUND = Integer.getInteger("sro.fleet.round", 4);
    private static final int PODS = Integer.getInteger("sro.fleet.pods", 12);
    private static final List<Integer> LOADS = Arrays.stream(
                    System.getProperty("sro.fleet.loads", "80").split(",", -1))
            .map(Integer::valueOf)
            .toList();
    private static final long SEED = Long.getLong("sro.fleet.seed", 0);
    private static final String MIX = System.getProperty("sro.fleet.mix", "skew-small");
    private static final List<FleetWay> WAYS = Arrays.stream(
                    System.getProperty("sro.fleet.ways", "NVIDIA_BY_CLAIM,ADVISORY_BY_LIMITS,LOSS_CLASSES")
                            .split(",", -1))
            .map(FleetWay::valueOf)
            .toList();

    /** One write for three pods, and what the nodes had saved up before. */
    private static final double WRITES_PER_POD = 1.0 / 3;

    private static final double SAVED = 4.5;

    @Test
    void withTheSchedulerOfTheControlPlane(RealCluster cluster, @TempDir Path directory) throws Exception {
        play(cluster, directory);
    }

    @Test
    void withANewerScheduler(RealCluster cluster, @TempDir Path directory) throws Exception {
        assumeTrue(NewerScheduler.isHere(), "no newer kube-scheduler here: .ci/kube-scheduler/build.sh builds it");
        try (ControlPlane newer = NewerScheduler.start(cluster.controlPlane().binaries());
                RealCluster own = RealCluster.on(newer, "newer")) {
            play(own, directory);
        }
    }

    private static void play(RealCluster cluster, Path directory) throws Exception {
        Mix mix = Mix.published(Geometry.of(Fleet.MODEL)).stream()
                .filter(each -> each.name().equals(MIX))
                .findFirst()
                .orElseThrow();
        FleetChurn.Recipe recipe = new FleetChurn.Recipe(NODES, GPUS, ROUND, PODS, LOADS, SEED, mix);
        List<String> nodes = Fleet.nodes(cluster, NODES);
        Map<FleetWay, FleetChurn.Result> results = new EnumMap<>(FleetWay.class);
        System.out.println(recipe);
        for (FleetWay way : WAYS) {
            try (Fleet fleet = new Fleet(cluster, nodes, GPUS, way, directory)) {
                FleetChurn.Result result = FleetChurn.play(recipe, fleet);
                System.out.println(result.lines(way));
                results.put(way, result);
                assertThat(fleet.problems()).as("%s", way).isEmpty();
                assertThat(fleet.hardware())
                        .as("%s: what hardware has is what claims were given", way)
                        .containsExactlyInAnyOrderElementsOf(fleet.pods().places())
                        .isNotEmpty();
                assertThat(result.churns())
                        .as("%s", way)
                        .allSatisfy(churn -> assertThat(churn.writes())
                                .isLessThanOrEqualTo((int) (WRITES_PER_POD * PODS + NODES * SAVED)));
                fleet.clear();
            }
        }
        results.forEach(
                (way, result) -> assertThat(Objects.requireNonNull(result).filled())
                        .as("%s", way)
                        .isPositive());
    }
}
