package dev.sro.core.slicing.render;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The view of one device, or of several devices that look the same, for a picture. Immutable.
 *
 * @param name of the device, or how many there are
 * @param copies how many devices look like this; 1 for a device with a name
 * @param geometry of its model
 * @param node that carries it; empty for none
 * @param cordoned whether it takes nothing new
 * @param instances by start
 */
public record DeviceView(
        String name, long copies, Geometry geometry, String node, boolean cordoned, List<Instance> instances) {
    /**
     * One instance on a device.
     *
     * @param placement in the device's geometry
     * @param label whose it is; empty to show the profile alone
     * @param foreign whether it is not ours, so that it is never moved
     */
    public record Instance(int placement, String label, boolean foreign) {}

    /** Sorts the instances by start. */
    public DeviceView {
        instances = instances.stream()
                .sorted(Comparator.comparingInt(instance -> geometry.startOf(instance.placement())))
                .toList();
    }

    /** A device that carries the instances of a layout, without names. */
    public static DeviceView ofLayout(String name, Geometry geometry, int layout) {
        return ofLayout(name, 1, geometry, layout);
    }

    /** So many devices that carry the instances of a layout each. */
    public static DeviceView ofLayout(long copies, Geometry geometry, int layout) {
        return ofLayout(copies + " x", copies, geometry, layout);
    }

    private static DeviceView ofLayout(String name, long copies, Geometry geometry, int layout) {
        List<Instance> instances = new ArrayList<>();
        for (long rest = geometry.placementsOf(layout); rest != 0; rest &= rest - 1) {
            instances.add(new Instance(Long.numberOfTrailingZeros(rest), "", false));
        }
        return new DeviceView(name, copies, geometry, "", false, instances);
    }

    /** Units taken. */
    int usedUnits() {
        return instances.stream()
                .mapToInt(instance -> Integer.bitCount(geometry.windowOf(instance.placement())))
                .sum();
    }

    /** Units that no profile of the model can have: something of unknown geometry sits there. */
    int blockedUnits() {
        int reachable = 0;
        for (int placement = 0; placement < geometry.placements(); placement++) {
            reachable |= geometry.windowOf(placement);
        }
        return ~reachable & ((1 << geometry.units()) - 1);
    }

    /** Numbers of further slices that there is room for, one profile at a time; those without room are left out. */
    public Map<String, Integer> fits() {
        Map<String, Integer> fits = new LinkedHashMap<>();
        int layout = layout();
        if (cordoned || layout < 0) {
            return fits;
        }
        for (int profile = 0; profile < geometry.profiles(); profile++) {
            int more = more(geometry.occupancyOf(layout), profile, new int[geometry.occupancies()]);
            if (more > 0) {
                fits.put(geometry.profile(profile).name(), more);
            }
        }
        return fits;
    }

    private int layout() {
        long set = 0;
        for (Instance instance : instances) {
            set |= 1L << instance.placement();
        }
        return geometry.layoutOf(set);
    }

    // Most further instances from an occupancy on; known answers are kept as one more than they are.
    private int more(int occupancy, int profile, int[] known) {
        if (known[occupancy] == 0) {
            int most = 0;
            for (int placement = geometry.firstPlacement(profile);
                    placement < geometry.firstPlacement(profile + 1);
                    placement++) {
                int after = geometry.add(occupancy, placement);
                if (after != Geometry.ILLEGAL) {
                    most = Math.max(most, 1 + more(after, profile, known));
                }
            }
            known[occupancy] = most + 1;
        }
        return known[occupancy] - 1;
    }

    /** Common features of devices that look the same. */
    Object looks() {
        return List.of(
                geometry.model().key(),
                cordoned,
                instances.stream()
                        .map(instance -> List.of(instance.placement(), instance.foreign()))
                        .toList());
    }
}
