package dev.sro.core.slicing.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SimulatorTest {
    private static final Geometry A100 = Geometry.of(Models.a100());
    private static final Feasibility FEASIBILITY = Feasibility.of(A100);
    private static final PolicyTable STANDARD = PolicyTable.of(A100, Policies.standard());

    @Test
    void wholeDevicesAreLostAsErlangSays() {
        Mix whole = new Mix("whole", Map.of("7g.40gb", 1.0));
        SimulationReport report = LongStream.range(0, 60)
                .mapToObj(seed -> Simulator.run(
                        STANDARD, FEASIBILITY, 10, RoomMaker.NONE, Workload.lossSystem(A100, whole, 0.85, 10, seed)))
                .reduce(SimulationReport::plus)
                .orElseThrow();
        double blocking = 1;
        for (int servers = 1; servers <= 10; servers++) {
            blocking = 8.5 * blocking / (servers + 8.5 * blocking);
        }
        assertThat(report.acceptance()).isCloseTo(1 - blocking, within(0.01));
        assertThat(report.meanUsedUnits()).isCloseTo(0.85 * (1 - blocking), within(0.02));
        assertThat(report.refusedFragmented()).isZero();
    }

    @Test
    void everyRequestIsEitherAcceptedOrRefused() {
        for (Mix mix : Mix.published(A100)) {
            SimulationReport report = Simulator.run(
                    STANDARD, FEASIBILITY, 20, RoomMaker.NONE, Workload.lossSystem(A100, mix, 1.05, 20, 1));
            assertThat(report.accepted() + report.refusedFragmented() + report.refusedInfeasible())
                    .as(mix.name())
                    .isEqualTo(report.requested());
            assertThat(report.refusedFragmented()).isPositive();
            assertThat(report.meanUsedUnits()).isBetween(0.5, 1.0);
        }
    }

    @Test
    void fillingWithTheSmallestSliceEndsWhenAllComputeSlicesAreTaken() {
        Mix smallest = new Mix("smallest", Map.of("1g.5gb", 1.0));
        SimulationReport report =
                Simulator.run(STANDARD, FEASIBILITY, 5, RoomMaker.NONE, Workload.fill(A100, smallest, 1.0, 5, 3));
        assertThat(report.requested()).isEqualTo(40);
        assertThat(report.accepted()).isEqualTo(35);
        assertThat(report.refusedInfeasible()).isEqualTo(5);
    }

    @Test
    void waitingWorkGetsItsTurn() {
        Mix jobs = new Mix("jobs", Map.of("1g.5gb", 35.0, "2g.10gb", 25.0, "3g.20gb", 25.0, "7g.40gb", 5.0));
        SimulationReport report =
                Simulator.run(STANDARD, FEASIBILITY, 8, RoomMaker.NONE, Workload.backlog(A100, jobs, 8, 5));
        assertThat(report.refusedFragmented() + report.refusedInfeasible()).isZero();
        assertThat(report.requested()).isEqualTo(556);
        assertThat(report.accepted()).isBetween(100L, 555L);
        assertThat(report.meanUsedComputeSlices()).isBetween(0.9, 1.0);
    }

    @Test
    void roomThatIsMadeIsUsedAndCounted() {
        Mix mix = Mix.published(A100).get(0);
        Workload workload = Workload.lossSystem(A100, mix, 0.85, 50, 9);
        SimulationReport still = Simulator.run(STANDARD, FEASIBILITY, 50, RoomMaker.NONE, workload);
        SimulationReport moving =
                Simulator.run(STANDARD, FEASIBILITY, 50, RoomMaker.byDefragmenter(FEASIBILITY, 3), workload);
        assertThat(still.moves()).isZero();
        assertThat(moving.triggers()).isPositive();
        assertThat(moving.moves()).isBetween(moving.triggers(), 3 * moving.triggers());
        assertThat(moving.acceptedUnits()).isGreaterThan(still.acceptedUnits());
    }

    @Test
    void equalWorkloadsGiveEqualReportsButForTheClock() {
        Workload workload = Workload.lossSystem(A100, Mix.uniform(A100), 0.9, 30, 4);
        List<SimulationReport> reports = List.of(
                Simulator.run(STANDARD, FEASIBILITY, 30, RoomMaker.NONE, workload),
                Simulator.run(STANDARD, FEASIBILITY, 30, RoomMaker.NONE, workload));
        assertThat(reports.get(0))
                .usingRecursiveComparison()
                .ignoringFields("decisionNanos")
                .isEqualTo(reports.get(1));
    }
}
