package dev.sro.core.slicing.fleet;

/** The devices in each occupancy, and the lowest of them, in time that does not depend on their number. Not thread-safe. */
abstract sealed class OccupancyIndex permits ScanIndex, FlatIndex, BlockIndex {
    /** The occupancy of a device that is in no set. */
    static final int ABSENT = 0xFFFF;

    /** More than any device number: the set is empty. */
    static final int NOBODY = Integer.MAX_VALUE;

    /** An index in which every device is absent. */
    static OccupancyIndex of(int devices, int occupancies) {
        if (devices <= ScanIndex.MOST) {
            return new ScanIndex(devices);
        }
        return devices <= FlatIndex.MOST ? new FlatIndex(devices, occupancies) : new BlockIndex(devices, occupancies);
    }

    /** An equal index that shares nothing with this one. */
    abstract OccupancyIndex copy();

    /** The occupancy of a device, or {@link #ABSENT}. */
    abstract int get(int device);

    /** Moves a device from its occupancy, or {@link #ABSENT}, to another one. */
    abstract void move(int device, int from, int to);

    /** Whether any device is in an occupancy. */
    abstract boolean occupied(int occupancy);

    /** The lowest device in an occupancy; {@link #NOBODY} if there is none. */
    abstract int first(int occupancy);

    /** The lowest device from {@code from} on in an occupancy, or -1. */
    abstract int next(int occupancy, int from);

    /** Bytes held by arrays. */
    abstract long bytes();
}
