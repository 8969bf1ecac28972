package dev.sro.core.slicing.geometry;

import dev.sro.core.slicing.catalogue.CatalogueException;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import java.util.List;

/**
 * Every state that one device of a model can be in, worked out in advance, with the steps between them.
 *
 * <p>A <em>placement</em> is a pair of profile and start, numbered in profile order and then by start. A <em>layout</em> is a
 * legal set of placements: what is on the device, exactly. Layout 0 is the empty device. An <em>occupancy</em> is a class of layouts that no
 * policy need tell apart: the same units are taken, and the same placements can be added, now and after any further
 * additions. Occupancy 0 is that of the empty device. Layouts and occupancies are numbered in a fixed order, so that
 * numbers are equal in every process for an equal model.
 *
 * <p>Immutable and thread-safe. All methods are look-ups in O(1) unless they say otherwise; arguments are not checked
 * beyond the bounds of the tables.
 */
public final class Geometry {
    /** The answer of a step that is not legal. */
    public static final int ILLEGAL = 0xFFFF;

    /** Most layouts that a model may have. */
    public static final int MAX_LAYOUTS = 0xFFFF;

    private final DeviceModel model;
    private final int placements;
    private final byte[] profileOf;
    private final byte[] startOf;
    private final int[] windowOf;
    private final int[] firstOf;
    private final long[] bitsOf;
    private final char[] step;
    private final char[] occupancyOf;
    private final int[] maskOf;
    private final char[] stepOfOccupancy;
    private final long[] addable;

    private Geometry(DeviceModel model, LayoutTable table, OccupancyTable classes) {
        this.model = model;
        this.placements = table.placements;
        this.profileOf = table.profileOf;
        this.startOf = table.startOf;
        this.windowOf = table.windowOf;
        this.firstOf = table.firstOf;
        this.bitsOf = table.bits;
        this.step = table.step;
        this.occupancyOf = classes.occupancyOf;
        this.maskOf = classes.maskOf;
        this.stepOfOccupancy = classes.step;
        this.addable = classes.addable;
    }

    /**
     * Works out the tables of {@code model}: a few milliseconds for a MIG device, once per model.
     *
     * @throws CatalogueException if the model has more than {@link #MAX_LAYOUTS} layouts
     */
    public static Geometry of(DeviceModel model) {
        LayoutTable table = LayoutTable.of(model);
        if (table.bits.length > MAX_LAYOUTS) {
            throw new CatalogueException(List.of("device model " + model.key() + ": profiles: more than " + MAX_LAYOUTS
                    + " ways to slice one device; use fewer profiles or starts"));
        }
        return new Geometry(model, table, OccupancyTable.of(table));
    }

    /** The model that this was made from. */
    public DeviceModel model() {
        return model;
    }

    /** Number of profiles; indexes are those of {@link DeviceModel#profiles()}. */
    public int profiles() {
        return firstOf.length - 1;
    }

    /** The profile of an index. */
    public SliceProfile profile(int profile) {
        return model.profiles().get(profile);
    }

    /** Number of memory units. */
    public int units() {
        return model.memoryUnits();
    }

    /** Number of placements. */
    public int placements() {
        return placements;
    }

    /** First placement of a profile; those of the profile are contiguous up to {@code firstPlacement(profile + 1)}. */
    public int firstPlacement(int profile) {
        return firstOf[profile];
    }

    /** The placement of a profile at a start, or -1 if hardware does not offer it. O(starts). */
    public int placement(int profile, int start) {
        for (int p = firstOf[profile]; p < firstOf[profile + 1]; p++) {
            if (startOf[p] == start) {
                return p;
            }
        }
        return -1;
    }

    /** The profile of a placement. */
    public int profileOf(int placement) {
        return profileOf[placement];
    }

    /** The first unit of a placement. */
    public int startOf(int placement) {
        return startOf[placement];
    }

    /** The units of a placement as a bit mask, unit 0 in bit 0. */
    public int windowOf(int placement) {
        return windowOf[placement];
    }

    /** Width of a profile in units. */
    public int sizeOf(int profile) {
        return Integer.bitCount(windowOf[firstOf[profile]]);
    }

    /** Number of layouts. */
    public int layouts() {
        return bitsOf.length;
    }

    /** The placements of a layout as a bit set. */
    public long placementsOf(int layout) {
        return bitsOf[layout];
    }

    /** The layout with exactly these placements, or -1 if they are not legal together. O(log layouts). */
    public int layoutOf(long placementSet) {
        return LayoutTable.find(bitsOf, placementSet);
    }

    /** Whether a placement is part of a layout. */
    public boolean holds(int layout, int placement) {
        return (bitsOf[layout] >>> placement & 1) != 0;
    }

    /**
     * The layout after the placement is added, or removed if the layout holds it; {@link #ILLEGAL} if it can not be
     * added.
     */
    public int toggle(int layout, int placement) {
        return step[layout * placements + placement];
    }

    /** The occupancy of a layout. */
    public int occupancyOf(int layout) {
        return occupancyOf[layout];
    }

    /** Number of occupancies. */
    public int occupancies() {
        return maskOf.length;
    }

    /** Units taken in an occupancy, as a bit mask. */
    public int maskOf(int occupancy) {
        return maskOf[occupancy];
    }

    /** Free units of an occupancy. */
    public int freeUnits(int occupancy) {
        return model.memoryUnits() - Integer.bitCount(maskOf[occupancy]);
    }

    /** The placements that can be added to an occupancy, as a bit set. */
    public long addable(int occupancy) {
        return addable[occupancy];
    }

    /** The occupancy after a placement is added, or {@link #ILLEGAL}. */
    public int add(int occupancy, int placement) {
        return stepOfOccupancy[occupancy * placements + placement];
    }

    @Override
    public String toString() {
        return "Geometry[" + model.key() + ", " + placements + " placements, " + bitsOf.length + " layouts, "
                + maskOf.length + " occupancies]";
    }
}
