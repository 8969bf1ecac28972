package dev.sro.core.slicing.defrag;

import dev.sro.core.slicing.fleet.FleetView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The usable devices of a fleet in classes that a plan need not tell apart: equal layout and equal costs. Devices of which
 * nothing is said in the costs are counted, never listed.
 */
final class DeviceClasses {
    private static final long[] NO_COSTS = {};
    private static final int[] NO_MEMBERS = {};

    final FleetView view;
    final int size;
    final int[] layout;
    final int[] count;
    /** Cost by placement; empty where every instance costs 1. */
    final long[][] costs;

    /** Layouts, as a bit set, of the devices of which nothing is said in the costs. */
    final long[] plainLayouts;
    /** The class of those devices, by layout. */
    final int[] plainClass;

    /** The devices of a class with costs of its own; empty for the others. */
    private final int[][] members;

    private final Map<Integer, Map<Integer, Long>> special;
    private final int[] first;

    DeviceClasses(FleetView view, Disruption disruption, boolean withEmpty) {
        this.view = view;
        this.special = disruption.costs();
        Map<List<Object>, List<Integer>> groups = new LinkedHashMap<>();
        int[] taken = new int[view.geometry().layouts()];
        special.forEach((device, map) -> {
            if (device >= 0 && device < view.devices() && !view.cordoned(device)) {
                int at = view.layoutOf(device);
                taken[at]++;
                groups.computeIfAbsent(List.of(at, relevant(view, at, map)), key -> new ArrayList<>())
                        .add(device);
            }
        });
        int[] usual = new int[taken.length];
        int classes = groups.size();
        for (int l = withEmpty ? 0 : 1; l < taken.length; l++) {
            usual[l] = view.count(l) - taken[l];
            classes += usual[l] > 0 ? 1 : 0;
        }
        this.layout = new int[classes];
        this.count = new int[classes];
        this.costs = new long[classes][];
        this.members = new int[classes][];
        Arrays.fill(costs, NO_COSTS);
        Arrays.fill(members, NO_MEMBERS);
        this.first = new int[classes];
        Arrays.fill(first, -2);
        this.plainLayouts = new long[(taken.length + 63) / 64];
        this.plainClass = new int[taken.length];
        int at = 0;
        for (int l = 0; l < taken.length; l++) {
            if (usual[l] > 0) {
                layout[at] = l;
                count[at] = usual[l];
                plainLayouts[l >> 6] |= 1L << l;
                plainClass[l] = at++;
            }
        }
        for (List<Integer> devices : groups.values()) {
            int l = view.layoutOf(devices.get(0));
            if (l != 0 || withEmpty) {
                layout[at] = l;
                count[at] = devices.size();
                members[at] = devices.stream().mapToInt(Integer::intValue).toArray();
                costs[at++] = vector(devices.get(0));
            }
        }
        this.size = at;
    }

    private static Map<Integer, Long> relevant(FleetView view, int layout, Map<Integer, Long> map) {
        Map<Integer, Long> held = new LinkedHashMap<>(map);
        held.keySet().removeIf(placement -> !view.geometry().holds(layout, placement));
        return held;
    }

    private long[] vector(int device) {
        long[] vector = new long[view.geometry().placements()];
        Arrays.fill(vector, 1);
        special.getOrDefault(device, Map.of()).forEach((placement, cost) -> vector[placement] = cost);
        return vector;
    }

    /** Whether every instance costs 1. */
    boolean plain() {
        return special.isEmpty();
    }

    /** What it costs to take the placements of a bit set off a device of a class; PINNED if it can not be done. */
    long cost(int index, long placements) {
        long[] vector = costs[index];
        if (vector.length == 0) {
            return Long.bitCount(placements);
        }
        long sum = 0;
        for (long rest = placements; rest != 0; rest &= rest - 1) {
            long one = vector[Long.numberOfTrailingZeros(rest)];
            if (one == Disruption.PINNED) {
                return Disruption.PINNED;
            }
            sum += one;
        }
        return sum;
    }

    /** What it costs to move one instance. */
    long costOf(int device, int placement) {
        return special.getOrDefault(device, Map.of()).getOrDefault(placement, 1L);
    }

    /** The first device of a class. */
    int first(int index) {
        if (first[index] == -2) {
            first[index] = next(index, 0);
        }
        return first[index];
    }

    /** The first device of a class from {@code from} on, or -1. */
    int next(int index, int from) {
        int[] listed = members[index];
        if (listed.length > 0) {
            for (int device : listed) {
                if (device >= from) {
                    return device;
                }
            }
            return -1;
        }
        int device = view.next(layout[index], from);
        while (device >= 0 && special.containsKey(device)) {
            device = view.next(layout[index], device + 1);
        }
        return device;
    }
}
