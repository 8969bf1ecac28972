package dev.sro.core.slicing.geometry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Merges layouts that cannot be told apart by what is taken and by what can still be added: the coarsest partition that
 * respects occupied units and every further addition, by refinement until nothing splits.
 */
final class OccupancyTable {
    char[] occupancyOf;
    int[] maskOf = {};
    char[] step = {};
    long[] addable = {};

    private final LayoutTable table;

    private OccupancyTable(LayoutTable table) {
        this.table = table;
        this.occupancyOf = new char[table.bits.length];
    }

    static OccupancyTable of(LayoutTable table) {
        OccupancyTable classes = new OccupancyTable(table);
        int count = classes.partition(true);
        for (int before = 0; before != count; ) {
            before = count;
            count = classes.partition(false);
        }
        classes.describe(count);
        return classes;
    }

    /** Numbers classes by first layout; returns how many there are. */
    private int partition(boolean first) {
        Map<List<Integer>, Integer> known = new HashMap<>();
        char[] next = new char[occupancyOf.length];
        for (int layout = 0; layout < next.length; layout++) {
            List<Integer> key = new ArrayList<>(table.placements + 1);
            key.add(first ? mask(layout) : occupancyOf[layout]);
            for (int k = 0; k < table.placements; k++) {
                int after = added(layout, k);
                key.add(after < 0 ? -1 : first ? 0 : occupancyOf[after]);
            }
            Integer number = known.putIfAbsent(key, known.size());
            next[layout] = (char) (number == null ? known.size() - 1 : number);
        }
        occupancyOf = next;
        return known.size();
    }

    private void describe(int count) {
        maskOf = new int[count];
        addable = new long[count];
        step = new char[count * table.placements];
        Arrays.fill(step, (char) Geometry.ILLEGAL);
        for (int layout = 0; layout < occupancyOf.length; layout++) {
            int occupancy = occupancyOf[layout];
            maskOf[occupancy] = mask(layout);
            for (int k = 0; k < table.placements; k++) {
                int after = added(layout, k);
                if (after >= 0) {
                    step[occupancy * table.placements + k] = occupancyOf[after];
                    addable[occupancy] |= 1L << k;
                }
            }
        }
    }

    private int mask(int layout) {
        int mask = 0;
        for (long rest = table.bits[layout]; rest != 0; rest &= rest - 1) {
            mask |= table.windowOf[Long.numberOfTrailingZeros(rest)];
        }
        return mask;
    }

    private int added(int layout, int placement) {
        int after = table.step[layout * table.placements + placement];
        return (table.bits[layout] >>> placement & 1) != 0 || after == Geometry.ILLEGAL ? -1 : after;
    }
}
