package dev.sro.core.slicing.defrag;

import dev.sro.core.slicing.defrag.LayoutFlows.Flow;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.pack.Multisets;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Frees as many devices as a budget allows: exhaustively on small fleets, and otherwise from the divided optimum, which
 * bounds every plan from below.
 */
final class Compactor {
    /** Devices up to which the exhaustive search is tried. */
    private static final int SMALL = 16;

    private final Feasibility feasibility;
    private final DeviceClasses classes;
    private final Pricing pricing;
    private final ExchangeTable table;
    private final int used;
    private final long fewest;
    private final Relaxation relaxation;

    Compactor(Feasibility feasibility, ExchangeTable table, DeviceClasses classes) {
        this.feasibility = feasibility;
        this.table = table;
        this.classes = classes;
        this.pricing = new Pricing(table, classes);
        long[] counts = new long[table.geometry.profiles()];
        int devices = 0;
        for (int c = 0; c < classes.size; c++) {
            int[] each = Multisets.countsOf(table.geometry, classes.layout[c]);
            for (int p = 0; p < each.length; p++) {
                counts[p] += (long) each[p] * classes.count[c];
            }
            devices += classes.count[c];
        }
        this.used = devices;
        this.fewest = feasibility.minDevices(counts);
        this.relaxation = new Relaxation(pricing, devices);
    }

    Compaction run(long budget, long steps) {
        long toEmpty = affordable(used - fewest, budget);
        while (toEmpty > 0) {
            relaxation.solve(toEmpty);
            long bound = (long) Math.ceil(relaxation.bound() - 1e-3);
            Compaction exact = used <= SMALL ? exact((int) toEmpty, bound, budget, steps) : null;
            Compaction plan = exact != null ? exact : rounded((int) toEmpty, bound);
            if (plan != null && plan.cost() <= budget) {
                return plan;
            }
            // One device less, or as many as the plan is over the budget if every device costs the same.
            long over = plan == null ? 0 : (plan.cost() - budget) * toEmpty / Math.max(1, plan.cost());
            toEmpty -= Math.max(1, over);
        }
        return new Compaction(List.of(), 0, used, used, fewest, 0, 0);
    }

    /** The most devices that could be emptied by the bound alone, which grows with their number. */
    private long affordable(long most, long budget) {
        long low = 0;
        long high = most;
        boolean first = true;
        while (low < high) {
            long middle = first ? high : low + (high - low + 1) / 2;
            first = false;
            relaxation.solve(middle);
            if (relaxation.possible() && relaxation.bound() <= budget + 1e-3) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private @Nullable Compaction exact(int toEmpty, long bound, long budget, long steps) {
        LeavingCandidates candidates = new LeavingCandidates(table, classes);
        ExchangeSearch search = new ExchangeSearch(candidates, -1, 1, steps);
        int most = (int) Math.min(budget, bound + 4);
        for (int cost = (int) bound; cost <= most && search.complete(); cost++) {
            boolean good = search.run(cost, cost, toEmpty);
            List<Move> found = good ? search.found() : search.fallback();
            if (found != null) {
                long total = found.stream()
                        .mapToLong(move -> classes.costOf(move.device(), move.placement()))
                        .sum();
                int stopFirst = good ? 0 : found.size();
                return new Compaction(
                        found, stopFirst, used, used - toEmpty, fewest, total, search.complete() ? cost : bound);
            }
        }
        return null;
    }

    private @Nullable Compaction rounded(int toEmpty, long bound) {
        List<Flow> flows = Repair.repair(feasibility, pricing, LayoutFlows.decompose(relaxation, pricing), toEmpty);
        if (flows.isEmpty()) {
            return null;
        }
        MoveOrder order = new MoveOrder(classes.view);
        int emptied = 0;
        int at = 0;
        int deviceClass = -1;
        // Within a class low devices stay as they are and high ones are emptied.
        for (Flow flow : flows.stream()
                .sorted(Comparator.comparingInt(Flow::deviceClass)
                        .thenComparingInt(this::rank)
                        .thenComparingInt(Flow::to))
                .toList()) {
            at = flow.deviceClass() == deviceClass ? at : 0;
            deviceClass = flow.deviceClass();
            emptied += flow.to() == 0 ? flow.devices() : 0;
            for (int i = 0; i < flow.devices(); i++) {
                int device = classes.next(deviceClass, at);
                at = device + 1;
                if (flow.to() != classes.layout[deviceClass]) {
                    order.change(device, flow.to());
                }
            }
        }
        order.run();
        long cost = 0;
        for (Move move : order.moves()) {
            cost += classes.costOf(move.device(), move.placement());
        }
        return new Compaction(order.moves(), order.stopFirst(), used, used - emptied, fewest, cost, bound);
    }

    private int rank(Flow flow) {
        return flow.to() == classes.layout[flow.deviceClass()] ? 0 : flow.to() != 0 ? 1 : 2;
    }
}
