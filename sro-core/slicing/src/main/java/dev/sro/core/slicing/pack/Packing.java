package dev.sro.core.slicing.pack;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.List;

/**
 * Places of a multiset of instances on equal, empty devices: groups of devices with equal layouts, in the order of device numbers.
 * Its size does not depend on the number of devices. Immutable.
 *
 * @param geometry the tables that layouts refer to
 * @param groups devices that carry something; device numbers start at 0 and run through the groups
 * @param lowerBound a number of devices that no packing of the placed instances can go below
 * @param leftOver instances per profile that were asked for and have no place
 */
public record Packing(Geometry geometry, List<Group> groups, long lowerBound, List<Long> leftOver) {
    /**
     * Devices with equal contents.
     *
     * @param layout what each of them carries
     * @param devices how many; positive
     */
    public record Group(int layout, long devices) {}

    /** Copies the lists. */
    public Packing {
        groups = List.copyOf(groups);
        leftOver = List.copyOf(leftOver);
    }

    /** Number of devices in use. */
    public long devices() {
        return groups.stream().mapToLong(Group::devices).sum();
    }

    /** The number of devices in use above the lower bound; 0 proves that the packing is optimal. */
    public long gap() {
        return devices() - lowerBound;
    }

    /** Whether everything that was asked for has a place. */
    public boolean complete() {
        return leftOver.stream().allMatch(count -> count == 0);
    }

    /** Placed instances per profile. */
    public long[] placed() {
        long[] counts = new long[geometry.profiles()];
        for (Group group : groups) {
            int[] each = Multisets.countsOf(geometry, group.layout());
            for (int p = 0; p < counts.length; p++) {
                counts[p] += each[p] * group.devices();
            }
        }
        return counts;
    }

    /**
     * The layout of a device, 0 for one beyond those in use. O(groups).
     *
     * @throws IllegalArgumentException if {@code device} is negative
     */
    public int layoutOf(long device) {
        if (device < 0) {
            throw new IllegalArgumentException("device " + device + " is negative");
        }
        long end = 0;
        for (Group group : groups) {
            end += group.devices();
            if (device < end) {
                return group.layout();
            }
        }
        return 0;
    }
}
