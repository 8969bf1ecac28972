package dev.sro.core.dra;

import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PlacementPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** The placements of one model in the order in which a policy would take them, and what each of them spoils. Immutable. */
final class PlacementRanking {
    /** The class of what breaks a GPU that could take the widest slice of its model, and of what nobody can have. */
    static final int LAST_CLASS = 2;

    private final Geometry geometry;
    private final PlacementPolicy policy;
    private final int widest;
    private final List<Integer> profiles;
    private final List<Integer> whenEmpty;

    PlacementRanking(Geometry geometry, PlacementPolicy policy) {
        this.geometry = geometry;
        this.policy = policy;
        this.widest = new GpuLoad(geometry, 0, 0).widest();
        // Narrow ones first: who asks for "at least so much memory" takes the first that is listed.
        this.profiles = IntStream.range(0, geometry.profiles())
                .boxed()
                .sorted(Comparator.comparingInt(geometry::sizeOf))
                .toList();
        this.whenEmpty = order(new GpuLoad(geometry, 0, 0), List.of());
    }

    /** All placements, best first within each profile, for a GPU that carries nothing. */
    List<Integer> whenEmpty() {
        return whenEmpty;
    }

    /**
     * All placements. Within each profile first what would be the policy's choice if what is in its way were given back, so that nothing has to
     * be written then; of what can be had, the one that the policy takes now, then the one that it takes after that, and so on, so that several
     * of a kind that come at once find a good order too; then what could be had now otherwise; last the rest.
     */
    List<Integer> order(GpuLoad load) {
        return order(load, whenEmpty);
    }

    private List<Integer> order(GpuLoad load, List<Integer> otherwise) {
        List<Integer> order = new ArrayList<>();
        for (int profile : profiles) {
            Set<Integer> listed = new LinkedHashSet<>(comingBack(load, profile));
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

    /** Placements that cannot be had, and would be first as soon as what is in their way is given back. */
    private List<Integer> comingBack(GpuLoad load, int profile) {
        List<Integer> coming = new ArrayList<>();
        for (int placement : policy.startOrder(geometry, profile)) {
            if (!load.fits(placement) && best(load.makingRoomFor(placement), profile, Set.of()) == placement) {
                coming.add(placement);
            }
        }
        return coming;
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
     * What a placement takes from others: 0 if slices as wide as before still fit, or those that fitted are less than half as wide as the widest of
     * the model; 1 if none as wide fits any more; 2 if the widest of the model fitted, and does not any more. What cannot be had
     * has the class that it would have if what is in its way were given back, so that nothing has to be written then.
     */
    int lossClass(GpuLoad load, int placement) {
        GpuLoad before = load.fits(placement) ? load : load.makingRoomFor(placement);
        if (!before.fits(placement)) {
            return LAST_CLASS;
        }
        int had = before.widest();
        if (before.with(placement).widest() == had || 2 * had < widest) {
            return 0;
        }
        return had < widest ? 1 : LAST_CLASS;
    }
}
