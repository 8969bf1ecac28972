package dev.sro.agent.device;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A profile of GPU instances as the driver offers it on one GPU. Immutable.
 *
 * @param id by which the driver creates instances; not the enum, which is the mistake by which other tools cannot make some of them
 * @param nvmlEnum {@code NVML_GPU_INSTANCE_PROFILE_*}, by which the driver lists profiles
 * @param name as the driver prints it, such as {@code 1g.5gb+me}
 * @param computeSlices the number before {@code g}
 * @param size width in memory units
 * @param starts legal first units, ascending
 * @param maxInstances most of them on an empty GPU
 * @param engines what one takes of each shared engine, by the names of the catalogue
 * @param memoryMiB memory of one instance
 */
public record DriverProfile(
        int id,
        OptionalInt nvmlEnum,
        String name,
        int computeSlices,
        int size,
        List<Integer> starts,
        int maxInstances,
        Map<String, Integer> engines,
        long memoryMiB) {
    /** Copies the collections. */
    public DriverProfile {
        starts = starts.stream().sorted().toList();
        engines = Map.copyOf(engines);
    }
}
