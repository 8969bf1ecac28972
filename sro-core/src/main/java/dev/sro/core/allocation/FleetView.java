package dev.sro.core.allocation;

import io.fabric8.kubernetes.api.model.resource.v1.Device;
import java.util.List;
import java.util.Map;

/** What a search reads of a fleet. */
interface FleetView {
    /** The GPUs of a node that count. */
    List<FleetGpu> gpus(String node);

    /** What claims have of a GPU. */
    GpuUse use(FleetGpu gpu);

    /** What a claim has of some GPUs. */
    Map<FleetGpu, List<Device>> devices(String claim, List<FleetGpu> gpus);

    /** Key of the taint that every device bears. */
    String taint();

    /** How places are chosen. */
    PlacementPolicies policies();
}
