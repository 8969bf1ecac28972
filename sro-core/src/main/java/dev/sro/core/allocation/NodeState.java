package dev.sro.core.allocation;

import java.util.ArrayList;
import java.util.List;

/**
 * The GPUs of a node and what is on them, at one moment of a search. Immutable.
 *
 * @param gpus those that count
 * @param uses in their order
 */
record NodeState(List<FleetGpu> gpus, List<GpuUse> uses) {
    static NodeState of(FleetView fleet, String node) {
        List<FleetGpu> gpus = fleet.gpus(node);
        List<GpuUse> uses = new ArrayList<>();
        gpus.forEach(gpu -> uses.add(fleet.use(gpu)));
        return new NodeState(gpus, uses);
    }

    NodeState with(List<GpuUse> now) {
        return new NodeState(gpus, now);
    }

    /** Units that nobody has. */
    int freeUnits() {
        return uses.stream().mapToInt(GpuUse::freeUnits).sum();
    }
}
