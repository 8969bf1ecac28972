package dev.sro.core.slicing.fleet;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The index of large fleets: little memory per device.
 *
 * <p>Devices are taken in blocks of 16, whose occupancies lie in four {@code long}s, one cache line half. Per occupancy a
 * three-level bit set says which blocks hold such a device; inside a block the device is found by comparing four occupancies at
 * a time. Beside 2 bytes per device this costs one bit per block and occupancy in use.
 */
final class BlockIndex extends OccupancyIndex {
    private static final long LANES = 0x0001_0001_0001_0001L;
    private static final long TOPS = 0x8000_8000_8000_8000L;

    private final long[] packed;
    private final long[] @Nullable [] sets;
    /** The lowest device of each occupancy. */
    private final int[] lowest;

    private final int tops;
    private final int middles;
    private final int bottoms;

    BlockIndex(int devices, int occupancies) {
        int blocks = Math.max(1, (devices + 15) >>> 4);
        packed = new long[blocks << 2];
        Arrays.fill(packed, -1L);
        bottoms = (blocks + 63) >>> 6;
        middles = (bottoms + 63) >>> 6;
        tops = (middles + 63) >>> 6;
        sets = new long[occupancies][];
        lowest = new int[occupancies];
        Arrays.fill(lowest, NOBODY);
    }

    private BlockIndex(BlockIndex other) {
        packed = other.packed.clone();
        lowest = other.lowest.clone();
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

    @Override
    BlockIndex copy() {
        return new BlockIndex(this);
    }

    @Override
    int get(int device) {
        return (int) (packed[device >>> 2] >>> ((device & 3) << 4)) & 0xFFFF;
    }

    private void put(int device, int occupancy) {
        int shift = (device & 3) << 4;
        packed[device >>> 2] = (packed[device >>> 2] & ~(0xFFFFL << shift)) | (long) occupancy << shift;
    }

    @Override
    void move(int device, int from, int to) {
        put(device, to);
        if (from != ABSENT) {
            leave(from, device);
        }
        if (to != ABSENT) {
            enter(to, device);
        }
    }

    private void leave(int occupancy, int device) {
        int block = device >>> 4;
        if (lowest[occupancy] != device) {
            // Somebody lower stays behind.
            if (inBlock(block, occupancy) == 0) {
                clear(set(occupancy), block);
            }
            return;
        }
        int here = inBlock(block, occupancy);
        int next = (block << 4) + Integer.numberOfTrailingZeros(here);
        if (here == 0) {
            long[] set = set(occupancy);
            clear(set, block);
            next = first(set, occupancy);
        }
        lowest[occupancy] = next;
    }

    private void clear(long[] set, int block) {
        int bottom = block >>> 6;
        if ((set[tops + middles + bottom] &= ~(1L << block)) == 0) {
            int middle = bottom >>> 6;
            if ((set[tops + middle] &= ~(1L << bottom)) == 0) {
                set[middle >>> 6] &= ~(1L << middle);
            }
        }
    }

    private void enter(int occupancy, int device) {
        long[] set = set(occupancy);
        int block = device >>> 4;
        int bottom = block >>> 6;
        int at = tops + middles + bottom;
        long before = set[at];
        set[at] = before | 1L << block;
        if (before == 0) {
            int middle = bottom >>> 6;
            set[tops + middle] |= 1L << bottom;
            set[middle >>> 6] |= 1L << middle;
        }
        lowest[occupancy] = Math.min(lowest[occupancy], device);
    }

    private long[] set(int occupancy) {
        long[] set = sets[occupancy];
        if (set == null) {
            set = new long[tops + middles + bottoms];
            sets[occupancy] = set;
        }
        return set;
    }

    /**
     * The devices of a block in an occupancy, a bit each. Without branches, since which way they would go is a coin toss. Only the lowest bit
     * and whether there is one can be trusted: a borrow spoils lanes above a zero.
     */
    private int inBlock(int block, int occupancy) {
        long wanted = occupancy * LANES;
        int at = block << 2;
        return zeroLanes(packed[at] ^ wanted)
                | (zeroLanes(packed[at + 1] ^ wanted) << 4)
                | (zeroLanes(packed[at + 2] ^ wanted) << 8)
                | (zeroLanes(packed[at + 3] ^ wanted) << 12);
    }

    // The tops of lanes that are zero, brought together in the four highest bits by one multiplication.
    private static int zeroLanes(long x) {
        long zeros = ((x - LANES) & ~x & TOPS) >>> 15;
        return (int) ((zeros * 0x0001_0002_0004_0008L) >>> 48) & 0xF;
    }

    @Override
    boolean occupied(int occupancy) {
        return lowest[occupancy] != NOBODY;
    }

    @Override
    int first(int occupancy) {
        return lowest[occupancy];
    }

    private int first(long[] set, int occupancy) {
        int top = 0;
        while (set[top] == 0) {
            if (++top == tops) {
                return NOBODY;
            }
        }
        int middle = (top << 6) + Long.numberOfTrailingZeros(set[top]);
        int bottom = (middle << 6) + Long.numberOfTrailingZeros(set[tops + middle]);
        int block = (bottom << 6) + Long.numberOfTrailingZeros(set[tops + middles + bottom]);
        return firstInBlock(block, occupancy);
    }

    private int firstInBlock(int block, int occupancy) {
        return (block << 4) + Integer.numberOfTrailingZeros(inBlock(block, occupancy));
    }

    // O(blocks / 64) at worst.
    @Override
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
        return firstInBlock((word << 6) + Long.numberOfTrailingZeros(bits), occupancy);
    }

    @Override
    long bytes() {
        long bytes = 8L * packed.length + 8L * sets.length;
        for (long[] set : sets) {
            bytes += set == null ? 0 : 16 + 8L * set.length;
        }
        return bytes;
    }
}
