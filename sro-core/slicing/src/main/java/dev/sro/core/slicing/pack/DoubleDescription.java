package dev.sro.core.slicing.pack;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * The facets of a down-closed polytope given by its points, by the double description method in exact integers.
 *
 * <p>The valid inequalities {@code a.x <= b} with {@code a >= 0} of a set of points form the cone {@code {(a, b) : a >= 0,
 * b - a.v >= 0 for each point v}}. Its extreme rays that no other dominates are the facets, besides {@code x >= 0}.
 */
final class DoubleDescription {
    /** More rays than any known device needs by two orders of magnitude. */
    private static final int MAX_RAYS = 20_000;

    private static final class Ray {
        final long[] values;
        final BitSet tight;

        Ray(long[] values, BitSet tight) {
            this.values = values;
            this.tight = tight;
        }
    }

    private DoubleDescription() {}

    /**
     * Facets as rows {@code a_0 .. a_(d-1), b}, ordered by {@code b} and then by coefficients, descending.
     *
     * @param points points without negative coordinates, each coordinate positive in at least one
     * @return facets; empty if numbers or rays grow beyond bounds
     */
    static long[][] facets(int[][] points, int dimension) {
        List<Ray> rays = new ArrayList<>();
        for (int i = 0; i <= dimension; i++) {
            long[] unit = new long[dimension + 1];
            unit[i] = 1;
            BitSet tight = new BitSet();
            tight.set(0, dimension + 1);
            tight.clear(i);
            rays.add(new Ray(unit, tight));
        }
        try {
            for (int i = 0; i < points.length && rays.size() <= MAX_RAYS; i++) {
                rays = cut(rays, points[i], dimension + 1 + i);
            }
        } catch (ArithmeticException overflow) {
            return new long[0][];
        }
        return rays.size() > MAX_RAYS ? new long[0][] : maximal(rays, dimension);
    }

    private static List<Ray> cut(List<Ray> rays, int[] point, int constraint) {
        List<Ray> kept = new ArrayList<>();
        List<Ray> above = new ArrayList<>();
        List<Ray> below = new ArrayList<>();
        for (Ray ray : rays) {
            long value = value(ray.values, point);
            if (value == 0) {
                ray.tight.set(constraint);
            }
            (value > 0 ? above : value < 0 ? below : kept).add(ray);
        }
        for (Ray up : above) {
            for (Ray down : below) {
                BitSet common = (BitSet) up.tight.clone();
                common.and(down.tight);
                if (adjacent(rays, up, down, common)) {
                    common.set(constraint);
                    kept.add(new Ray(combine(up, down, point), common));
                }
            }
        }
        kept.addAll(above);
        return kept;
    }

    // Two extreme rays span a face of dimension two if and only if no third is tight wherever both are.
    private static boolean adjacent(List<Ray> rays, Ray one, Ray two, BitSet common) {
        for (Ray other : rays) {
            if (other != one && other != two) {
                BitSet missing = (BitSet) common.clone();
                missing.andNot(other.tight);
                if (missing.isEmpty()) {
                    return false;
                }
            }
        }
        return true;
    }

    private static long[] combine(Ray up, Ray down, int[] point) {
        long high = value(up.values, point);
        long low = -value(down.values, point);
        long[] sum = new long[up.values.length];
        long divisor = 0;
        for (int i = 0; i < sum.length; i++) {
            sum[i] = Math.addExact(Math.multiplyExact(low, up.values[i]), Math.multiplyExact(high, down.values[i]));
            divisor = gcd(divisor, sum[i]);
        }
        for (int i = 0; i < sum.length; i++) {
            sum[i] /= divisor;
        }
        return sum;
    }

    private static long value(long[] ray, int[] point) {
        long value = ray[point.length];
        for (int i = 0; i < point.length; i++) {
            value = Math.subtractExact(value, Math.multiplyExact(ray[i], (long) point[i]));
        }
        return value;
    }

    private static long[][] maximal(List<Ray> rays, int dimension) {
        List<long[]> all = new ArrayList<>();
        for (Ray ray : rays) {
            if (ray.values[dimension] > 0) {
                all.add(ray.values);
            }
        }
        List<long[]> facets = new ArrayList<>();
        for (long[] one : all) {
            if (all.stream().noneMatch(other -> other != one && dominates(other, one, dimension))) {
                facets.add(one);
            }
        }
        facets.sort(Comparator.comparingLong((long[] facet) -> facet[dimension])
                .thenComparing((one, two) -> Arrays.compare(two, one)));
        return facets.toArray(long[][]::new);
    }

    private static boolean dominates(long[] other, long[] one, int dimension) {
        for (int i = 0; i < dimension; i++) {
            if (Math.multiplyExact(other[i], one[dimension]) < Math.multiplyExact(one[i], other[dimension])) {
                return false;
            }
        }
        return true;
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
