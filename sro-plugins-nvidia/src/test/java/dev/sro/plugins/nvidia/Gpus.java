package dev.sro.plugins.nvidia;

import dev.sro.api.ClusterFacts;
import dev.sro.api.KernelVersion;
import dev.sro.api.NodeFacts;
import dev.sro.api.OsRelease;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.contract.ContractProfile;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.SimGpus;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Special resources, clusters and nodes of the tests. */
final class Gpus {

    /** Kinds whose objects {@code GoldenManifestsTest} and those of monitoring hold against their definitions. */
    static final Set<String> WITH_TESTS_OF_THEIR_OWN = Set.of("grafana.integreatly.org/v1beta1/GrafanaDashboard");

    static final String NAME = "gpu";

    /** Eight A100 that nobody has cut, as a node of the simulation. */
    static final NodeProfile NODE =
            SimGpus.node(dev.sro.testkit.sim.OsRelease.UBUNTU_22).withResource(SimGpus.RESOURCE, "8");

    private Gpus() {}

    /** A special resource with these settings, as flow YAML. */
    static String resource(String config) {
        return """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %s}
            spec:
              namespace: nvidia-gpu-operator
              plugin:
                name: nvidia-gpu
                config: %s
            """.formatted(NAME, config);
    }

    /** The configurations that together need all rights of the plugin. */
    static List<ContractProfile> profiles() {
        Map<String, NodeProfile> ubuntu = Map.of("a", NODE);
        Map<String, NodeProfile> rhcos = Map.of("a", NODE.withOs(dev.sro.testkit.sim.OsRelease.RHCOS_9));
        return GoldenManifestsTest.PROFILES.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(profile -> profile.getKey().equals("everything")
                        ? ContractProfile.of("everything on OpenShift", resource(profile.getValue()), rhcos)
                                .onOpenShift()
                        : ContractProfile.of(profile.getKey(), resource(profile.getValue()), ubuntu))
                .toList();
    }

    static SpecialResource parsed(String config) {
        return Serialization.unmarshal(resource(config), SpecialResource.class);
    }

    static ClusterFacts kubernetes() {
        return ClusterFacts.builder()
                .addServedKinds("apps/v1/DaemonSet", "resource.k8s.io/v1/DeviceClass")
                .addAllClusterScopedKinds(clusterScoped())
                .build();
    }

    static ClusterFacts openShift() {
        return ClusterFacts.builder()
                .addServedKinds(
                        "apps/v1/DaemonSet", "config.openshift.io/v1/ClusterVersion", "resource.k8s.io/v1/DeviceClass")
                .addAllClusterScopedKinds(clusterScoped())
                .openShiftVersion("4.19.3")
                .putDriverToolkitKernels("5.14.0-427.50.1.el9_4.x86_64", "quay.example/dtk@sha256:" + "a".repeat(64))
                .build();
    }

    private static Set<String> clusterScoped() {
        return Set.of(
                "node.k8s.io/v1/RuntimeClass",
                "resource.k8s.io/v1/DeviceClass",
                "rbac.authorization.k8s.io/v1/ClusterRole",
                "rbac.authorization.k8s.io/v1/ClusterRoleBinding");
    }

    static RecipeContext context(ClusterFacts cluster, String config) {
        return new RecipeContext(parsed(config), cluster);
    }

    static Settings settings(String config) {
        return new Settings(context(kubernetes(), config));
    }

    static NodeFacts node(String name, String kernel, String os, String version, Map<String, String> labels) {
        return NodeFacts.builder()
                .name(name)
                .kernel(new KernelVersion(kernel))
                .os(new OsRelease(os, version))
                .architecture("amd64")
                .putLabels("feature.node.kubernetes.io/pci-10de.present", "true")
                .putAllLabels(labels)
                .build();
    }

    static NodeFacts ubuntu(Map<String, String> labels) {
        return node("a", "5.15.0-91-generic", "ubuntu", "22.04", labels);
    }

    static NodeFacts rhcos() {
        return node("a", "5.14.0-427.50.1.el9_4.x86_64", "rhcos", "9.4", Map.of());
    }
}
