package dev.sro.runtime.slices;

import dev.sro.core.claim.FleetStatus;
import dev.sro.core.claim.PodExplanation;
import dev.sro.core.dra.InfeasibilityCertificate;
import dev.sro.core.dra.PublishedFleet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The state of a cluster, and why a pod waits, for programs. Stateless. */
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
        tree.put("waiting", status.waiting().stream().map(FleetTrees::tree).toList());
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

    static Map<String, Object> tree(PodExplanation pod) {
        Map<String, Object> tree = Output.object(
                "pod",
                pod.pod(),
                "state",
                FleetText.word(pod.state()),
                "summary",
                pod.summary(),
                "asks",
                pod.asks(),
                "has",
                pod.has(),
                "details",
                pod.details(),
                "nodes",
                pod.nodes().stream()
                        .map(node -> Output.object(
                                "node",
                                node.node(),
                                "answer",
                                FleetText.word(node.verdict()),
                                "freeUnits",
                                node.freeUnits(),
                                "units",
                                node.units(),
                                "text",
                                node.text()))
                        .toList(),
                "nearest",
                pod.nearest(),
                "certificates",
                pod.certificates().stream().map(FleetTrees::certificate).toList());
        pod.moves().ifPresent(plan -> tree.put("plan", Plans.tree(plan)));
        return tree;
    }

    private static Map<String, Object> certificate(InfeasibilityCertificate certificate) {
        List<Object> parts = List.copyOf(certificate.parts().stream()
                .map(part -> Output.object(
                        "weights",
                        new TreeMap<>(part.weights()),
                        "perDevice",
                        part.perDevice(),
                        "meaning",
                        part.meaning()))
                .toList());
        return Output.object(
                "model",
                certificate.model(),
                "wanted",
                certificate.wantedText(),
                "wantedCounts",
                new TreeMap<>(certificate.wanted()),
                "devices",
                certificate.devices(),
                "needed",
                certificate.needed(),
                "counts",
                new TreeMap<>(certificate.counts()),
                "parts",
                parts);
    }
}
