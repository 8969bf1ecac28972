package dev.sro.core.dra;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides for each GPU of a node, in the order in which the scheduler goes through them, whether the published order of devices still does:
 * it does as long as first-fit finds for every profile what the policy wants, and, where that is asked for, the loss classes of what can be had are
 * true. Not thread-safe; for one publication.
 */
final class FirstChoices {
    private final DraOptions options;
    private final boolean lossClasses;
    /** Profiles for which a GPU was found already, so that no later one is asked. */
    private final Set<String> served = new HashSet<>();

    private final Set<String> kept = new HashSet<>();

    FirstChoices(DraOptions options, Set<DraDetail> details) {
        this.options = options;
        this.lossClasses = details.contains(DraDetail.LOSS_CLASSES);
    }

    /** Whether a GPU keeps the order that it is published with. */
    boolean kept(String gpu) {
        return kept.contains(gpu);
    }

    /** The order in which the placements of a GPU are to be listed. GPUs must come in the order of their slices. */
    List<Integer> order(String gpu, ModelTables model, GpuLoad load, ListedPlacements listed) {
        List<Integer> wanted = options.advisory()
                ? model.ranking().order(load)
                : model.ranking().whenEmpty();
        List<Integer> now = listed.order();
        Geometry geometry = model.geometry();
        boolean comparable = new HashSet<>(now).equals(new HashSet<>(wanted));
        boolean same = true;
        for (int profile = 0; profile < geometry.profiles(); profile++) {
            int best = first(wanted, geometry, profile, load);
            if (best >= 0 && asked(geometry.profile(profile).name())) {
                same &= best == first(now, geometry, profile, load);
            }
        }
        boolean stays = options.advisory() ? same : now.equals(wanted);
        if (comparable && stays && (!lossClasses || lossClassesTrue(model.ranking(), load, listed))) {
            kept.add(gpu);
            return now;
        }
        return wanted;
    }

    /** Whether first-fit comes as far as this GPU for a profile. */
    private boolean asked(String profile) {
        return !options.server().takesSlicesByName() || served.add(profile);
    }

    private static boolean lossClassesTrue(PlacementRanking ranking, GpuLoad load, ListedPlacements listed) {
        return listed.order().stream()
                .filter(load::fits)
                .allMatch(placement -> listed.lossClass(placement) == ranking.lossClass(load, placement));
    }

    private static int first(List<Integer> order, Geometry geometry, int profile, GpuLoad load) {
        for (int placement : order) {
            if (geometry.profileOf(placement) == profile && load.fits(placement)) {
                return placement;
            }
        }
        return -1;
    }
}
