package dev.sro.core.dra;

import io.fabric8.kubernetes.api.model.resource.v1.Device;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is to be published of one GPU. Immutable.
 *
 * @param name of its counter set
 * @param devices in their order
 * @param counters what the set has of each; empty where there is no set
 * @param scene what is on it, for those that can be sliced and are there
 * @param freeUnits units that can still be had; 0 where the GPU takes nothing new
 */
record GpuPlan(String name, List<Device> devices, Map<String, Long> counters, Optional<Scene> scene, int freeUnits) {
    GpuPlan {
        devices = List.copyOf(devices);
    }

    /** A GPU whose placements are listed. */
    record Scene(ModelTables tables, GpuLoad load) {}
}
