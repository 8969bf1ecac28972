package dev.sro.core.slicing.fleet;

import java.util.Arrays;

/**
 * The index of small fleets: per occupancy one bit for each device, and one for each 64 of them, so that a device comes and goes by a bit
 * and the lowest is looked up when it is asked for. A bit per device and occupancy is too much for large fleets.
 */
final class FlatIndex extends OccupancyIndex {
    /** Most devices: one word says which words of an occupancy are not empty. */
    static final int MOST = 64 * 64;

    private final int words;
    private final char[] occupancies;
    private final long[] bits;
    private final long[] filled;

    FlatIndex(int devices, int occupancies) {
        this.words = Math.max(1, (devices + 63) >>> 6);
        this.occupancies = new char[devices];
        Arrays.fill(this.occupancies, (char) ABSENT);
        this.bits = new long[occupancies * words];
        this.filled = new long[occupancies];
    }

    private FlatIndex(FlatIndex other) {
        words = other.words;
        occupancies = other.occupancies.clone();
        bits = other.bits.clone();
        filled = other.filled.clone();
    }

    @Override
    FlatIndex copy() {
        return new FlatIndex(this);
    }

    @Override
    int get(int device) {
        return occupancies[device];
    }

    @Override
    void move(int device, int from, int to) {
        occupancies[device] = (char) to;
        int word = device >>> 6;
        if (from != ABSENT) {
            int at = from * words + word;
            bits[at] &= ~(1L << device);
            // Without a branch: whether the word is empty now is a coin toss.
            long empty = bits[at];
            long full = (empty | -empty) >>> 63;
            filled[from] &= ~((1 - full) << word);
        }
        if (to != ABSENT) {
            bits[to * words + word] |= 1L << device;
            filled[to] |= 1L << word;
        }
    }

    @Override
    boolean occupied(int occupancy) {
        return filled[occupancy] != 0;
    }

    @Override
    int first(int occupancy) {
        long some = filled[occupancy];
        if (some == 0) {
            return NOBODY;
        }
        int word = Long.numberOfTrailingZeros(some);
        return (word << 6) + Long.numberOfTrailingZeros(bits[occupancy * words + word]);
    }

    @Override
    int next(int occupancy, int from) {
        int word = from >>> 6;
        if (word >= words) {
            return -1;
        }
        long here = bits[occupancy * words + word] & -1L << from;
        if (here != 0) {
            return (word << 6) + Long.numberOfTrailingZeros(here);
        }
        // Shifted in two steps, as a shift by 64 would be one by 0.
        long later = (filled[occupancy] >>> word) >>> 1;
        if (later == 0) {
            return -1;
        }
        word += 1 + Long.numberOfTrailingZeros(later);
        return (word << 6) + Long.numberOfTrailingZeros(bits[occupancy * words + word]);
    }

    @Override
    long bytes() {
        return 2L * occupancies.length + 8L * (bits.length + filled.length);
    }
}
