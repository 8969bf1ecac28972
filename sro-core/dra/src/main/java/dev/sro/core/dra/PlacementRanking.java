package dev.sro.core.dra;

import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** The placements of one model in the order in which a policy would take them, and what each of them spoils. Immutable. */
final class PlacementRanking {
    /** The class of what spoils most, and of what cannot be had now. */
    static final int LAST_CLASS = 3;

    private final Geometry geometry;
    private final PlacementPolicy policy;
    private final double[] worth;
    /** By profile, the upper ends of all classes but the last: quarters of what first choices lose, over all occupancies. */
    private final double[][] classEnds;

    private final List<Integer> profiles;
    private final List<Integer> whenEmpty;

    PlacementRanking(Geometry geometry, PlacementPolicy policy) {
        this.geometry = geometry;
        this.policy = policy;
        this.worth = Policies.worth(geometry);
        this.classEnds = new double[geometry.profiles()][];
        for (int profile = 0; profile < classEnds.length; profile++) {
            classEnds[profile] = quarters(firstLosses(profile));
        }
        // Narrow ones first: who asks for "at least so much memory" takes the first that is listed.
        this.profiles = IntStream.range(0, geometry.profiles())
                .boxed()
                .sorted(Comparator.comparingInt(geometry::sizeOf))
                .toList();
        this.whenEmpty = order(new GpuLoad(geometry, 0, 0), List.of());
    }

    private double[] firstLosses(int profile) {
        List<Double> losses = new ArrayList<>();
        for (int occupancy = 0; occupancy < geometry.occupancies(); occupancy++) {
            int first = best(occupancy, geometry.addable(occupancy), profile);
            if (first >= 0) {
                losses.add(loss(occupancy, first));
            }
        }
        return losses.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    private static double[] quarters(double[] sorted) {
        return IntStream.rangeClosed(1, LAST_CLASS)
                .mapToDouble(quarter -> sorted[(sorted.length - 1) * quarter / (LAST_CLASS + 1)])
                .toArray();
    }

    private double loss(int occupancy, int placement) {
        return worth[occupancy] - worth[geometry.add(occupancy, placement)];
    }

    /** All placements, best first within each profile, for a GPU that carries nothing. */
    List<Integer> whenEmpty() {
        return whenEmpty;
    }

    /**
     * All placements. Within each profile first the one that the policy takes now, then the one that it takes after that, and so on, so that
     * several of a kind that come at once find a good order too; then what could be had now otherwise; last what cannot be had.
     */
    List<Integer> order(GpuLoad load) {
        return order(load, whenEmpty);
    }

    private List<Integer> order(GpuLoad load, List<Integer> otherwise) {
        List<Integer> order = new ArrayList<>();
        for (int profile : profiles) {
            Set<Integer> listed = new LinkedHashSet<>();
            GpuLoad at = load;
            for (int next = best(at, profile, listed); next >= 0; next = best(at, profile, listed)) {
                listed.add(next);
                at = at.with(next);
            }
            for (int next = best(load, profile, listed); next >= 0; next = best(load, profile, listed)) {
                listed.add(next);
            }
            otherwise.stream()
                    .filter(placement -> geometry.profileOf(placement) == profile)
                    .forEach(listed::add);
            order.addAll(listed);
        }
        return order;
    }

    private int best(GpuLoad load, int profile, Set<Integer> listed) {
        long open = 0;
        for (int placement = 0; placement < geometry.placements(); placement++) {
            open |= load.fits(placement) && !listed.contains(placement) ? 1L << placement : 0;
        }
        return best(load.occupancy(), open, profile);
    }

    /** The placement of a profile that the policy takes of those that are open; -1 if there is none. */
    private int best(int occupancy, long open, int profile) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int placement : policy.startOrder(geometry, profile)) {
            if ((open >>> placement & 1) != 0) {
                double cost = policy.cost(geometry, occupancy, placement, geometry.add(occupancy, placement));
                if (cost < least - PlacementPolicy.TOLERANCE) {
                    least = cost;
                    best = placement;
                }
            }
        }
        return best;
    }

    /**
     * How much a placement would spoil of what the GPU is worth to others: 0 for what loses no more than a quarter of the first choices of
     * its profile do, and so on.
     */
    int lossClass(GpuLoad load, int placement) {
        if (!load.fits(placement)) {
            return LAST_CLASS;
        }
        double loss = loss(load.occupancy(), placement);
        double[] ends = classEnds[geometry.profileOf(placement)];
        int lossClass = 0;
        while (lossClass < ends.length && loss > ends[lossClass] + PlacementPolicy.TOLERANCE) {
            lossClass++;
        }
        return lossClass;
    }
}
