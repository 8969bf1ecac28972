package dev.sro.core.dra;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** A node of {@link ChurnModel}: its GPUs, their placements as the scheduler sees them, and who publishes them. */
final class ChurnNode {
    private final ModelTables tables;
    private final Geometry geometry;
    private final DraOptions options;
    private final ChurnModel.Way way;
    private final List<ListedPlacements> listed = new ArrayList<>();
    private final List<GpuLoad> loads = new ArrayList<>();
    private OrderBudget budget = OrderBudget.full();
    private int writes;
    private int pods;

    /** A placement on a GPU. */
    record Place(int gpu, int placement) {}

    ChurnNode(ModelTables tables, DraOptions options, int gpus, ChurnModel.Way way) {
        this.tables = tables;
        this.geometry = tables.geometry();
        this.options = options;
        this.way = way;
        GpuLoad empty = new GpuLoad(geometry, 0, 0);
        for (int gpu = 0; gpu < gpus; gpu++) {
            loads.add(empty);
            listed.add(fresh(
                    empty,
                    way == ChurnModel.Way.NVIDIA ? byName() : tables.ranking().whenEmpty(),
                    new ListedPlacements(List.of(), Map.of())));
        }
    }

    /** As NVIDIA's driver sorts them: by profile as text, then by start. */
    private List<Integer> byName() {
        return IntStream.range(0, geometry.placements())
                .boxed()
                .sorted(Comparator.<Integer, String>comparing(placement ->
                                geometry.profile(geometry.profileOf(placement)).name())
                        .thenComparing(geometry::startOf))
                .toList();
    }

    /** What is written of a GPU; what a claim has is left as it is. */
    private ListedPlacements fresh(GpuLoad load, List<Integer> order, ListedPlacements before) {
        Map<Integer, Integer> lossClasses = new HashMap<>();
        for (int placement : order) {
            boolean held = (load.placements() >>> placement & 1) != 0;
            lossClasses.put(
                    placement,
                    held ? before.lossClass(placement) : tables.ranking().lossClass(load, placement));
        }
        return new ListedPlacements(order, lossClasses);
    }

    /** The place that first-fit finds for a profile among those of this loss class or a better one. */
    Optional<Place> find(int profile, int lossClass) {
        for (int gpu = 0; gpu < loads.size(); gpu++) {
            for (int placement : listed.get(gpu).order()) {
                if (geometry.profileOf(placement) == profile
                        && (lossClass == PlacementRanking.LAST_CLASS
                                || listed.get(gpu).lossClass(placement) <= lossClass)
                        && loads.get(gpu).fits(placement)) {
                    return Optional.of(new Place(gpu, placement));
                }
            }
        }
        return Optional.empty();
    }

    void allocate(Place place) {
        change(place, loads.get(place.gpu()).placements() | 1L << place.placement());
        pods++;
    }

    void release(Place place) {
        change(place, loads.get(place.gpu()).placements() & ~(1L << place.placement()));
        pods--;
    }

    private void change(Place place, long placements) {
        loads.set(place.gpu(), new GpuLoad(geometry, placements, 0));
        budget = budget.earned(1);
        if (way.follows() && budget.allows()) {
            int written = publish();
            budget = budget.spent(written);
            writes += written;
        }
    }

    private int publish() {
        FirstChoices choices = new FirstChoices(options, way.details());
        int written = 0;
        for (int gpu = 0; gpu < loads.size(); gpu++) {
            String name = Integer.toString(gpu);
            List<Integer> order = choices.order(name, tables, loads.get(gpu), listed.get(gpu));
            if (!choices.kept(name)) {
                listed.set(gpu, fresh(loads.get(gpu), order, listed.get(gpu)));
                written++;
            }
        }
        return written;
    }

    int pods() {
        return pods;
    }

    int writes() {
        return writes;
    }
}
