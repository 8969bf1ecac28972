package dev.sro.core.claim;

import dev.sro.core.slicing.catalogue.DeviceModel;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * GPUs of one model that could serve a pod, with what runs on them: what a certificate about the pod has to be true of. Immutable.
 *
 * @param model without what is closed on these GPUs
 * @param running for each GPU the names of the profiles of the slices on it
 * @param wanted how many slices of each profile of the model the pod asks for, all at the same time
 */
public record ProofGround(DeviceModel model, List<List<String>> running, Map<String, Long> wanted) {
    /** Copies the collections. */
    public ProofGround {
        running = List.copyOf(running);
        wanted = Map.copyOf(wanted);
    }

    ProofGround(DeviceModel model, List<List<String>> running) {
        this(model, running, Map.of());
    }

    /** The same for a pod that asks for so many of each profile, under any of its names. */
    ProofGround asking(Map<String, Long> slices) {
        Map<String, Long> own = new TreeMap<>();
        slices.forEach(
                (name, count) -> model.profile(name).ifPresent(profile -> own.merge(profile.name(), count, Long::sum)));
        return new ProofGround(model, running, own);
    }

    /** How many slices of each profile run. */
    public Map<String, Long> counts() {
        Map<String, Long> counts = new TreeMap<>();
        running.forEach(device -> device.forEach(profile -> counts.merge(profile, 1L, Long::sum)));
        return counts;
    }
}
