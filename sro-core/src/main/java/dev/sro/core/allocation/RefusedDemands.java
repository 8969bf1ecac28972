package dev.sro.core.allocation;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What of a model was asked for by pods that got nothing. Stateless. */
final class RefusedDemands {
    private RefusedDemands() {}

    /**
     * Counts the first choice of each claim, its first request, for each model that has it.
     *
     * @return whether places are chosen otherwise from now on
     */
    static boolean count(List<PodDemand> pods, Collection<FleetPool> pools, PlacementPolicies policies) {
        boolean other = false;
        for (PodDemand pod : pods) {
            for (ClaimDemand claim : pod.claims()) {
                other |= policies.isNews(claim.uid()) && policies.refused(claim.uid(), profiles(claim, pools));
            }
        }
        return other;
    }

    private static Map<Geometry, Integer> profiles(ClaimDemand claim, Collection<FleetPool> pools) {
        List<String> selectors = claim.asks().get(0).choices().get(0).selectors();
        Map<Geometry, Integer> profiles = new LinkedHashMap<>();
        // One GPU of a model has what all have.
        Set<Geometry> known = new HashSet<>();
        for (FleetPool pool : pools) {
            for (FleetGpu gpu : pool.gpus()) {
                gpu.geometry()
                        .filter(known::add)
                        .ifPresent(geometry -> profile(gpu, geometry, selectors)
                                .ifPresent(profile -> profiles.put(geometry, profile)));
            }
        }
        return profiles;
    }

    private static Optional<Integer> profile(FleetGpu gpu, Geometry geometry, List<String> selectors) {
        return gpu.selected(selectors).stream()
                .sorted()
                .flatMap(name -> Optional.ofNullable(gpu.slot(name)).flatMap(FleetGpu.Slot::placement).stream())
                .filter(placement -> placement != FleetGpu.WHOLE)
                .map(geometry::profileOf)
                .findFirst();
    }
}
