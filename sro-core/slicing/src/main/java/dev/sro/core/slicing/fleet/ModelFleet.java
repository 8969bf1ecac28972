package dev.sro.core.slicing.fleet;

import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PolicyTable;

/**
 * All devices of one model and what is on them: allocates, releases and answers in time that does not depend on the number
 * of devices, without creating garbage.
 *
 * <p>This is the bare core, in numbers: devices are 0 to {@code devices() - 1}, profiles are indexes of the model, and a
 * <em>slot</em> is a {@code long} that names device and placement. For claims with names, several models, constraints and
 * threads use {@link dev.sro.core.slicing.SliceAllocator}.
 *
 * <p>Not thread-safe. Deterministic: equal calls give equal answers. Memory is about 4 bytes per device plus one bit per 16
 * devices and occupancy in use.
 */
public final class ModelFleet implements FleetView {
    /** The answer where there is no slot. */
    public static final long NO_SLOT = -1;

    private static final int PLACEMENT_BITS = 6;

    private final Geometry geometry;
    private final boolean adaptive;
    private final int devices;
    private final char[] layouts;
    private final OccupancyIndex index;
    private final SlotSearch search;
    private final int[] census;
    private final long[] counts;
    private final long[] cordoned;
    private int usable;
    private UsageMeter meter;

    /** {@code devices} empty devices of the policy's model. */
    public ModelFleet(PolicyTable policy, int devices) {
        if (devices < 0) {
            throw new IllegalArgumentException("devices: " + devices + " is negative");
        }
        this.geometry = policy.geometry();
        this.adaptive = policy.adaptive();
        this.meter = new UsageMeter(geometry);
        this.devices = devices;
        this.layouts = new char[devices];
        this.index = OccupancyIndex.of(devices, geometry.occupancies());
        this.search = new SlotSearch(index, policy);
        this.census = new int[geometry.layouts()];
        this.counts = new long[geometry.profiles()];
        this.cordoned = new long[(devices + 63) >>> 6];
        this.usable = devices;
        this.census[0] = devices;
        for (int device = 0; device < devices; device++) {
            reindex(device, OccupancyIndex.ABSENT, 0);
        }
    }

    private ModelFleet(ModelFleet other, PolicyTable policy) {
        this.geometry = other.geometry;
        this.adaptive = policy.adaptive();
        this.devices = other.devices;
        this.layouts = other.layouts.clone();
        this.index = other.index.copy();
        this.search = new SlotSearch(index, policy);
        this.census = other.census.clone();
        this.counts = other.counts.clone();
        this.cordoned = other.cordoned.clone();
        this.usable = other.usable;
        this.meter = other.meter.copy();
    }

    // Only now and then: another table looks at every occupancy, and may have to be worked out.
    private void follow() {
        PolicyTable wanted = meter.table(search.policy(), usable, usedShare());
        if (wanted != search.policy()) {
            search.follow(wanted);
        }
    }

    /** Share of the memory units of devices in service that is in use; 0 if there are none. */
    public double usedShare() {
        long units = 0;
        for (int profile = 0; profile < counts.length; profile++) {
            units += counts[profile] * geometry.sizeOf(profile);
        }
        return usable == 0 ? 0 : (double) units / ((long) usable * geometry.units());
    }

    /** A fleet in the same state that shares nothing with this one: array copies, about 10 bytes per device. */
    public ModelFleet copy() {
        return new ModelFleet(this, search.policy());
    }

    /** A copy that places by another policy of the same geometry. */
    public ModelFleet copy(PolicyTable other) {
        if (other.geometry() != geometry) {
            throw new IllegalArgumentException(
                    "policy " + other.name() + " was worked out for " + other.geometry() + ", not for " + geometry);
        }
        return new ModelFleet(this, other);
    }

    /** A copy with more devices, which are empty and cordoned; it goes on placing as this one would. */
    public ModelFleet grown(int more) {
        ModelFleet larger = new ModelFleet(search.policy(), Math.addExact(devices, more));
        larger.meter = meter.copy();
        for (int device = 0; device < larger.devices; device++) {
            long rest = device < devices ? geometry.placementsOf(layouts[device]) : 0;
            for (; rest != 0; rest &= rest - 1) {
                larger.occupy(device, Long.numberOfTrailingZeros(rest));
            }
            larger.cordon(device, device >= devices || cordoned(device));
        }
        return larger;
    }

    /** The device of a slot. */
    public static int device(long slot) {
        return (int) (slot >>> PLACEMENT_BITS);
    }

    /** The placement of a slot. */
    public static int placement(long slot) {
        return (int) slot & ((1 << PLACEMENT_BITS) - 1);
    }

    /** The slot of a placement on a device. */
    public static long slot(int device, int placement) {
        return (long) device << PLACEMENT_BITS | placement;
    }

    /** The slot that a slice of {@code profile} would take; {@link #NO_SLOT} if it fits nowhere. Changes nothing. */
    public long decide(int profile) {
        return search.decide(profile);
    }

    /**
     * Takes a slice of {@code profile} where the policy wants it; {@link #NO_SLOT}, and no change, if it fits nowhere. Each refusal counts as
     * a request of its own: for what waits and asks again, ask {@link #decide} first, count with {@link #countRefusedAgain}, and with {@link
     * #countWaited} what got its slice at last.
     */
    public long allocate(int profile) {
        long slot = search.decideAndForget(profile);
        if (slot != NO_SLOT) {
            int device = device(slot);
            int before = layouts[device];
            move(device, before, geometry.toggle(before, placement(slot)));
            counts[profile]++;
            countGrant(profile);
        } else {
            countRefusal(profile);
        }
        return slot;
    }

