package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.Arrays;

/**
 * A potential that is worked out: what a device has to offer to requests to come, now and as its slices go.
 *
 * <p>A device offers each profile as often as it still fits; further times count less than the first ({@link Terms#repeat}). An offer is
 * priced by how often the profile is asked for and by its width to a power ({@link Terms#width}): the wider a profile, the fewer devices
 * have room for it. Slices on the device go at rate 1 each, and the time when it is free again is discounted ({@link Terms#haste}). So
 * a step into a device that would soon be empty costs more than one into a device that stays in use anyway, which is the price of
 * breaking an empty device. With layouts numbered so that every part comes before the whole, one pass over them is exact.
 */
final class Availability implements PlacementPolicy {
    /**
     * The free numbers of the potential.
     *
     * @param haste rate of the discount, holding times being 1; large where slices never go
     * @param width power of a profile's width in its price, above 1
     * @param repeat what each further time counts of the one before, below 1
     * @param even part of the shares that is spread evenly over all profiles, against what was not seen yet
     */
    record Terms(double haste, double width, double repeat, double even) {}

    /** The largest value: far above {@link PlacementPolicy#TOLERANCE}, whatever the discount makes of it. */
    private static final double SCALE = 1000;

    private final double[] value;

    private Availability(Geometry geometry, RequestShares shares, double haste, double[] offer) {
        double[] worth = new double[geometry.layouts()];
        value = new double[geometry.occupancies()];
        double[] weights = new double[value.length];
        for (int layout = 0; layout < worth.length; layout++) {
            int occupancy = geometry.occupancyOf(layout);
            double sum = offer[occupancy];
            double weight = 1;
            int slices = 0;
            for (long rest = geometry.placementsOf(layout); rest != 0; rest &= rest - 1) {
                int placement = Long.numberOfTrailingZeros(rest);
                sum += worth[geometry.toggle(layout, placement)];
                weight *= shares.share(geometry.profileOf(placement));
                slices++;
            }
            worth[layout] = sum / (haste + slices);
            value[occupancy] += weight * worth[layout];
            weights[occupancy] += weight;
        }
        double most = 0;
        for (int occupancy = 0; occupancy < value.length; occupancy++) {
            value[occupancy] /= weights[occupancy];
            most = Math.max(most, Math.abs(value[occupancy]));
        }
        for (int occupancy = 0; most > 0 && occupancy < value.length; occupancy++) {
            value[occupancy] *= SCALE / most;
        }
    }

    /** Counts room for the profiles of a mix. */
    static Availability ofRoom(Geometry geometry, RequestShares shares, Terms terms) {
        return new Availability(geometry, shares, terms.haste, offers(geometry, shares, terms));
    }

    /** Counts free units that are not broken up, as {@link Fragmentation} measures it. */
    static Availability ofWholeness(Geometry geometry, RequestShares shares, double haste) {
        double[] offer = new double[geometry.occupancies()];
        Arrays.setAll(offer, occupancy -> -Fragmentation.measure(geometry, occupancy));
        return new Availability(geometry, shares, haste, offer);
    }

    private static double[] offers(Geometry geometry, RequestShares shares, Terms terms) {
        int profiles = geometry.profiles();
        byte[] room = new byte[geometry.occupancies() * profiles];
        Arrays.fill(room, (byte) -1);
        double[] offer = new double[geometry.occupancies()];
        for (int profile = 0; profile < profiles; profile++) {
            double share = shares.share(profile) * (1 - terms.even) + terms.even / profiles;
            double price = share * Math.pow((double) geometry.sizeOf(profile) / geometry.units(), 1 + terms.width);
            for (int occupancy = 0; occupancy < offer.length; occupancy++) {
                int times = room(geometry, room, occupancy, profile);
                offer[occupancy] += price * (1 - Math.pow(terms.repeat, times)) / (1 - terms.repeat);
            }
        }
        return offer;
    }

    /** How often a profile can still be added to an occupancy; at most as deep as a device has units. */
    private static int room(Geometry geometry, byte[] known, int occupancy, int profile) {
        int at = occupancy * geometry.profiles() + profile;
        if (known[at] >= 0) {
            return known[at];
        }
        int most = 0;
        for (int k = geometry.firstPlacement(profile); k < geometry.firstPlacement(profile + 1); k++) {
            int after = geometry.add(occupancy, k);
            if (after != Geometry.ILLEGAL) {
                most = Math.max(most, 1 + room(geometry, known, after, profile));
            }
        }
        known[at] = (byte) most;
        return most;
    }

    /** The potential of each occupancy, in no unit. */
    double[] values() {
        return value.clone();
    }

    @Override
    public String name() {
        return "standard";
    }

    @Override
    public double cost(Geometry geometry, int before, int placement, int after) {
        return value[before] - value[after];
    }
}
