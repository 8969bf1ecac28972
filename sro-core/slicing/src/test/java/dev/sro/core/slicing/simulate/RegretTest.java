package dev.sro.core.slicing.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.fleet.ModelFleet;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import dev.sro.core.slicing.simulate.TestBed.Cell;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The default policy in every window of 2,000 requests, against the named policy that happened to be best in that very window. Nobody can
 * know which one that will be; so beside it stands a <em>prophet</em>, who uses from the start the one named policy that accepts most
 * over all runs of the cell.
 */
class RegretTest {
    private static final int DEVICES = 100;
    private static final int WINDOW = 2_000;
    private static final int STEP = 500;

    /** How far behind the default may be in any window, as a share of the memory units asked for in it. */
    private static final double ANY_WINDOW = 0.035;

    /** How far behind the prophet it may be on average over all windows of a model. */
    private static final double BEHIND_THE_PROPHET = 0.001;

    /** How often the prophet himself is more than 0.05 points behind the best in a window. */
    private static final double PROPHET_FAILS = 0.1;

    private static final List<PlacementPolicy> ALL = List.of(
            Policies.standard(),
            Policies.firstFit(),
            Policies.bestFit(),
            Policies.bestFitBestIndex(),
            Policies.minimumFragmentation(),
            Policies.longestRun());

    private double sum;
    private double prophets;
    private double worst;
    private int failed;
    private int windows;

    @ParameterizedTest
    @ValueSource(strings = "RTXPRO5000-48GB-r580")
    void noWindowIsFarBehindAndTheMeanIsNot(String model) {
        Geometry geometry = Geometry.of(Catalogue.builtin().model(model));
        List<Cell> cells = new ArrayList<>(TestBed.steady(geometry, DEVICES).subList(0, 6));
        cells.add(TestBed.drifting(geometry, DEVICES).get(0));
        judge(geometry, cells, 1);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"A30-24GB", "A100-80GB", "RTXPRO6000-96GB", "MI300X", "PPU-ZW810E-96GB"})
    void norAnyOfTheWholeTestBed(String model) {
        Geometry geometry = Geometry.of(Catalogue.builtin().model(model));
        List<Cell> cells = new ArrayList<>(TestBed.steady(geometry, DEVICES));
        cells.addAll(TestBed.drifting(geometry, DEVICES));
        judge(geometry, cells, 2);
        assertThat((double) failed / windows).as("the prophet fails").isGreaterThan(PROPHET_FAILS);
    }

    private void judge(Geometry geometry, List<Cell> cells, int runs) {
        List<PolicyTable> tables =
                ALL.stream().map(policy -> PolicyTable.of(geometry, policy)).toList();
        for (Cell cell : cells) {
            play(geometry, tables, cell, runs);
        }
        assertThat(worst).as("worst window").isGreaterThan(-ANY_WINDOW);
        assertThat(sum / windows).as("mean").isGreaterThan(prophets / windows - BEHIND_THE_PROPHET);
    }

    private void play(Geometry geometry, List<PolicyTable> tables, Cell cell, int runs) {
        List<int[][]> accepted = new ArrayList<>();
        List<Workload> workloads = new ArrayList<>();
        long[] total = new long[tables.size()];
        for (int run = 0; run < runs; run++) {
            Workload workload = cell.workload().apply(777 + run * 7919L);
            int[][] sums = new int[tables.size()][];
            for (int policy = 0; policy < sums.length; policy++) {
                sums[policy] = accepted(tables.get(policy), workload);
                total[policy] += sums[policy][sums[policy].length - 1];
            }
            workloads.add(workload);
            accepted.add(sums);
        }
        int prophet = 1;
        for (int policy = 2; policy < total.length; policy++) {
            prophet = total[policy] > total[prophet] ? policy : prophet;
        }
        for (int run = 0; run < runs; run++) {
            judge(geometry, workloads.get(run), accepted.get(run), prophet);
        }
    }

    private void judge(Geometry geometry, Workload workload, int[][] accepted, int prophet) {
        List<Workload.Arrival> arrivals = workload.arrivals();
        for (int from = 0; from + WINDOW <= arrivals.size(); from += STEP) {
            long asked = arrivals.subList(from, from + WINDOW).stream()
                    .mapToLong(arrival -> geometry.sizeOf(arrival.profile()))
                    .sum();
            int best = 0;
            for (int policy = 1; policy < accepted.length; policy++) {
                best = Math.max(best, accepted[policy][from + WINDOW] - accepted[policy][from]);
            }
            double own = (double) (accepted[0][from + WINDOW] - accepted[0][from] - best) / asked;
            double his = (double) (accepted[prophet][from + WINDOW] - accepted[prophet][from] - best) / asked;
            worst = Math.min(worst, own);
            sum += own;
            prophets += his;
            failed += his < -0.0005 ? 1 : 0;
            windows++;
        }
    }

    /** Memory units accepted of the first requests, by their number. */
    private static int[] accepted(PolicyTable policy, Workload workload) {
        record Held(double end, long slot) {}
        ModelFleet fleet = new ModelFleet(policy, DEVICES);
        PriorityQueue<Held> held = new PriorityQueue<>(Comparator.comparingDouble(Held::end));
        int[] sums = new int[workload.arrivals().size() + 1];
        int at = 0;
        for (Workload.Arrival arrival : workload.arrivals()) {
            while (!held.isEmpty() && held.peek().end() <= arrival.time()) {
                fleet.release(held.remove().slot());
            }
            long slot = fleet.allocate(arrival.profile());
            sums[at + 1] = sums[at++];
            if (slot != ModelFleet.NO_SLOT) {
                sums[at] += policy.geometry().sizeOf(arrival.profile());
                held.add(new Held(arrival.time() + arrival.holding(), slot));
            }
        }
        return sums;
    }
}
