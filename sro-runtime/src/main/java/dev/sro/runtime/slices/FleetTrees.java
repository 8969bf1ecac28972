package dev.sro.runtime.slices;

import dev.sro.core.claim.FleetStatus;
import dev.sro.core.dra.PublishedFleet;
import dev.sro.runtime.waiting.ExplanationText;
import java.util.LinkedHashMap;
import java.util.Map;

/** The state of a cluster for programs. Stateless. */
final class FleetTrees {
    private FleetTrees() {}

    static Map<String, Object> tree(FleetStatus status) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("gpus", status.gpus().stream().map(FleetTrees::gpu).toList());
        tree.put(
                "profiles",
                status.profiles().stream()
                        .map(profile -> Output.object(
                                "model",
                                profile.model(),
                                "profile",
                                profile.profile(),
                                "taken",
                                profile.used(),
                                "free",
                                profile.free(),
                                "rearranged",
                                profile.rearranged(),
                                "fragmentation",
                                profile.fragmentation()))
                        .toList());
        tree.put("waiting", status.waiting().stream().map(ExplanationText::tree).toList());
        tree.put("unknown", status.unknown());
        return tree;
    }

    private static Map<String, Object> gpu(FleetStatus.GpuStatus status) {
        PublishedFleet.Gpu gpu = status.gpu();
        return Output.object(
                "node",
                gpu.node(),
                "address",
                gpu.address(),
                "driver",
                gpu.driver(),
                "model",
                gpu.model().key(),
                "units",
                gpu.model().memoryUnits(),
                "usedUnits",
                gpu.usedUnits(),
                "closedUnits",
                gpu.closedUnits(),
                "cordon",
                status.cordon().orElse(""),
                "taints",
                gpu.taints(),
                "slices",
                gpu.uses().stream()
                        .map(use -> Output.object(
                                "holder",
                                use.holder(),
                                "profile",
                                use.profile(),
                                "start",
                                use.start(),
                                "device",
                                use.device()))
                        .toList(),
                "fits",
                status.fits());
    }
}
