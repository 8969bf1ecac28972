package dev.sro.core.placement;

import dev.sro.core.das.DasNames;
import dev.sro.core.placement.SliceDemand.Wanted;
import dev.sro.core.slicing.SliceRequest;
import dev.sro.core.slicing.Spread;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the allocator is asked for a demand. Stateless. */
final class DemandRequests {
    private DemandRequests() {}

    /** One for each slice, on a node, under the names that its claims would have. */
    static List<SliceRequest> of(SliceDemand demand, String node, Optional<Instant> until) {
        List<SliceRequest> requests = new ArrayList<>(demand.slices().size());
        for (Wanted wanted : demand.slices()) {
            requests.add(SliceRequest.builder()
                    .claim(demand.namespace() + "/" + claim(demand, node, wanted))
                    .profile(wanted.profile())
                    .node(node)
                    .reservedUntil(until)
                    .build());
        }
        return requests;
    }

    /** The same under names that no claim has: pods that have slices already are not asked about. */
    static List<SliceRequest> anonymous(SliceDemand demand, String node) {
        return of(new SliceDemand("?", "", "", demand.slices(), demand.spread()), node, Optional.empty());
    }

    /** The name of a slice's claim. */
    static String claim(SliceDemand demand, String node, Wanted wanted) {
        return DasNames.claim(demand.uid(), node, wanted.container(), wanted.number());
    }

    /** Whether several slices have to be on one GPU. */
    static boolean together(SliceDemand demand) {
        return demand.slices().size() > 1 && demand.spread() == Spread.SAME_DEVICE;
    }

    /** The requests on that GPU, if there is one. */
    static List<SliceRequest> on(Optional<String> gpu, List<SliceRequest> requests) {
        return gpu.isEmpty()
                ? requests
                : requests.stream()
                        .map(request ->
                                SliceRequest.builder().from(request).device(gpu).build())
                        .toList();
    }

    /** The node is given by each request; this keeps the search to its GPUs. */
    static Spread within(Spread spread) {
        return spread == Spread.DIFFERENT_DEVICES ? spread : Spread.SAME_NODE;
    }
}
