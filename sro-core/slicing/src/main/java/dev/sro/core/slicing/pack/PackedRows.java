package dev.sro.core.slicing.pack;

import org.jspecify.annotations.Nullable;

/**
 * The inequalities of a block, two in a {@code long}, so that one multiplication per profile serves both: for fleets where
 * no sum needs more than 31 bits, which is any below some ten million devices. Up to eight inequalities.
 */
final class PackedRows {
    static final int NO = 0;
    static final int YES = 1;
    /** The numbers are too large for this representation. */
    static final int UNKNOWN = -1;

    private static final int WORDS = 4;
    private static final long MOST = (1L << 31) - 1;
    /** The bit above each of the two numbers. */
    private static final long GUARD = 1L << 63 | 1L << 31;

    /** One array of coefficients by profile for each pair of inequalities. */
    private final long[] first;

    private final long[] second;
    private final long[] third;
    private final long[] fourth;
    private final long[] bounds = new long[WORDS];
    private final boolean narrow;
    private final long tooMany;
    private final long mostDevices;

    private PackedRows(long[][] rows, long[] right) {
        int profiles = rows[0].length;
        long[][] words = new long[WORDS][profiles];
        long largest = 1;
        long largestBound = 1;
        for (int f = 0; f < rows.length; f++) {
            int shift = 32 * (f & 1);
            for (int p = 0; p < profiles; p++) {
                words[f >> 1][p] |= rows[f][p] << shift;
                largest = Math.max(largest, rows[f][p]);
            }
            bounds[f >> 1] |= right[f] << shift;
            largestBound = Math.max(largestBound, right[f]);
        }
        first = words[0];
        second = words[1];
        third = words[2];
        fourth = words[3];
        narrow = rows.length <= WORDS;
        // With one instance more, sums stay below 2^31 as long as no count has one of these bits.
        tooMany = -Long.highestOneBit(Math.max(1, MOST / largest / Math.max(1, profiles)));
        mostDevices = MOST / largestBound;
    }

    /** Null if there are too many inequalities or their numbers are too large. */
    static @Nullable PackedRows of(long[][] rows, long[] bounds) {
        if (rows.length == 0 || rows.length > 2 * WORDS) {
            return null;
        }
        for (int f = 0; f < rows.length; f++) {
            for (long coefficient : rows[f]) {
                if (coefficient < 0 || coefficient > 1 << 20 || bounds[f] < 0 || bounds[f] > 1 << 20) {
                    return null;
                }
            }
        }
        return new PackedRows(rows, bounds);
    }

    /** Whether counts, with one more of profile {@code extra} unless that is below zero, are within the bounds. */
    int allows(long[] counts, int extra, long devices) {
        if (devices < 0 || devices > mostDevices) {
            return UNKNOWN;
        }
        return narrow ? narrow(counts, extra, devices) : wide(counts, extra, devices);
    }

    private int narrow(long[] counts, int extra, long devices) {
        long a = extra < 0 ? 0 : first[extra];
        long b = extra < 0 ? 0 : second[extra];
        long seen = 0;
        for (int p = 0; p < first.length; p++) {
            long n = counts[p];
            seen |= n;
            a += first[p] * n;
            b += second[p] * n;
        }
        if ((seen & tooMany) != 0) {
            return UNKNOWN;
        }
        return (slack(0, a, devices) & slack(1, b, devices) & GUARD) == GUARD ? YES : NO;
    }

    private int wide(long[] counts, int extra, long devices) {
        long a = extra < 0 ? 0 : first[extra];
        long b = extra < 0 ? 0 : second[extra];
        long c = extra < 0 ? 0 : third[extra];
        long d = extra < 0 ? 0 : fourth[extra];
        long seen = 0;
        for (int p = 0; p < first.length; p++) {
            long n = counts[p];
            seen |= n;
            a += first[p] * n;
            b += second[p] * n;
            c += third[p] * n;
            d += fourth[p] * n;
        }
        if ((seen & tooMany) != 0) {
            return UNKNOWN;
        }
        long all = slack(0, a, devices) & slack(1, b, devices) & slack(2, c, devices) & slack(3, d, devices);
        return (all & GUARD) == GUARD ? YES : NO;
    }

    // A guard bit survives the subtraction exactly if its number does not exceed the bound.
    private long slack(int word, long sums, long devices) {
        return (bounds[word] * devices | GUARD) - sums;
    }
}
