package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.input.Suggestions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The policies that come with SRO, and the way to a policy by name. All are stateless and thread-safe. */
public final class Policies {
    private Policies() {}

    /**
     * SRO's own policy, and the default: a potential for each occupancy. Which one, it learns from the requests: it lets potentials that
     * are worked out for their mix, one that was found by search where there is one (MIG devices of seven slices), and the policies below
     * play against each other on made-up loads, and follows the winner.
     */
    public static PlacementPolicy standard() {
        return StandardPolicy.INSTANCE;
    }

    /**
     * The worth of a device in each occupancy to requests to come, in memory units up to a constant: the potential of {@link #standard()}
     * in steady use. Planners choose by it among plans that cost the same.
     */
    public static double[] worth(Geometry geometry) {
        return StandardPolicy.worth(geometry);
    }

    /**
     * The policy with this name.
     *
     * @throws IllegalArgumentException if there is none, naming those that there are
     */
    public static PlacementPolicy named(String name) {
        List<String> names = all().stream().map(PlacementPolicy::name).toList();
        return all().stream()
                .filter(policy -> policy.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("policy " + name
                        + ": there is no such policy; there are " + names + Suggestions.meant(name, names)));
    }

    /** The first device that has room, and there the first start: what most device plugins and the DRA allocator do. */
    public static PlacementPolicy firstFit() {
        return new Simple("first-fit", false, (geometry, before, placement, after) -> 0);
    }

    /**
     * The preference of the Dynamic Accelerator Slicer: the emptiest node, there the first device that has room, and there the first
     * start. In a fleet without nodes this is {@link #firstFit()}.
     */
    public static PlacementPolicy dasCompatible() {
        return new PlacementPolicy() {
            @Override
            public String name() {
                return "das-compatible";
            }

            @Override
            public double cost(Geometry geometry, int before, int placement, int after) {
                return 0;
            }

            @Override
            public boolean emptiestNodeFirst() {
                return true;
            }
        };
    }

    /** The device with the fewest free units, first start. */
    public static PlacementPolicy bestFit() {
        return new Simple("best-fit", false, (geometry, before, placement, after) -> geometry.freeUnits(before));
    }

    /** The device with the fewest free units, and there the start that blocks the least. */
    public static PlacementPolicy bestFitBestIndex() {
        return new Simple(
                "best-fit-best-index", true, (geometry, before, placement, after) -> geometry.freeUnits(before));
    }

    /** The device with the most free units, and there the start that blocks the least: spreads, and fragments. */
    public static PlacementPolicy worstFitBestIndex() {
        return new Simple(
                "worst-fit-best-index", true, (geometry, before, placement, after) -> -geometry.freeUnits(before));
    }

    /** The least increase of fragmentation, as {@link Fragmentation} measures it. */
    public static PlacementPolicy minimumFragmentation() {
        return new Simple(
                "minimum-fragmentation",
                false,
                (geometry, before, placement, after) ->
                        Fragmentation.measure(geometry, after) - Fragmentation.measure(geometry, before));
    }

    /** Fewest free units, then the longest free run, then the most placements that are left (HAMi since PR 2855). */
    public static PlacementPolicy longestRun() {
        return new Simple(
                "longest-run",
                false,
                (geometry, before, placement, after) -> geometry.freeUnits(before) * 10_000.0
                        - Fragmentation.longestFreeRun(geometry, after) * 100.0
                        - Fragmentation.freeWindows(geometry, after));
    }

    /**
     * A policy by a potential of your own: each step is taken where it loses the least of it.
     *
     * @param byUnits potential per occupancy, in any unit, which is written as one character per memory unit from start 0 on: {@code #}
     *     taken, {@code .} free. A table for a model needs every occupancy that the model can have; others are not looked at.
     * @throws IllegalArgumentException if a number is not finite, at once; if an occupancy is missing, naming it, when the policy is worked
     *     out for a model
     */
    public static PlacementPolicy potential(String name, Map<String, Double> byUnits) {
        return new PotentialTable(name, byUnits);
    }

    /** Every policy that comes with SRO or is found by {@link ServiceLoader}, by name. */
    public static List<PlacementPolicy> all() {
        return Stream.concat(
                        builtin().stream(),
                        ServiceLoader.load(PlacementPolicy.class).stream().map(ServiceLoader.Provider::get))
                .sorted(Comparator.comparing(PlacementPolicy::name))
                .toList();
    }

    static List<PlacementPolicy> builtin() {
        return List.of(
                standard(),
                firstFit(),
                dasCompatible(),
                bestFit(),
                bestFitBestIndex(),
                worstFitBestIndex(),
                minimumFragmentation(),
                longestRun());
    }

    @FunctionalInterface
    private interface Cost {
        double of(Geometry geometry, int before, int placement, int after);
    }

    private record Simple(String name, boolean bestIndex, Cost cost) implements PlacementPolicy {
        @Override
        public double cost(Geometry geometry, int before, int placement, int after) {
            return cost.of(geometry, before, placement, after);
        }

        @Override
        public int[] startOrder(Geometry geometry, int profile) {
            int[] ascending = PlacementPolicy.super.startOrder(geometry, profile);
            return bestIndex ? leastBlocking(geometry, ascending) : ascending;
        }

        // On an empty device, how many placements of all profiles a start rules out; among equals the lower start.
        private static int[] leastBlocking(Geometry geometry, int[] ascending) {
            return IntStream.of(ascending)
                    .boxed()
                    .sorted(Comparator.<Integer>comparingInt(placement -> blocked(geometry, placement))
                            .thenComparing(Comparator.naturalOrder()))
                    .mapToInt(Integer::intValue)
                    .toArray();
        }

        private static int blocked(Geometry geometry, int placement) {
            int count = 0;
            for (int other = 0; other < geometry.placements(); other++) {
                count += (geometry.windowOf(other) & geometry.windowOf(placement)) != 0 ? 1 : 0;
            }
            return count;
        }
    }
}
