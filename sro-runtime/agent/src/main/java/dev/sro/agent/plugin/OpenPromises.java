package dev.sro.agent.plugin;

import dev.sro.agent.device.Gpu;
import dev.sro.core.das.AllocationClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Promises that their pods have not had yet. A pod gets its slices one by one, so each of them is looked at by itself: while one container has
 * its slice, the place of the next is nobody else's. Kubelet may choose another place than was promised; then a promise of that profile is
 * had by it. Stateless.
 */
final class OpenPromises {

    private OpenPromises() {}

    /**
     * In the order of the claims.
     *
     * @param used pods, as kubelet has them, by the id of a device that they have
     */
    static List<AllocationClaim> of(List<AllocationClaim> claims, Map<String, String> used, List<Gpu> gpus) {
        Map<String, String> uuids = new HashMap<>();
        gpus.forEach(gpu -> uuids.put(gpu.address().toString(), gpu.uuid()));
        Map<String, List<PluginPlace>> had = new HashMap<>();
        used.forEach((id, pod) -> PluginPlace.find(gpus, id)
                .ifPresent(place ->
                        had.computeIfAbsent(pod, unused -> new ArrayList<>()).add(place)));
        List<AllocationClaim> open = new ArrayList<>(claims);
        open.removeIf(AllocationClaim::leaving);
        without(
                open,
                had,
                (claim, place) -> place.start() == claim.start()
                        && claim.gpu().equals(uuids.get(place.gpu().toString())));
        without(open, had, (claim, place) -> true);
        return open;
    }

    private static void without(
            List<AllocationClaim> open,
            Map<String, List<PluginPlace>> had,
            BiPredicate<AllocationClaim, PluginPlace> fits) {
        open.removeIf(claim -> {
            List<PluginPlace> places = had.getOrDefault(claim.pod().toString(), List.of());
            for (PluginPlace place : places) {
                if (place.profile().equals(claim.profile()) && fits.test(claim, place)) {
                    places.remove(place);
                    return true;
                }
            }
            return false;
        });
    }
}