    /**
     * Tells the policy that a slice of {@code profile} was granted, for a caller that has chosen the place itself and taken it by {@link
     * #occupy}.
     * {@link #allocate} does so on its own.
     */
    public void countGrant(int profile) {
        if (adaptive && meter.granted(profile)) {
            follow();
        }
    }

    /** Tells the policy that a request whose refusal was counted was refused once more. */
    public void countRefusedAgain() {
        if (adaptive) {
            meter.refusedAgain();
        }
    }

    /**
     * Tells the policy that the slice that was granted last went to a request whose refusal was counted before. {@link
     * #allocate} cannot know that.
     */
    public void countWaited() {
        if (adaptive) {
            meter.waited();
        }
    }

    /** Tells the policy that a slice of {@code profile} was refused, for a caller that has only asked {@link #decide}. */
    public void countRefusal(int profile) {
        if (adaptive && meter.refused(profile)) {
            follow();
        }
    }

    /** Whether exactly this placement could be added to this device now; false on a cordoned device. */
    public boolean fits(int device, int placement) {
        int occupancy = index.get(device);
        return occupancy != OccupancyIndex.ABSENT && (geometry.addable(occupancy) >>> placement & 1) != 0;
    }

    /**
     * Adds exactly this placement, on a cordoned device too; false, and no change, if the device's layout does not permit it. For what runs
     * already, and for moves: the policy does not count it as use.
     */
    public boolean occupy(int device, int placement) {
        int before = layouts[device];
        int after = geometry.toggle(before, placement);
        if (geometry.holds(before, placement) || after == Geometry.ILLEGAL) {
            return false;
        }
        move(device, before, after);
        count(device, placement, 1);
        return true;
    }

    /** Gives a slot back; false, and no change, if nothing of that profile is held there. */
    public boolean release(long slot) {
        return release(device(slot), placement(slot));
    }

    /** Gives back what is at a placement of a device; false, and no change, if it is not held. */
    public boolean release(int device, int placement) {
        if (!vacate(device, placement)) {
            return false;
        }
        if (adaptive && meter.released()) {
            follow();
        }
        return true;
    }

    /** The inverse of {@link #occupy}: as {@link #release(int, int)}, but the policy does not count it as use. */
    public boolean vacate(int device, int placement) {
        int before = layouts[device];
        if (!geometry.holds(before, placement)) {
            return false;
        }
        move(device, before, geometry.toggle(before, placement));
        count(device, placement, -1);
        return true;
    }

    private void count(int device, int placement, int sign) {
        if (!cordoned(device)) {
            counts[geometry.profileOf(placement)] += sign;
        }
    }

    private void move(int device, int before, int after) {
        layouts[device] = (char) after;
        int from = index.get(device);
        if (from == OccupancyIndex.ABSENT) {
            return;
        }
        census[before]--;
        census[after]++;
        int to = geometry.occupancyOf(after);
        if (from != to) {
            reindex(device, from, to);
        }
    }

    private void reindex(int device, int from, int to) {
        index.move(device, from, to);
        if (to != OccupancyIndex.ABSENT) {
            search.entered(to);
        }
    }

    /** Takes a device out of service, or back: nothing new is placed on it, what it carries stays until released. */
    public void cordon(int device, boolean on) {
        if (cordoned(device) == on) {
            return;
        }
        int layout = layouts[device];
        int occupancy = geometry.occupancyOf(layout);
        int sign = on ? -1 : 1;
        for (long rest = geometry.placementsOf(layout); rest != 0; rest &= rest - 1) {
            counts[geometry.profileOf(Long.numberOfTrailingZeros(rest))] += sign;
        }
        cordoned[device >>> 6] ^= 1L << device;
        usable += sign;
        census[layout] += sign;
        reindex(device, on ? occupancy : OccupancyIndex.ABSENT, on ? OccupancyIndex.ABSENT : occupancy);
    }

    @Override
    public boolean cordoned(int device) {
        return (cordoned[device >>> 6] >>> device & 1) != 0;
    }

    @Override
    public Geometry geometry() {
        return geometry;
    }

    /** The policy that places, in the present regime. */
    public PolicyTable policy() {
        return search.policy();
    }

    @Override
    public int devices() {
        return devices;
    }

    /** Devices that are not cordoned. */
    public int usableDevices() {
        return usable;
    }

    /** Live slices of a profile on devices that are not cordoned. */
    public long live(int profile) {
        return counts[profile];
    }

    @Override
    public int layoutOf(int device) {
        return layouts[device];
    }

    /** The occupancy of a device, cordoned or not. */
    public int occupancyOf(int device) {
        return geometry.occupancyOf(layouts[device]);
    }

    @Override
    public int count(int layout) {
        return census[layout];
    }

    @Override
    public int next(int layout, int from) {
        int occupancy = geometry.occupancyOf(layout);
        for (int at = from; at < devices; at++) {
            at = index.next(occupancy, at);
            if (at < 0) {
                return -1;
            }
            if (layouts[at] == layout) {
                return at;
            }
        }
        return -1;
    }

    /** Bytes held by the arrays that grow with the number of devices. */
    public long bytes() {
        return index.bytes() + 2L * layouts.length + 8L * cordoned.length;
    }
}
