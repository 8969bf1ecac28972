package dev.sro.core.slicing.defrag;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What can leave the devices of a fleet at which cost, indexed: per kind of leaving (a multiset and its cost) the occupancies
 * that it makes and the classes of devices on which it does.
 */
final class Candidates {
    final ExchangeTable table;
    final DeviceClasses classes;
    /** Kinds, sorted by cost and then by multiset when all are loaded; kind 0 is "nothing leaves". */
    int kinds;

    int[] set = new int[64];
    long[] cost = new long[64];
    long[][] occupancies = new long[64][];
    /** Devices that make an occupancy, per kind: a class counts once per occupancy. */
    int[][] devices = new int[64][];

    private int[][] heads = new int[64][];
    private int[] nextPosting = new int[1024];
    private int[] postedClass = new int[1024];
    private int postings = 1;
    private final Map<Long, Integer> index = new HashMap<>();
    private int level = -1;

    Candidates(ExchangeTable table, DeviceClasses classes) {
        this.table = table;
        this.classes = classes;
    }

    /** Loads what has up to this many instances leaving. */
    void load(int instances) {
        while (level < instances) {
            level++;
            for (int c = 0; c < classes.size; c++) {
                if (classes.costs[c].length == 0) {
                    loadPlain(c);
                } else {
                    loadWeighted(c);
                }
            }
        }
    }

    private void loadPlain(int c) {
        for (int entry : table.leaving[classes.layout[c]]) {
            int leaves = entry >>> 16;
            if (table.size[leaves] > level) {
                return;
            }
            if (table.size[leaves] == level) {
                post(leaves, level, entry & 0xFFFF, c);
            }
        }
    }

    private void loadWeighted(int c) {
        long all = table.geometry.placementsOf(classes.layout[c]);
        for (long out = all; ; out = (out - 1) & all) {
            if (Long.bitCount(out) == level) {
                long price = classes.cost(c, out);
                if (price != Disruption.PINNED) {
                    int after = table.geometry.occupancyOf(table.geometry.layoutOf(all & ~out));
                    post(table.multiset(out), price, after, c);
                }
            }
            if (out == 0) {
                return;
            }
        }
    }

    private void post(int leaves, long price, int occupancy, int c) {
        int kind = kind(leaves, price);
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
        occupancies[kinds] = new long[table.words];
        devices[kinds] = new int[table.geometry.occupancies()];
        heads[kinds] = new int[table.geometry.occupancies()];
        index.put(price << 16 | leaves, kinds);
        return kinds++;
    }

    /** Whether some device can let this kind leave and take these instances. */
    boolean possible(int kind, int comes) {
        return ExchangeTable.meet(occupancies[kind], table.fits[comes]);
    }

    /** At least this many devices can; the true number may be higher. Stops counting at {@code enough}. */
    int atLeast(int kind, int comes, int enough) {
        int most = 0;
        for (int w = 0; w < table.words; w++) {
            for (long rest = occupancies[kind][w] & table.fits[comes][w]; rest != 0; rest &= rest - 1) {
                most = Math.max(most, devices[kind][w << 6 | Long.numberOfTrailingZeros(rest)]);
                if (most >= enough) {
                    return most;
                }
            }
        }
        return most;
    }

    /** The classes of which a device can, each once, by first device. */
    int[] classes(int kind, int comes) {
        int[] found = new int[16];
        int count = 0;
        for (int w = 0; w < table.words; w++) {
            for (long rest = occupancies[kind][w] & table.fits[comes][w]; rest != 0; rest &= rest - 1) {
                int at = heads[kind][w << 6 | Long.numberOfTrailingZeros(rest)];
                for (; at != 0; at = nextPosting[at]) {
                    if (count == found.length) {
                        found = Arrays.copyOf(found, 2 * count);
                    }
                    found[count++] = postedClass[at];
                }
            }
        }
        return Arrays.stream(found, 0, count)
                .distinct()
                .boxed()
                .sorted((one, two) -> Integer.compare(classes.first(one), classes.first(two)))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
