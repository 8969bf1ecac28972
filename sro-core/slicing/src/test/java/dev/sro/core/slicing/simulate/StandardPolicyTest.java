package dev.sro.core.slicing.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A small form of the experiments of docs/slicing/policies.md: fixed seeds, so that the outcome is fixed too. */
class StandardPolicyTest {
    private static final Geometry A100 = Geometry.of(Models.a100());
    private static final Feasibility FEASIBILITY = Feasibility.of(A100);
    private static final List<PlacementPolicy> PEERS = List.of(
            Policies.firstFit(), Policies.bestFitBestIndex(), Policies.longestRun(), Policies.minimumFragmentation());
    private static final int DEVICES = 100;

    /** What 20 runs leave to chance, as a share of all units; the full experiments have ten times as many. */
    private static final double CHANCE = 0.0003;

    @Test
    void acceptsAsMuchAsTheBestPeerInSteadyUse() {
        acceptsAsMuchAsTheBestPeerInSteadyUse(0.85);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource("0.95")
    void acceptsAsMuchAsTheBestPeerInSteadyUse(double load) {
        for (Mix mix : Mix.published(A100)) {
            compare(mix.name(), seed -> Workload.lossSystem(A100, mix, load, DEVICES, seed));
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource("1.1")
    void acceptsAsMuchAsTheBestPeerWhileAFleetFills(double factor) {
        for (Mix mix : Mix.published(A100)) {
            compare(mix.name(), seed -> Workload.fill(A100, mix, factor, DEVICES, seed));
        }
    }

    private static void compare(String mix, LongFunction<Workload> workloads) {
        double standard = accepted(Policies.standard(), workloads);
        for (PlacementPolicy peer : PEERS) {
            assertThat(standard)
                    .as(mix + " against " + peer.name())
                    .isGreaterThanOrEqualTo(accepted(peer, workloads) - CHANCE);
        }
    }

    private static double accepted(PlacementPolicy policy, LongFunction<Workload> workloads) {
        return run(policy, RoomMaker.NONE, workloads).acceptanceByUnits();
    }

    private static SimulationReport run(PlacementPolicy policy, RoomMaker mover, LongFunction<Workload> workloads) {
        PolicyTable table = PolicyTable.of(A100, policy);
        return LongStream.range(0, 20)
                .mapToObj(
                        seed -> Simulator.run(table, FEASIBILITY, DEVICES, mover, workloads.apply(7 + seed * 104_729)))
                .reduce(SimulationReport::plus)
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"uniform, 0.76", "skew-small, 0.5", "skew-big, 0.97", "bimodal, 0.83"})
    void refusesFewerUnitsThanMinimumFragmentation(String name, double share) {
        LongFunction<Workload> workloads = seed -> Workload.lossSystem(A100, mix(name), 0.85, DEVICES, seed);
        double refused = 1 - accepted(Policies.standard(), workloads);
        double peer = 1 - accepted(Policies.minimumFragmentation(), workloads);
        assertThat(refused / peer).isLessThan(share);
    }

    @ParameterizedTest
    @CsvSource({"uniform, 0.99, 16", "skew-small, 0.99, 8", "skew-big, 0.99, 24", "bimodal, 0.985, 24"})
    void withThreeMovesNearlyEverythingIsAccepted(String name, double share, double moves) {
        SimulationReport report = run(
                Policies.standard(),
                RoomMaker.byDefragmenter(FEASIBILITY, 3),
                seed -> Workload.lossSystem(A100, mix(name), 0.85, DEVICES, seed));
        assertThat(report.acceptanceByUnits()).isGreaterThan(share);
        assertThat(report.movesPerThousand()).isBetween(1.0, moves);
    }

    private static Mix mix(String name) {
        return Mix.published(A100).stream()
                .filter(mix -> mix.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
