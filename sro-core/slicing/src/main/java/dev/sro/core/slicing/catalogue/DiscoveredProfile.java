package dev.sro.core.slicing.catalogue;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A profile as a driver reports it for one device. For NVML: {@code nvmlDeviceGetGpuInstanceProfileInfoV} and
 * {@code nvmlDeviceGetGpuInstancePossiblePlacements_v2}. Immutable.
 *
 * @param name as the driver prints it
 * @param nvmlProfileEnum NVML {@code NVML_GPU_INSTANCE_PROFILE_*} value, where the driver has such
 * @param size width in units
 * @param starts legal first units, in any order
 * @param maxInstances most instances on an empty device
 * @param engines what an instance takes of each engine; empty where the driver does not say, then the catalogue's hold
 */
public record DiscoveredProfile(
        String name,
        OptionalInt nvmlProfileEnum,
        int size,
        List<Integer> starts,
        int maxInstances,
        Map<String, Integer> engines) {
    /** Copies the collections. */
    public DiscoveredProfile {
        starts = starts.stream().sorted().toList();
        engines = Map.copyOf(engines);
    }
}
