package dev.sro.core.slicing.defrag;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns exchanges of a few devices into moves: which instances leave, where each goes, and in which order, so that each
 * step is legal once the instance that moves has left its place.
 */
final class Sequencer {
    /** Steps before giving up on an order. */
    private static final int BUDGET = 2_000;

    /** Steps in which a better order than the first is looked for. */
    private static final int COMPARED = 16;

    /** Moves that can be done one after the other, and by how much they change the worth of the devices. */
    record Order(List<Move> moves, double worth) {}

    /** What happens on one device. */
    static final class Slot {
        final int device;
        final int layout;
        final int leaves;
        final long cost;
        final int comes;
        final int deviceClass;
        private int now;
        private long out;
        /** The multiset that has yet to come. */
        private int open;

        Slot(int device, int layout, int leaves, long cost, int comes, int deviceClass) {
            this.device = device;
            this.layout = layout;
            this.leaves = leaves;
            this.cost = cost;
            this.comes = comes;
            this.deviceClass = deviceClass;
        }
    }

    private final ExchangeTable table;
    private final Geometry geometry;
    private final DeviceClasses classes;
    private final List<Slot> slots;
    private final List<Move> moves = new ArrayList<>();
    private final boolean anyOrder;
    private int budget = BUDGET;
    private @Nullable Order best;

    private Sequencer(ExchangeTable table, DeviceClasses classes, List<Slot> slots, boolean anyOrder) {
        this.table = table;
        this.geometry = table.geometry;
        this.classes = classes;
        this.slots = slots;
        this.anyOrder = anyOrder;
    }

    /**
     * The moves, then as last element the place of the request if there is one: a move from device -1. Of the orders that are found
     * in a few steps, the one that leaves the devices worth most.
     *
     * @param request profile of the request, or -1
     * @param anyOrder whether all are stopped before any is started, so that order does not matter
     */
    static @Nullable Order best(
            ExchangeTable table, DeviceClasses classes, List<Slot> slots, int request, boolean anyOrder) {
        Sequencer sequencer = new Sequencer(table, classes, slots, anyOrder);
        sequencer.choose(0, request);
        return sequencer.best;
    }

    /** Notes what was found; true if it is enough. */
    private boolean done() {
        double worth = 0;
        for (Slot slot : slots) {
            worth += table.worth[geometry.occupancyOf(slot.now)] - table.worth[geometry.occupancyOf(slot.layout)];
        }
        if (best == null || worth > best.worth) {
            best = new Order(List.copyOf(moves), worth);
        }
        return budget <= BUDGET - COMPARED;
    }

    // Which instances leave: any with the right multiset, cost and room afterwards.
    private boolean choose(int at, int request) {
        if (at == slots.size()) {
            return step(request);
        }
        Slot slot = slots.get(at);
        slot.open = slot.comes;
        long all = geometry.placementsOf(slot.layout);
        for (long out = all; ; out = (out - 1) & all) {
            if (Long.bitCount(out) == table.size[slot.leaves]
                    && table.multiset(out) == slot.leaves
                    && classes.cost(slot.deviceClass, out) == slot.cost
                    && leavesRoom(all & ~out, slot.comes)) {
                slot.out = out;
                slot.now = geometry.layoutOf(anyOrder ? all & ~out : all);
                if (choose(at + 1, request)) {
                    return true;
                }
            }
            if (out == 0) {
                return false;
            }
        }
    }

    private boolean leavesRoom(long placements, int comes) {
        int layout = geometry.layoutOf(placements);
        return layout >= 0 && ExchangeTable.has(table.fits[comes], geometry.occupancyOf(layout));
    }

    private boolean step(int request) {
        boolean left = true;
        for (Slot from : slots) {
            left &= from.out == 0;
            for (long rest = from.out; rest != 0; rest &= rest - 1) {
                if (--budget > 0 && leave(from, Long.numberOfTrailingZeros(rest), request)) {
                    return true;
                }
            }
        }
        return left && (request < 0 ? done() : arrive(null, -1, request, request));
    }

    private boolean leave(Slot from, int placement, int request) {
        int before = from.now;
        from.out &= ~(1L << placement);
        from.now = anyOrder ? before : geometry.toggle(before, placement);
        if (arrive(from, placement, geometry.profileOf(placement), request)) {
            return true;
        }
        from.now = before;
        from.out |= 1L << placement;
        return false;
    }

    /** Puts an instance, or the request if {@code from} is null, on each place in turn, and goes on from there. */
    private boolean arrive(@Nullable Slot from, int placement, int profile, int request) {
        for (Slot to : slots) {
            int open = to.open;
            if (table.previous[open][profile] < 0) {
                continue;
            }
            to.open = table.previous[open][profile];
            int before = to.now;
            for (int k = geometry.firstPlacement(profile); k < geometry.firstPlacement(profile + 1); k++) {
                int after = geometry.holds(before, k) ? Geometry.ILLEGAL : geometry.toggle(before, k);
                if (after == Geometry.ILLEGAL || (to == from && k == placement) || !canEnd(to, after)) {
                    continue;
                }
                to.now = after;
                moves.add(new Move(from == null ? -1 : from.device, placement, to.device, k));
                if (from == null ? done() : step(request)) {
                    return true;
                }
                moves.remove(moves.size() - 1);
                to.now = before;
            }
            to.open = open;
        }
        return false;
    }

    private boolean canEnd(Slot slot, int layout) {
        int rest = layout;
        for (long out = anyOrder ? 0 : slot.out; out != 0; out &= out - 1) {
            rest = geometry.toggle(rest, Long.numberOfTrailingZeros(out));
        }
        return ExchangeTable.has(table.fits[slot.open], geometry.occupancyOf(rest));
    }
}
