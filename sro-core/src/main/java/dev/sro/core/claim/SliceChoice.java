package dev.sro.core.claim;

import dev.sro.core.dra.PublishedFleet;
import dev.sro.core.slicing.catalogue.SliceProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What serves a request: so many slices of a profile, on certain GPUs. Immutable.
 *
 * @param gpus ids of those that offer it
 */
record SliceChoice(String profile, int count, Set<String> gpus) {
    SliceChoice {
        gpus = Set.copyOf(gpus);
    }

    @Override
    public String toString() {
        return count == 1 ? profile : count + " x " + profile;
    }

    /** What serves a request, the most wanted first; alternatives that differ in places alone are one. */
    static List<SliceChoice> of(PodDeviceRequest request, List<PublishedFleet.Gpu> gpus, List<String> faults) {
        Map<List<Object>, Set<String>> choices = new LinkedHashMap<>();
        for (PodDeviceRequest.Alternative alternative : request.alternatives()) {
            DeviceMatch match = new DeviceMatch(alternative.selectors());
            faults.addAll(match.faults());
            for (PublishedFleet.Gpu gpu : gpus) {
                for (String profile : profiles(gpu, match)) {
                    choices.computeIfAbsent(List.of(profile, alternative.count()), key -> new LinkedHashSet<>())
                            .add(gpu.id());
                }
            }
        }
        List<SliceChoice> all = new ArrayList<>();
        choices.forEach((key, ids) -> all.add(new SliceChoice((String) key.get(0), (Integer) key.get(1), ids)));
        return all;
    }

    private static Set<String> profiles(PublishedFleet.Gpu gpu, DeviceMatch match) {
        Set<String> profiles = new LinkedHashSet<>();
        for (PublishedFleet.Place place : gpu.places()) {
            Optional<String> profile = place.profile().isEmpty() ? whole(gpu) : Optional.of(place.profile());
            if (profile.isPresent()
                    && !profiles.contains(profile.get())
                    && match.selects(gpu.driver(), place.device())) {
                profiles.add(profile.get());
            }
        }
        return profiles;
    }

    /** The profile that takes as much as the whole GPU does. */
    private static Optional<String> whole(PublishedFleet.Gpu gpu) {
        return gpu.model().profiles().stream()
                .filter(profile -> profile.size() == gpu.model().memoryUnits())
                .map(SliceProfile::name)
                .findFirst();
    }
}
