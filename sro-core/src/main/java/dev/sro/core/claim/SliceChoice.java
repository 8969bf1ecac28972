package dev.sro.core.claim;

import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.PublishedFleet;
import dev.sro.core.slicing.catalogue.SliceProfile;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What serves a request: so many slices of a profile, on certain GPUs. Immutable.
 *
 * @param gpus ids of those that offer it
 * @param tainted devices that would do, and have a taint that the request does not tolerate
 */
record SliceChoice(String profile, int count, Set<String> gpus, List<TaintedDevice> tainted) {
    SliceChoice {
        gpus = Set.copyOf(gpus);
        tainted = List.copyOf(tainted);
    }

    /** The same as if no device were tainted. */
    SliceChoice untainted() {
        Set<String> all = new LinkedHashSet<>(gpus);
        tainted.forEach(device -> all.add(device.gpu().id()));
        return new SliceChoice(profile, count, all, List.of());
    }

    @Override
    public String toString() {
        return count == 1 ? profile : count + " x " + profile;
    }

    /** What serves a request, the most wanted first; alternatives that differ in places alone are one. */
    static List<SliceChoice> of(
            PodDeviceRequest request, List<PublishedFleet.Gpu> gpus, Selections selections, List<String> faults) {
        Map<List<Object>, Draft> choices = new LinkedHashMap<>();
        for (PodDeviceRequest.Alternative alternative : request.alternatives()) {
            faults.addAll(selections.faults(alternative.selectors()));
            for (PublishedFleet.Gpu gpu : gpus) {
                places(request, alternative, selections, gpu, choices);
            }
        }
        List<SliceChoice> all = new ArrayList<>();
        choices.forEach((key, draft) ->
                all.add(new SliceChoice((String) key.get(0), (Integer) key.get(1), draft.gpus(), draft.tainted)));
        return all;
    }

    /** What is known of a choice so far. */
    private static final class Draft {
        final Set<String> open = new LinkedHashSet<>();
        final Set<String> held = new LinkedHashSet<>();
        final List<TaintedDevice> tainted = new ArrayList<>();

        /** What claims have of a GPU that became ill stays published without the taint, and gets it when it is given back. */
        Set<String> gpus() {
            Set<String> gpus = new LinkedHashSet<>(held);
            tainted.forEach(device -> gpus.remove(device.gpu().id()));
            gpus.addAll(open);
            return gpus;
        }
    }

    private static void places(
            PodDeviceRequest request,
            PodDeviceRequest.Alternative alternative,
            Selections selections,
            PublishedFleet.Gpu gpu,
            Map<List<Object>, Draft> choices) {
        // Claims alone are given devices by SRO's own allocator, whose taint keeps none from them.
        String own = request.resource().isEmpty() ? DraOptions.allocatorTaint(gpu.driver()) : "";
        Set<String> had = gpu.uses().stream().map(PublishedFleet.Use::device).collect(Collectors.toSet());
        for (int i = 0; i < gpu.places().size(); i++) {
            PublishedFleet.Place place = gpu.places().get(i);
            Optional<String> profile = place.profile().isEmpty() ? whole(gpu) : Optional.of(place.profile());
            if (profile.isEmpty()) {
                continue;
            }
            List<Object> key = List.of(profile.get(), alternative.count());
            Optional<DeviceTaint> taint = DeviceTaints.against(place.device(), alternative.tolerations(), own);
            Draft known = choices.get(key);
            boolean settled = taint.isEmpty() && known != null && known.open.contains(gpu.id());
            if (settled || !selections.selects(alternative.selectors(), gpu, i)) {
                continue;
            }
            Draft draft = choices.computeIfAbsent(key, wanted -> new Draft());
            taint.ifPresentOrElse(
                    found -> draft.tainted.add(new TaintedDevice(gpu, place, found, request.what())),
                    () -> (had.contains(place.device().getName()) ? draft.held : draft.open).add(gpu.id()));
        }
    }

    /** The profile that takes as much as the whole GPU does. */
    private static Optional<String> whole(PublishedFleet.Gpu gpu) {
        return gpu.model().profiles().stream()
                .filter(profile -> profile.size() == gpu.model().memoryUnits())
                .map(SliceProfile::name)
                .findFirst();
    }
}
