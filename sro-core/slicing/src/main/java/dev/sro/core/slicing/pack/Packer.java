package dev.sro.core.slicing.pack;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Packs counts per profile on the fewest devices of one model. Where {@link Feasibility#exact()} the result is optimal
 * and says so by a gap of 0; for other models the gap is what could not be proved. Time and memory do not depend on the number of
 * devices. Immutable and thread-safe.
 */
public final class Packer {
    private final Feasibility feasibility;
    private final Geometry geometry;

    private Packer(Feasibility feasibility) {
        this.feasibility = feasibility;
        this.geometry = feasibility.geometry();
    }

    /** A packer for the model of a certificate. */
    public static Packer of(Feasibility feasibility) {
        return new Packer(feasibility);
    }

    /**
     * The packing with the fewest devices.
     *
     * @param counts instances per profile, below 2<sup>40</sup> each
     * @throws IllegalArgumentException if a count is negative or there is not one per profile
     */
    public Packing pack(long... counts) {
        check(counts);
        List<Packing.Group> groups = new ArrayList<>();
        long bound = 0;
        for (ProfileBlock block : feasibility.blocks()) {
            DevicePeeling peeling = new DevicePeeling(feasibility.multisets(), block, counts);
            peeling.run();
            groups.addAll(peeling.groups());
            bound += peeling.lowerBound();
        }
        return new Packing(geometry, groups, bound, zeros());
    }

    /**
     * A packing on at most {@code devices} devices. If not all fits, as many instances as possible of the widest profile
     * stay, then of the next one; profiles of equal width in the model's order.
     *
     * @throws IllegalArgumentException as {@link #pack}, or if {@code devices} is negative
     */
    public Packing packInto(long devices, long... counts) {
        check(counts);
        if (devices < 0) {
            throw new IllegalArgumentException("number of devices " + devices + " is negative");
        }
        Packing packing = pack(feasibility.feasible(counts, devices) ? counts : largest(devices, counts));
        List<Packing.Group> groups = new ArrayList<>(packing.groups());
        // Only where the inequalities do not suffice: what needs further devices is left over, the emptiest first.
        groups.sort(Comparator.comparingInt(group -> -units(group.layout())));
        long used = 0;
        List<Packing.Group> kept = new ArrayList<>();
        for (Packing.Group group : packing.devices() > devices ? groups : packing.groups()) {
            long take = Math.min(group.devices(), devices - used);
            used += take;
            if (take > 0) {
                kept.add(new Packing.Group(group.layout(), take));
            }
        }
        Packing result = new Packing(geometry, kept, Math.min(packing.lowerBound(), used), zeros());
        long[] placed = result.placed();
        return new Packing(
                geometry,
                kept,
                feasibility.minDevices(placed) == used ? used : result.lowerBound(),
                IntStream.range(0, counts.length)
                        .mapToObj(p -> counts[p] - placed[p])
                        .toList());
    }

    private int units(int layout) {
        return geometry.units() - geometry.freeUnits(geometry.occupancyOf(layout));
    }

    private long[] largest(long devices, long[] counts) {
        long[] kept = new long[counts.length];
        int[] order = IntStream.range(0, counts.length)
                .boxed()
                .sorted(Comparator.comparingInt(p -> -geometry.sizeOf(p)))
                .mapToInt(Integer::intValue)
                .toArray();
        for (int p : order) {
            long low = 0;
            long high = counts[p];
            while (low < high) {
                kept[p] = low + (high - low + 1) / 2;
                boolean fits = feasibility.feasible(kept, devices);
                low = fits ? kept[p] : low;
                high = fits ? high : kept[p] - 1;
            }
            kept[p] = low;
        }
        return kept;
    }

    private List<Long> zeros() {
        return Arrays.stream(new long[geometry.profiles()]).boxed().toList();
    }

    private void check(long[] counts) {
        if (counts.length != geometry.profiles()) {
            throw new IllegalArgumentException(counts.length + " counts for the " + geometry.profiles()
                    + " profiles of " + geometry.model().key());
        }
        for (int p = 0; p < counts.length; p++) {
            if (counts[p] < 0) {
                throw new IllegalArgumentException(
                        "count of " + geometry.profile(p).name() + " is negative");
            }
        }
    }
}
