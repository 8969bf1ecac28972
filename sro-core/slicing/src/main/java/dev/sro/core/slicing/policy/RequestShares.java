package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.Arrays;

/**
 * Frequencies of the profiles of a model, coarsely: the share of requested memory units in powers of two. Every profile counts as
 * asked for twice more than it was, and as {@code 2^-7} at least: what was not seen in a few requests may come. Coarse, so that equal loads
 * give equal shares although counts differ by chance, and what was worked out for them is used again. Immutable and thread-safe.
 */
public final class RequestShares {
    private static final int LEAST = -7;

    /** So many times more than it was counts every profile as asked for. */
    private static final int UNSEEN = 2;

    private final byte[] levels;
    private final double[] shares;

    private RequestShares(Geometry geometry, byte[] levels) {
        this.levels = levels;
        this.shares = new double[levels.length];
        double sum = 0;
        for (int profile = 0; profile < shares.length; profile++) {
            shares[profile] = Math.scalb(1.0, levels[profile]) / geometry.sizeOf(profile);
            sum += shares[profile];
        }
        for (int profile = 0; profile < shares.length; profile++) {
            shares[profile] /= sum;
        }
    }

    /**
     * From counts of requests.
     *
     * @param asked requests per profile of the model, not negative, positive in sum
     */
    public static RequestShares of(Geometry geometry, int[] asked) {
        byte[] levels = new byte[asked.length];
        int[] more = asked.clone();
        Arrays.setAll(more, profile -> asked[profile] + UNSEEN);
        double[] units = units(geometry, more);
        for (int profile = 0; profile < levels.length; profile++) {
            double level = Math.rint(Math.log(units[profile]) / Math.log(2));
            levels[profile] = (byte) Math.max(LEAST, level);
        }
        return new RequestShares(geometry, levels);
    }

    /** Every profile with as many memory units as any other. */
    public static RequestShares equal(Geometry geometry) {
        return new RequestShares(geometry, new byte[geometry.profiles()]);
    }

    /** The distance of two counts of requests: the share of memory units that is asked for by other profiles, 0 to 1. */
    public static double distance(Geometry geometry, int[] one, int[] other) {
        double ofOne = 0;
        double ofOther = 0;
        for (int profile = 0; profile < one.length; profile++) {
            ofOne += (double) one[profile] * geometry.sizeOf(profile);
            ofOther += (double) other[profile] * geometry.sizeOf(profile);
        }
        double sum = 0;
        for (int profile = 0; profile < one.length; profile++) {
            int size = geometry.sizeOf(profile);
            sum += Math.abs((double) one[profile] * size / ofOne - (double) other[profile] * size / ofOther);
        }
        return sum / 2;
    }

    private static double[] units(Geometry geometry, int[] asked) {
        double[] units = new double[asked.length];
        double sum = 0;
        for (int profile = 0; profile < units.length; profile++) {
            units[profile] = (double) asked[profile] * geometry.sizeOf(profile);
            sum += units[profile];
        }
        for (int profile = 0; profile < units.length; profile++) {
            units[profile] /= sum;
        }
        return units;
    }

    /** Share of requests for a profile; all of them are positive and sum up to 1. */
    public double share(int profile) {
        return shares[profile];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RequestShares same && Arrays.equals(levels, same.levels);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(levels);
    }

    @Override
    public String toString() {
        return "RequestShares" + Arrays.toString(shares);
    }
}
