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

    /** What was found out for a node in the state that it is in, by what was asked for; to be added to. */
    Map<Object, Found> found(String node);

    /**
     * How good a node is for something.
     *
     * @param fits whether there is room
     * @param cost how little the policy likes it
     * @param freeUnits units of the node that nobody has
     * @param sure whether all was tried where nothing fits
     */
    record Found(boolean fits, double cost, int freeUnits, boolean sure) {}

    /** Key of the taint that every device bears. */
    String taint();

    /** How places are chosen. */
    PlacementPolicies policies();
}
