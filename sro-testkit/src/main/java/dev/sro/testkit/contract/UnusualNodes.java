package dev.sro.testkit.contract;

import dev.sro.api.KernelVersion;
import dev.sro.api.NodeFacts;
import dev.sro.api.OsRelease;
import java.util.List;

/** Nodes as they come in real clusters and as no plugin expects them. Stateless. */
final class UnusualNodes {

    private UnusualNodes() {}

    static List<NodeFacts> all() {
        return List.of(
                node("nothing-known", "1", "", "").build(),
                node("unknown-system", "6.12.0-custom+", "unknown", "").build(),
                node("rolling-release", "7.0.1-arch1-1", "arch", "").build(),
                node("arm", "5.14.0-427.50.1.el9_4.aarch64", "rhel", "9.4")
                        .architecture("arm64")
                        .build(),
                node("not-ready", "5.15.0-91-generic", "ubuntu", "22.04")
                        .ready(false)
                        .unschedulable(true)
                        .addTaints("node.kubernetes.io/unreachable:NoExecute")
                        .build(),
                node("odd-labels", "5.15.0-91-generic", "ubuntu", "22.04")
                        .putLabels("feature.node.kubernetes.io/pci-zzzz.present", "true")
                        .putLabels("feature.node.kubernetes.io/pci-0302_10de.present", "")
                        .putLabels("feature.node.kubernetes.io/kernel-version.full", "")
                        .build(),
                node("odd-amounts", "5.15.0-91-generic", "ubuntu", "22.04")
                        .putAllocatable("cpu", "")
                        .putAllocatable("vendor.example/device", "-1")
                        .build());
    }

    private static NodeFacts.Builder node(String name, String kernel, String os, String version) {
        NodeFacts.Builder builder = NodeFacts.builder();
        builder.name(name)
                .kernel(new KernelVersion(kernel))
                .os(new OsRelease(os, version))
                .architecture("amd64");
        return builder;
    }
}
