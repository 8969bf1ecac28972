package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.Arrays;

/**
 * The steps of a policy on one device of a model: per occupancy and profile the placement that it takes and its cost. Each is worked out when it is
 * asked for first: a load on a few devices comes by a small part of them. Not thread-safe.
 */
final class StepCosts {
    /** No placement is this, nor {@link PolicyTable#NONE}: not worked out yet. */
    private static final char UNKNOWN = 0xFFFE;

    private final Geometry geometry;
    private final PlacementPolicy policy;
    private final String name;
    private final int[][] orders;
    private final int profiles;
    private final double[] cost;
    private final char[] placement;

    private StepCosts(Geometry geometry, PlacementPolicy policy, String name) {
        this.geometry = geometry;
        this.policy = policy;
        this.name = name;
        profiles = geometry.profiles();
        cost = new double[geometry.occupancies() * profiles];
        Arrays.fill(cost, Double.NaN);
        placement = new char[cost.length];
        Arrays.fill(placement, UNKNOWN);
        orders = new int[profiles][];
        for (int profile = 0; profile < profiles; profile++) {
            orders[profile] = checked(geometry, policy.startOrder(geometry, profile), profile, name);
        }
    }

    /**
     * Asks {@code policy} about a step when somebody asks for it.
     *
     * @throws IllegalArgumentException if a start order is not a permutation, calling the policy {@code name}; later, if a cost is not finite
     */
    static StepCosts asNeeded(Geometry geometry, PlacementPolicy policy, String name) {
        return new StepCosts(geometry, policy, name);
    }

    /**
     * Asks {@code policy} about every step.
     *
     * @throws IllegalArgumentException if a cost is not finite or a start order is not a permutation, calling the policy {@code name}
     */
    static StepCosts of(Geometry geometry, PlacementPolicy policy, String name) {
        StepCosts costs = new StepCosts(geometry, policy, name);
        costs.completed();
        return costs;
    }

    private StepCosts completed() {
        for (int at = 0; at < placement.length; at++) {
            known(at);
        }
        return this;
    }

    private int known(int at) {
        if (placement[at] == UNKNOWN) {
            placement[at] = (char) PolicyTable.NONE;
            int occupancy = at / profiles;
            for (int candidate : orders[at % profiles]) {
                int after = geometry.add(occupancy, candidate);
                if (after != Geometry.ILLEGAL) {
                    double value = policy.cost(geometry, occupancy, candidate, after);
                    offer(at, candidate, finite(value, geometry, candidate, name));
                }
            }
        }
        return at;
    }

    private void offer(int at, int candidate, double value) {
        if (placement[at] == PolicyTable.NONE || value < cost[at] - PlacementPolicy.TOLERANCE) {
            cost[at] = value;
            placement[at] = (char) candidate;
        }
    }

    private static double finite(double value, Geometry geometry, int candidate, String name) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("policy " + name + ": the cost of "
                    + geometry.profile(geometry.profileOf(candidate)).name() + " at " + geometry.startOf(candidate)
                    + " is " + value + ", which is not a finite number");
        }
        return value;
    }

    private static int[] checked(Geometry geometry, int[] order, int profile, String name) {
        long seen = 0;
        for (int candidate : order) {
            seen |= candidate < 0 || candidate >= geometry.placements() ? 0 : 1L << candidate;
        }
        int first = geometry.firstPlacement(profile);
        int count = geometry.firstPlacement(profile + 1) - first;
        if (order.length != count || seen != ((1L << count) - 1) << first) {
            throw new IllegalArgumentException("policy " + name + ": the start order of "
                    + geometry.profile(profile).name() + " must name each of its " + count + " placements once");
        }
        return order;
    }

    /** Whether two policies would do the same on every fleet: equal placements, and equal orders of occupancies. */
    boolean sameAs(StepCosts other) {
        return Arrays.equals(completed().placement, other.completed().placement)
                && Arrays.equals(ranks(), other.ranks());
    }

    /** Per occupancy and profile, how many different costs of the profile are lower. */
    private int[] ranks() {
        int[] ranks = new int[cost.length];
        for (int profile = 0; profile < profiles; profile++) {
            double[] sorted = new double[cost.length / profiles];
            for (int occupancy = 0; occupancy < sorted.length; occupancy++) {
                sorted[occupancy] = cost(occupancy, profile);
            }
            Arrays.sort(sorted);
            int[] place = new int[sorted.length];
            for (int at = 1; at < sorted.length; at++) {
                place[at] = place[at - 1] + (sorted[at] - sorted[at - 1] > PlacementPolicy.TOLERANCE ? 1 : 0);
            }
            for (int occupancy = 0; occupancy < sorted.length; occupancy++) {
                int at = Arrays.binarySearch(sorted, cost(occupancy, profile));
                ranks[occupancy * profiles + profile] = Double.isNaN(sorted[at]) ? -1 : place[at];
            }
        }
        return ranks;
    }

    /** Cost of the step that is taken; NaN where the profile does not fit. */
    double cost(int occupancy, int profile) {
        return cost[known(occupancy * profiles + profile)];
    }

    /** The placement that is taken; {@link PolicyTable#NONE} where the profile does not fit. */
    int placement(int occupancy, int profile) {
        return placement[known(occupancy * profiles + profile)];
    }
}
