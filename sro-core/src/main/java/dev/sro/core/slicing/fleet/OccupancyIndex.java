package dev.sro.core.slicing.fleet;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which devices are in which occupancy, and the lowest of them, in time that does not depend on their number.
 *
 * <p>Devices are taken in blocks of 16, whose occupancies lie in four {@code long}s, one cache line half. Per occupancy a
 * three-level bit set says which blocks hold such a device; inside a block the device is found by comparing four occupancies at
 * a time. Beside 2 bytes per device this costs one bit per block and occupancy in use.
 */
final class OccupancyIndex {
    /** The occupancy of a device that is in no set. */
    static final int ABSENT = 0xFFFF;

    private static final long LANES = 0x0001_0001_0001_0001L;
    private static final long TOPS = 0x8000_8000_8000_8000L;

    private final long[] packed;
    private final long[] @Nullable [] sets;
    private final int tops;
    private final int middles;
    private final int bottoms;

    OccupancyIndex(int devices, int occupancies) {
        int blocks = Math.max(1, (devices + 15) >>> 4);
        packed = new long[blocks << 2];
        Arrays.fill(packed, -1L);
        bottoms = (blocks + 63) >>> 6;
        middles = (bottoms + 63) >>> 6;
        tops = (middles + 63) >>> 6;
        sets = new long[occupancies][];
    }

    private OccupancyIndex(OccupancyIndex other) {
        packed = other.packed.clone();
        sets = other.sets.clone();
        for (int i = 0; i < sets.length; i++) {
            long[] set = sets[i];
            if (set != null) {
                sets[i] = set.clone();
            }
        }
        tops = other.tops;
        middles = other.middles;
        bottoms = other.bottoms;
    }

    OccupancyIndex copy() {
        return new OccupancyIndex(this);
    }

    /** The occupancy of a device, or {@link #ABSENT}. */
    int get(int device) {
        return (int) (packed[device >>> 2] >>> ((device & 3) << 4)) & 0xFFFF;
    }

    private void put(int device, int occupancy) {
        int shift = (device & 3) << 4;
        packed[device >>> 2] = (packed[device >>> 2] & ~(0xFFFFL << shift)) | (long) occupancy << shift;
    }

    /** Moves a device; answers which of the two sets became empty ({@code 1}) or filled ({@code 2}), as bits. */
    int move(int device, int from, int to) {
        put(device, to);
        int block = device >>> 4;
        return (from == ABSENT ? 0 : leave(from, block)) | (to == ABSENT ? 0 : enter(to, block));
    }

    private int leave(int occupancy, int block) {
        if (inBlock(block, occupancy)) {
            return 0;
        }
        long[] set = set(occupancy);
        int bottom = block >>> 6;
        if ((set[tops + middles + bottom] &= ~(1L << block)) != 0) {
            return 0;
        }
        int middle = bottom >>> 6;
        if ((set[tops + middle] &= ~(1L << bottom)) != 0) {
            return 0;
        }
        int top = middle >>> 6;
        if ((set[top] &= ~(1L << middle)) != 0) {
            return 0;
        }
        return empty(set) ? 1 : 0;
    }

    private boolean empty(long[] set) {
        for (int i = 0; i < tops; i++) {
            if (set[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private int enter(int occupancy, int block) {
        long[] set = set(occupancy);
        int bottom = block >>> 6;
        int at = tops + middles + bottom;
        long before = set[at];
        set[at] = before | 1L << block;
        if (before != 0) {
            return 0;
        }
        int middle = bottom >>> 6;
        int filled = tops > 1 ? (empty(set) ? 2 : 0) : (set[0] == 0 ? 2 : 0);
        set[tops + middle] |= 1L << bottom;
        set[middle >>> 6] |= 1L << middle;
        return filled;
    }

    private long[] set(int occupancy) {
        long[] set = sets[occupancy];
        if (set == null) {
            set = new long[tops + middles + bottoms];
            sets[occupancy] = set;
        }
        return set;
    }

    private boolean inBlock(int block, int occupancy) {
        long wanted = occupancy * LANES;
        int at = block << 2;
        long a = packed[at] ^ wanted;
        long b = packed[at + 1] ^ wanted;
        long c = packed[at + 2] ^ wanted;
        long d = packed[at + 3] ^ wanted;
        return ((((a - LANES) & ~a) | ((b - LANES) & ~b) | ((c - LANES) & ~c) | ((d - LANES) & ~d)) & TOPS) != 0;
    }

    /** The lowest device in an occupancy, which must not be empty. */
    int first(int occupancy) {
        long[] set = set(occupancy);
        int middle;
        if (tops == 1) {
            middle = Long.numberOfTrailingZeros(set[0]);
        } else {
            int top = 0;
            while (set[top] == 0) {
                top++;
            }
            middle = (top << 6) + Long.numberOfTrailingZeros(set[top]);
        }
        int bottom = (middle << 6) + Long.numberOfTrailingZeros(set[tops + middle]);
        int block = (bottom << 6) + Long.numberOfTrailingZeros(set[tops + middles + bottom]);
        return firstInBlock(block, occupancy, 0);
    }

    // The lowest lane with a zero is exact: a borrow can only spoil lanes above it.
    private int firstInBlock(int block, int occupancy, int fromWord) {
        long wanted = occupancy * LANES;
        for (int i = fromWord; i < 4; i++) {
            long x = packed[(block << 2) + i] ^ wanted;
            long zero = (x - LANES) & ~x & TOPS;
            if (zero != 0) {
                return (block << 4) + (i << 2) + (Long.numberOfTrailingZeros(zero) >>> 4);
            }
        }
        return -1;
    }

    /** The lowest device from {@code from} on in an occupancy, or -1. O(blocks / 64) at worst. */
    int next(int occupancy, int from) {
        long[] set = sets[occupancy];
        int block = from >>> 4;
        if (set == null || block << 2 >= packed.length) {
            return -1;
        }
        for (int device = from; device < (block + 1) << 4; device++) {
            if (get(device) == occupancy) {
                return device;
            }
        }
        block++;
        int word = block >>> 6;
        if (word >= bottoms) {
            return -1;
        }
        long bits = set[tops + middles + word] & -1L << block;
        while (bits == 0) {
            if (++word == bottoms) {
                return -1;
            }
            bits = set[tops + middles + word];
        }
        return firstInBlock((word << 6) + Long.numberOfTrailingZeros(bits), occupancy, 0);
    }

    /** Bytes held by arrays. */
    long bytes() {
        long bytes = 8L * packed.length + 4L * sets.length;
        for (long[] set : sets) {
            bytes += set == null ? 0 : 16 + 8L * set.length;
        }
        return bytes;
    }
}
