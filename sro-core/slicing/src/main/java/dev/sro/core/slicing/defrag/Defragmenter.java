package dev.sro.core.slicing.defrag;

import dev.sro.core.slicing.fleet.FleetView;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.policy.Policies;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plans moves on the devices of one model. Plans depend on how many devices have which layout and not on how many there
 * are, so their cost does not grow with the fleet; devices with pinned or weighted instances are looked at one class at a time.
 * Cordoned devices are left as they are. Equal input gives an equal plan.
 *
 * <p>Immutable and thread-safe; the fleet must not change during a call.
 */
public final class Defragmenter {
    /** Steps of the exhaustive searches; beyond them a result is no longer called minimal. */
    private static final long STEPS = 100_000;

    private final Feasibility feasibility;
    private final ExchangeTable table;

    private Defragmenter(Feasibility feasibility) {
        this.feasibility = feasibility;
        this.table = new ExchangeTable(feasibility.geometry(), feasibility.multisets());
    }

    /** Works out the tables of a model: milliseconds. */
    public static Defragmenter of(Feasibility feasibility) {
        return new Defragmenter(feasibility);
    }

    /**
     * The cheapest moves that admit one instance of a profile, by cost, then by number of moves; of a few equal ones, those that
     * leave the devices worth most ({@link Policies#worth}), on low devices. If the cheapest can not be done move by move, a plan
     * within the same limit that can is preferred to none and is then not called minimal; failing that, the cheapest with
     * {@code sequential} false.
     *
     * @param maxMoves most moves of the plan; 3 is found in microseconds, every one more costs a factor
     * @throws IllegalArgumentException if there is no such profile, {@code maxMoves} is negative, or the fleet is of
     *     another model
     */
    public AdmissionPlan admit(FleetView fleet, Disruption disruption, int profile, int maxMoves) {
        check(fleet, maxMoves);
        if (profile < 0 || profile >= table.single.length) {
            throw new IllegalArgumentException("no profile " + profile + " in "
                    + feasibility.geometry().model().key());
        }
        AdmissionPlan direct = direct(fleet, profile);
        if (direct != null) {
            return direct;
        }
        long[] counts = counts(fleet);
        long devices = usable(fleet);
        if (!feasibility.feasibleWithOneMore(counts, profile, devices)) {
            counts[profile]++;
            return AdmissionPlan.not(
                    AdmissionPlan.Verdict.INFEASIBLE,
                    feasibility.explain(counts, devices).orElse(""));
        }
        LeavingCandidates candidates = new LeavingCandidates(table, new DeviceClasses(fleet, disruption, true));
        return new AdmissionSearch(candidates, profile, maxMoves, STEPS).run();
    }

    /**
     * Frees devices by moving what is on them to others in use, as many as the budget allows and no more than
     * {@link Feasibility#minDevices} says. The result carries a proved lower bound of its cost.
     *
     * @param budget most cost of the moves; their number, where none has a cost of its own
     * @throws IllegalArgumentException if {@code budget} is negative or the fleet is of another model
     */
    public Compaction compact(FleetView fleet, Disruption disruption, long budget) {
        check(fleet, budget);
        return new Compactor(feasibility, table, new DeviceClasses(fleet, disruption, false)).run(budget, STEPS);
    }

    private @Nullable AdmissionPlan direct(FleetView fleet, int profile) {
        Geometry geometry = table.geometry;
        int device = -1;
        int layout = -1;
        for (int l = 0; l < geometry.layouts(); l++) {
            if (fleet.count(l) > 0 && placement(l, profile) >= 0) {
                int first = fleet.next(l, 0);
                if (first >= 0 && (device < 0 || first < device)) {
                    device = first;
                    layout = l;
                }
            }
        }
        return device < 0
                ? null
                : new AdmissionPlan(
                        AdmissionPlan.Verdict.DIRECT, List.of(), device, placement(layout, profile), 0, true, true, "");
    }

    private int placement(int layout, int profile) {
        Geometry geometry = table.geometry;
        long all = geometry.addable(geometry.occupancyOf(layout));
        for (int k = geometry.firstPlacement(profile); k < geometry.firstPlacement(profile + 1); k++) {
            if ((all >>> k & 1) != 0) {
                return k;
            }
        }
        return -1;
    }

    private void check(FleetView fleet, long maxMoves) {
        if (!fleet.geometry().model().equals(table.geometry.model())) {
            throw new IllegalArgumentException(
                    "fleet of " + fleet.geometry().model().key() + ", planner of "
                            + table.geometry.model().key());
        }
        if (maxMoves < 0) {
            throw new IllegalArgumentException("maximum of " + maxMoves + " moves is negative");
        }
    }

    private long[] counts(FleetView fleet) {
        long[] counts = new long[table.geometry.profiles()];
        for (int l = 0; l < table.geometry.layouts(); l++) {
            long devices = fleet.count(l);
            for (long rest = table.geometry.placementsOf(l); devices > 0 && rest != 0; rest &= rest - 1) {
                counts[table.geometry.profileOf(Long.numberOfTrailingZeros(rest))] += devices;
            }
        }
        return counts;
    }

    private long usable(FleetView fleet) {
        long sum = 0;
        for (int l = 0; l < table.geometry.layouts(); l++) {
            sum += fleet.count(l);
        }
        return sum;
    }
}
