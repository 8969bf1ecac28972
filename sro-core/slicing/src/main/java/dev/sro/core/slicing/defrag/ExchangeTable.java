package dev.sro.core.slicing.defrag;

import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Multisets;
import dev.sro.core.slicing.policy.Policies;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Exchanges of what can leave a layout for what can come in its stead, worked out once per model.
 *
 * <p>An <em>exchange</em> of one device is a multiset that leaves and one that comes. Only the occupancy after the leaving decides what
 * can come, so the two halves are tabled apart.
 */
final class ExchangeTable {
    final Geometry geometry;
    final Multisets sets;
    /** Words of a bit set of occupancies. */
    final int words;
    /** {@code next[set][profile]}: the multiset with one instance more, or -1. */
    final int[][] next;
    /** {@code previous[set][profile]}: the multiset with one instance less, or -1. */
    final int[][] previous;
    /** Instances of each multiset. */
    final int[] size;
    /** Multisets of one instance, by profile. */
    final int[] single;
    /** Occupancies, as a bit set, to which a multiset can be added. */
    final long[][] fits;
    /**
     * Per layout, what can leave it: multiset in the high half, occupancy afterwards in the low half; sorted by number of
     * instances, without doubles.
     */
    final int[][] leaving;
    /** The multiset of each layout. */
    final int[] multisetOf;
    /** Per multiset, the layouts that it can leave: layout in the high half, occupancy afterwards in the low half. */
    private final int[][] left;
    /** For each pair of what leaves and what comes, the layouts on which it goes, as a bit set; worked out when asked for. */
    private final AtomicReferenceArray<long[]> exchanges;
    /** The worth of a device in an occupancy to requests to come. */
    final double[] worth;

    ExchangeTable(Geometry geometry, Multisets sets) {
        this.geometry = geometry;
        this.sets = sets;
        this.words = (geometry.occupancies() + 63) / 64;
        this.next = new int[sets.size()][geometry.profiles()];
        this.previous = new int[sets.size()][geometry.profiles()];
        this.size = new int[sets.size()];
        this.single = new int[geometry.profiles()];
        this.fits = new long[sets.size()][words];
        this.leaving = new int[geometry.layouts()][];
        this.multisetOf = new int[geometry.layouts()];
        this.worth = Policies.worth(geometry);
        link();
        for (int set = 0; set < sets.size(); set++) {
            fill(set);
        }
        for (int layout = 0; layout < leaving.length; layout++) {
            leaving[layout] = leaving(layout);
            multisetOf[layout] = multiset(geometry.placementsOf(layout));
        }
        left = left();
        exchanges = new AtomicReferenceArray<>(sets.size() * sets.size());
    }

    private int[][] left() {
        int[] counts = new int[sets.size()];
        for (int[] entries : leaving) {
            for (int entry : entries) {
                counts[entry >>> 16]++;
            }
        }
        int[][] found = new int[counts.length][];
        Arrays.setAll(found, set -> new int[counts[set]]);
        for (int layout = leaving.length - 1; layout >= 0; layout--) {
            for (int entry : leaving[layout]) {
                int set = entry >>> 16;
                found[set][--counts[set]] = layout << 16 | (entry & 0xFFFF);
            }
        }
        return found;
    }

    /** The layouts, as a bit set, that can let one multiset leave and then take the other. Not to be changed. */
    long[] layouts(int leaves, int comes) {
        int at = leaves * sets.size() + comes;
        long[] known = exchanges.get(at);
        if (known == null) {
            known = new long[(geometry.layouts() + 63) / 64];
            for (int entry : left[leaves]) {
                if (has(fits[comes], entry & 0xFFFF)) {
                    int layout = entry >>> 16;
                    known[layout >> 6] |= 1L << layout;
                }
            }
            exchanges.set(at, known);
        }
        return known;
    }

    private void link() {
        for (int set = 0; set < sets.size(); set++) {
            int[] vector = vector(set);
            size[set] = Arrays.stream(vector).sum();
            for (int p = 0; p < vector.length; p++) {
                vector[p]++;
                next[set][p] = sets.indexOf(vector);
                vector[p] -= 2;
                previous[set][p] = sets.indexOf(vector);
                vector[p]++;
            }
        }
        System.arraycopy(next[0], 0, single, 0, single.length);
    }

    int[] vector(int set) {
        int[] vector = new int[geometry.profiles()];
        Arrays.setAll(vector, p -> sets.count(set, p));
        return vector;
    }

    // Multisets are numbered by size, so the smaller one is there already.
    private void fill(int set) {
        int[] vector = vector(set);
        int profile = 0;
        while (profile < vector.length && vector[profile] == 0) {
            profile++;
        }
        int rest = 0;
        if (profile < vector.length) {
            vector[profile]--;
            rest = sets.indexOf(vector);
        }
        for (int occupancy = 0; occupancy < geometry.occupancies(); occupancy++) {
            boolean good = profile == vector.length;
            for (int k = good ? 0 : geometry.firstPlacement(profile);
                    !good && k < geometry.firstPlacement(profile + 1);
                    k++) {
                int after = geometry.add(occupancy, k);
                good = after != Geometry.ILLEGAL && has(fits[rest], after);
            }
            if (good) {
                fits[set][occupancy >> 6] |= 1L << occupancy;
            }
        }
    }

    private int[] leaving(int layout) {
        long all = geometry.placementsOf(layout);
        int[] found = new int[1 << Long.bitCount(all)];
        int count = 0;
        for (long out = all; ; out = (out - 1) & all) {
            int after = geometry.occupancyOf(geometry.layoutOf(all & ~out));
            found[count++] = multiset(out) << 16 | after;
            if (out == 0) {
                break;
            }
        }
        return Arrays.stream(found).sorted().distinct().toArray();
    }

    /** The multiset of a bit set of placements. */
    int multiset(long placements) {
        int set = 0;
        for (long rest = placements; rest != 0; rest &= rest - 1) {
            set = next[set][geometry.profileOf(Long.numberOfTrailingZeros(rest))];
        }
        return set;
    }

    static boolean has(long[] bits, int index) {
        return (bits[index >> 6] >>> index & 1) != 0;
    }

    static boolean meet(long[] one, long[] two) {
        for (int i = 0; i < one.length; i++) {
            if ((one[i] & two[i]) != 0) {
                return true;
            }
        }
        return false;
    }
}
