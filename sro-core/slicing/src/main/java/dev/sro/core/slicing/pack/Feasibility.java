package dev.sro.core.slicing.pack;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a number of devices can carry given counts per profile if everything may be moved: a certificate in time that
 * depends neither on the number of devices nor on that of instances.
 *
 * <p>Made of the facets of the polytope of what one device can carry, computed from the geometry. "Infeasible" is a
 * proof for every model. "Feasible" is one where {@link #exact()} is true, as it is for all MIG devices of which
 * placements are known; elsewhere it means that no contradiction was found.
 *
 * <p>Counts are indexed by profile, not negative, and below 2<sup>40</sup> each. Immutable and thread-safe; no method that
 * returns a number or a boolean allocates, except for the first call of {@link #exact()}.
 */
public final class Feasibility {
    private final Geometry geometry;
    private final Multisets multisets;
    private final List<ProfileBlock> blocks;
    private final List<List<Inequality>> inequalities;
    private final int profiles;
    /** Per block, its inequalities one after the other: a coefficient per profile. */
    private final long[][] coefficients;

    private final long[][] bounds;
    /** Of the only block; null if there are several or the inequalities do not go into this form. */
    private final @Nullable PackedRows packed;

    private Feasibility(Geometry geometry) {
        this.geometry = geometry;
        this.profiles = geometry.profiles();
        this.multisets = Multisets.of(geometry);
        this.blocks = ProfileBlock.of(multisets, profiles);
        this.coefficients = new long[blocks.size()][];
        this.bounds = new long[blocks.size()][];
        this.inequalities = new ArrayList<>();
        InequalityText wording = new InequalityText(geometry.model());
        for (int b = 0; b < coefficients.length; b++) {
            ProfileBlock block = blocks.get(b);
            bounds[b] = block.bounds;
            coefficients[b] = new long[block.bounds.length * profiles];
            List<Inequality> list = new ArrayList<>();
            for (int f = 0; f < block.bounds.length; f++) {
                long[] row = block.rows[f];
                System.arraycopy(row, 0, coefficients[b], f * profiles, profiles);
                list.add(new Inequality(
                        Arrays.stream(row).boxed().toList(), bounds[b][f], wording.of(row, bounds[b][f])));
            }
            inequalities.add(List.copyOf(list));
        }
        this.packed = blocks.size() > 1 ? null : PackedRows.of(blocks.get(0).rows, blocks.get(0).bounds);
    }

    /** Works out the inequalities of a geometry: milliseconds, once per model. */
    public static Feasibility of(Geometry geometry) {
        return new Feasibility(geometry);
    }

    /** The tables that this was made from. */
    public Geometry geometry() {
        return geometry;
    }

    /**
     * The inequalities, in a fixed order. There is one list for each set of profiles that never share a device with a
     * profile outside of the set; devices are divided between the lists. All MIG devices have one list.
     */
    public List<List<Inequality>> inequalities() {
        return List.copyOf(inequalities);
    }

    /**
     * Whether the inequalities are proved to be sufficient, so that "feasible" means that a packing exists. The proof is
     * tried by the first call, which takes some ten milliseconds; later ones look its result up.
     */
    public boolean exact() {
        return blocks.stream().allMatch(ProfileBlock::exact);
    }

    /** Whether the inequalities allow these counts on this number of devices. */
    public boolean feasible(long[] counts, long devices) {
        int quick = packed == null ? PackedRows.UNKNOWN : packed.allows(counts, -1, devices);
        return quick == PackedRows.UNKNOWN ? allows(counts, -1, devices) : quick == PackedRows.YES;
    }

    private boolean allows(long[] counts, int extra, long devices) {
        if (bounds.length > 1) {
            return needed(counts, extra) <= devices;
        }
        long[] all = coefficients[0];
        long[] limit = bounds[0];
        for (int f = 0, at = 0; f < limit.length; f++) {
            long sum = extra < 0 ? 0 : all[at + extra];
            for (int p = 0; p < profiles; p++) {
                sum += all[at++] * counts[p];
            }
            if (sum > limit[f] * devices) {
                return false;
            }
        }
        return true;
    }

    /** Same as {@link #feasible} of the counts with one instance of {@code profile} more; counts are not changed. */
    public boolean feasibleWithOneMore(long[] counts, int profile, long devices) {
        int quick = packed == null ? PackedRows.UNKNOWN : packed.allows(counts, profile, devices);
        return quick == PackedRows.UNKNOWN ? allows(counts, profile, devices) : quick == PackedRows.YES;
    }

    /** The fewest devices that the inequalities allow for these counts; where {@link #exact()}, that can carry them. */
    public long minDevices(long[] counts) {
        return needed(counts, -1);
    }

    private long needed(long[] counts, int extra) {
        long total = 0;
        for (int b = 0; b < bounds.length; b++) {
            long most = 0;
            for (int f = 0, at = 0; f < bounds[b].length; f++, at += profiles) {
                long sum = extra < 0 ? 0 : coefficients[b][at + extra];
                for (int p = 0; p < profiles; p++) {
                    sum += coefficients[b][at + p] * counts[p];
                }
                most = Math.max(most, (sum + bounds[b][f] - 1) / bounds[b][f]);
            }
            total += most;
        }
        return total;
    }

    /**
     * Why these counts can not be on this number of devices, for people: the inequality that is violated most, or for
     * profiles that do not share devices, the sum of what they need. Empty if they are feasible.
     */
    public Optional<String> explain(long[] counts, long devices) {
        if (feasible(counts, devices)) {
            return Optional.empty();
        }
        List<String> parts = new ArrayList<>();
        for (int b = 0; b < bounds.length; b++) {
            Inequality worst = worst(b, counts);
            long load = worst.load(counts);
            if (bounds.length == 1) {
                return Optional.of(
                        worst.meaning() + ": needs " + load + ", the fleet has " + worst.perDevice() * devices);
            }
            long need = (load + worst.perDevice() - 1) / worst.perDevice();
            if (need > 0) {
                parts.add(need + " devices (" + worst.meaning() + ", needs " + load + ")");
            }
        }
        return Optional.of("profiles that never share a device need " + String.join(" and ", parts) + ": "
                + minDevices(counts) + " together, the fleet has " + devices);
    }

    private Inequality worst(int block, long[] counts) {
        Inequality worst = inequalities.get(block).get(0);
        for (Inequality other : inequalities.get(block)) {
            // Cross-multiplied fractions: devices needed by the one and by the other.
            if (other.load(counts) * worst.perDevice() > worst.load(counts) * other.perDevice()) {
                worst = other;
            }
        }
        return worst;
    }

    /** What one device can carry. */
    public Multisets multisets() {
        return multisets;
    }

    List<ProfileBlock> blocks() {
        return blocks;
    }

    @Override
    public String toString() {
        return "Feasibility[" + geometry.model().key() + ", " + inequalities + (exact() ? "" : ", not exact") + "]";
    }
}
