package dev.sro.core.dra;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What is left of a GPU where some of its places are out of reach. Stateless. */
final class BarredPlaces {
    private BarredPlaces() {}

    /** A model without these places, but with what claims have; empty if nothing is left. */
    static Optional<DeviceModel> without(
            PublishedFleet.Gpu gpu, DeviceModel usable, List<PublishedFleet.Place> places) {
        Set<String> barred = new TreeSet<>();
        places.forEach(place -> barred.add(key(profile(gpu, place.profile()), place.start())));
        gpu.uses().forEach(use -> barred.remove(key(profile(gpu, use.profile()), use.start())));
        return without(usable, barred);
    }

    /** The same for places by {@link #key}. */
    static Optional<DeviceModel> without(DeviceModel usable, Set<String> barred) {
        if (barred.isEmpty()) {
            return Optional.of(usable);
        }
        List<SliceProfile> profiles = usable.profiles().stream()
                .map(profile -> SliceProfile.builder()
                        .from(profile)
                        .starts(profile.starts().stream()
                                .filter(start -> !barred.contains(key(profile.name(), start)))
                                .toList())
                        .build())
                .filter(profile -> !profile.starts().isEmpty())
                .toList();
        return profiles.isEmpty()
                ? Optional.empty()
                : Optional.of(DeviceModel.builder()
                        .from(usable)
                        .key(usable.key() + ClosedModels.WITHOUT + String.join(ClosedModels.AND, barred))
                        .profiles(profiles)
                        .build());
    }

    private static String key(String profile, int start) {
        return profile + " at " + start;
    }

    /** The profile that takes as much as the whole GPU does stands for that. */
    private static String profile(PublishedFleet.Gpu gpu, String profile) {
        return profile.isEmpty()
                ? gpu.model().profiles().stream()
                        .filter(each -> each.size() == gpu.model().memoryUnits())
                        .map(SliceProfile::name)
                        .findFirst()
                        .orElse("")
                : profile;
    }
}
