package dev.sro.core.slicing.defrag;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Instances that can leave the devices of a fleet, with their costs: kinds of leaving, each a multiset and its cost. Devices without costs
 * of their own are looked up in the tables of the model by layout; of the others each class is posted under the occupancies
 * that it makes.
 */
final class LeavingCandidates {
    private static final long[] NONE = {};

    final ExchangeTable table;
    final DeviceClasses classes;
    /** Kinds, by number of instances; kind 0 is "nothing leaves". */
    int kinds;

    int[] set = new int[64];
    long[] cost = new long[64];

    /** Occupancies that posted classes make, per kind; empty for a kind without any. */
    private long[][] occupancies = new long[64][];
    /** Devices that make an occupancy, per kind: a class counts once per occupancy. */
    private int[][] devices = new int[64][];

    private int[][] heads = new int[64][];
    private int[] nextPosting = {0, 0};
    private int[] postedClass = {0, 0};
    private int postings = 1;
    private final Map<Long, Integer> index = new HashMap<>();
    private int level = -1;
    private int nextSet;

    LeavingCandidates(ExchangeTable table, DeviceClasses classes) {
        this.table = table;
        this.classes = classes;
    }

    /** Loads what has up to this many instances leaving. */
    void load(int instances) {
        while (level < instances) {
            level++;
            // Multisets are numbered by size, and those of the model's first profiles come last.
            int from = nextSet;
            while (nextSet < table.sets.size() && table.size[nextSet] == level) {
                nextSet++;
            }
            for (int leaves = nextSet - 1; leaves >= from; leaves--) {
                if (ExchangeTable.meet(classes.plainLayouts, table.layouts(leaves, 0))) {
                    kind(leaves, level);
                }
            }
            for (int c = 0; c < classes.size; c++) {
                if (classes.costs[c].length > 0) {
                    post(c);
                }
            }
        }
    }

    private void post(int c) {
        long all = table.geometry.placementsOf(classes.layout[c]);
        for (long out = all; ; out = (out - 1) & all) {
            if (Long.bitCount(out) == level) {
                long price = classes.cost(c, out);
                if (price != Disruption.PINNED) {
                    int after = table.geometry.occupancyOf(table.geometry.layoutOf(all & ~out));
                    post(kind(table.multiset(out), price), after, c);
                }
            }
            if (out == 0) {
                return;
            }
        }
    }

    private void post(int kind, int occupancy, int c) {
        if (occupancies[kind].length == 0) {
            occupancies[kind] = new long[table.words];
            devices[kind] = new int[table.geometry.occupancies()];
            heads[kind] = new int[table.geometry.occupancies()];
        }
        int head = heads[kind][occupancy];
        // Classes come in ascending order, so a double is the latest posting.
        if (head != 0 && postedClass[head] == c) {
            return;
        }
        if (postings == postedClass.length) {
            postedClass = Arrays.copyOf(postedClass, 2 * postings);
            nextPosting = Arrays.copyOf(nextPosting, 2 * postings);
        }
        postedClass[postings] = c;
        nextPosting[postings] = head;
        heads[kind][occupancy] = postings++;
        devices[kind][occupancy] += classes.count[c];
        occupancies[kind][occupancy >> 6] |= 1L << occupancy;
    }

    private int kind(int leaves, long price) {
        Integer known = index.get(price << 16 | leaves);
        if (known != null) {
            return known;
        }
        if (kinds == set.length) {
            set = Arrays.copyOf(set, 2 * kinds);
            cost = Arrays.copyOf(cost, 2 * kinds);
            occupancies = Arrays.copyOf(occupancies, 2 * kinds);
            devices = Arrays.copyOf(devices, 2 * kinds);
            heads = Arrays.copyOf(heads, 2 * kinds);
        }
        set[kinds] = leaves;
        cost[kinds] = price;
        occupancies[kinds] = NONE;
        index.put(price << 16 | leaves, kinds);
        return kinds++;
    }

    private boolean plain(int kind) {
        return cost[kind] == table.size[set[kind]];
    }

    /** Whether some device can let this kind leave and take these instances. */
    boolean possible(int kind, int comes) {
        return (plain(kind) && ExchangeTable.meet(classes.plainLayouts, table.layouts(set[kind], comes)))
                || ExchangeTable.meet(occupancies[kind], table.fits[comes]);
    }

    /** At least this many devices can; the true number may be higher. Stops counting at {@code enough}. */
    int atLeast(int kind, int comes, int enough) {
        int sum = 0;
        if (plain(kind)) {
            long[] able = table.layouts(set[kind], comes);
            for (int w = 0; w < able.length; w++) {
                for (long rest = able[w] & classes.plainLayouts[w]; rest != 0; rest &= rest - 1) {
                    sum += classes.count[classes.plainClass[w << 6 | Long.numberOfTrailingZeros(rest)]];
                    if (sum >= enough) {
                        return sum;
                    }
                }
            }
        }
        int most = 0;
        for (int w = 0; w < occupancies[kind].length; w++) {
            for (long rest = occupancies[kind][w] & table.fits[comes][w]; rest != 0; rest &= rest - 1) {
                most = Math.max(most, devices[kind][w << 6 | Long.numberOfTrailingZeros(rest)]);
            }
        }
        return sum + most;
    }

    /** The classes of which a device can, each once, in a fixed order. */
    int[] classes(int kind, int comes) {
        int[] found = new int[16];
        int count = 0;
        if (plain(kind)) {
            long[] able = table.layouts(set[kind], comes);
            for (int w = 0; w < able.length; w++) {
                for (long rest = able[w] & classes.plainLayouts[w]; rest != 0; rest &= rest - 1) {
                    found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
                    found[count++] = classes.plainClass[w << 6 | Long.numberOfTrailingZeros(rest)];
                }
            }
        }
        if (occupancies[kind].length == 0) {
            return Arrays.copyOf(found, count);
        }
        for (int w = 0; w < table.words; w++) {
            for (long rest = occupancies[kind][w] & table.fits[comes][w]; rest != 0; rest &= rest - 1) {
                int at = heads[kind][w << 6 | Long.numberOfTrailingZeros(rest)];
                for (; at != 0; at = nextPosting[at]) {
                    found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
                    found[count++] = postedClass[at];
                }
            }
        }
        return Arrays.stream(found, 0, count).sorted().distinct().toArray();
    }
}
