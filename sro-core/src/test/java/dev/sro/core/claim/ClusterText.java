package dev.sro.core.claim;

import dev.sro.core.dra.DraClasses;
import dev.sro.core.dra.DraGpu;
import dev.sro.core.dra.DraNode;
import dev.sro.core.dra.DraObstacle;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.DraPublisher;
import dev.sro.core.dra.DraServer;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.yaml.Yaml;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** A cluster of nodes with GPUs, as objects of its API. */
final class ClusterText {
    static final DraOptions OPTIONS = DraOptions.of(DraServer.of("v1.36.3"));

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final List<ResourceSlice> slices = new ArrayList<>();
    private final List<ResourceClaim> claims = new ArrayList<>();
    private final List<ResourceClaimTemplate> templates = new ArrayList<>();
    private final List<Pod> pods = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();

    /** A node with so many A100, on the first of which somebody else has these slices. */
    ClusterText node(String name, int gpus, DraObstacle... foreign) {
        return node(name, gpus, gpu -> gpu.addObstacles(foreign), OPTIONS, Set.of());
    }

    /** A node with so many A100, the first of which is ill, while claims have these devices. */
    ClusterText illNode(String name, int gpus, Set<String> allocated) {
        return node(name, gpus, gpu -> gpu.putFaults("xid-79", "fell off the bus"), OPTIONS, allocated);
    }

    /** A node with an A100 of which SRO's own allocator gives devices. */
    ClusterText allocatorNode(String name) {
        return node(
                name,
                1,
                gpu -> {},
                DraOptions.builder().from(OPTIONS).authoritative(true).build(),
                Set.of());
    }

    private ClusterText node(
            String name, int gpus, Consumer<DraGpu.Builder> first, DraOptions options, Set<String> allocated) {
        DraNode.Builder node = DraNode.builder().name(name);
        for (int i = 1; i <= gpus; i++) {
            DraGpu.Builder gpu = DraGpu.builder()
                    .pciAddress("0000:0" + i + ":00.0")
                    .model(Catalogue.builtin().model("A100-40GB"));
            if (i == 1) {
                first.accept(gpu);
            }
            node.addGpus(gpu.build());
        }
        List<ResourceSlice> before = allocated.isEmpty()
                ? List.of()
                : DraPublisher.of(options)
                        .publish(well(node.build()), Set.of(), List.of())
                        .slices();
        slices.addAll(DraPublisher.of(options)
                .publish(node.build(), allocated, before)
                .slices());
        return object("{apiVersion: v1, kind: Node, metadata: {name: " + name + "}, spec: {}}", Node.class, nodes);
    }

    private static DraNode well(DraNode node) {
        return DraNode.builder()
                .from(node)
                .gpus(node.gpus().stream()
                        .map(gpu -> DraGpu.builder().from(gpu).faults(Map.of()).build())
                        .toList())
                .build();
    }

    /** Devices whose names end so get a taint. */
    ClusterText taint(String ending, String key, String value, String effect) {
        slices.stream()
                .flatMap(slice -> slice.getSpec().getDevices().stream())
                .filter(device -> device.getName().endsWith(ending))
                .forEach(device -> device.setTaints(List.of(new DeviceTaintBuilder()
                        .withKey(key)
                        .withValue(value)
                        .withEffect(effect)
                        .build())));
        return this;
    }

    /** A pod that waits, by a claim for slices of a profile; what its request says besides is of YAML, with a comma first. */
    ClusterText claims(String pod, String deviceClass, String more) {
        claim("{metadata: {name: " + pod
                + ", namespace: ml}, spec: {devices: {requests: [{name: r, exactly: {deviceClassName: " + deviceClass
                + more + "}}]}}}");
        return pod("{metadata: {name: " + pod
                + ", namespace: ml}, spec: {containers: [{name: c, image: i}], resourceClaims: [{name: s,"
                + " resourceClaimName: " + pod + "}]}, status: {phase: Pending}}");
    }

    ClusterText node(String yaml) {
        nodes.removeIf(node -> yaml.contains("name: " + node.getMetadata().getName()));
        return object(yaml, Node.class, nodes);
    }

    /** A pod that runs with a slice: the profile as in names of devices, with the start. */
    ClusterText runs(String pod, String node, int gpu, String place) {
        claim("{metadata: {name: " + pod + ", namespace: ml}, spec: {}, status: {allocation: {devices: {results: ["
                + "{request: r, driver: slices.sro.dev, pool: " + node + "-slices.sro.dev, device: gpu-0000-0" + gpu
                + "-00-0-" + place + "}]}}, reservedFor: [{resource: pods, name: " + pod + ", uid: u}]}}");
        return pod("{metadata: {name: " + pod + ", namespace: ml}, spec: {nodeName: " + node
                + ", containers: [{name: c, image: i}], resourceClaims: [{name: s, resourceClaimName: " + pod
                + "}]}, status: {phase: Running}}");
    }

    ClusterText claim(String yaml) {
        return object(yaml, ResourceClaim.class, claims);
    }

    ClusterText template(String yaml) {
        return object(yaml, ResourceClaimTemplate.class, templates);
    }

    ClusterText pod(String yaml) {
        return object(yaml, Pod.class, pods);
    }

    /** A pod that waits, by limits. */
    ClusterText asks(String pod, String resource, int count) {
        return pod("{metadata: {name: " + pod
                + ", namespace: ml}, spec: {containers: [{name: c, image: i, resources: {limits: {" + resource + ": "
                + count + "}}}]}, status: {phase: Pending}}");
    }

    private <T> ClusterText object(String yaml, Class<T> type, List<T> all) {
        all.add(serialization.convertValue(Yaml.documents("test", yaml).get(0), type));
        return this;
    }

    ClaimObjects objects() {
        return new ClaimObjects(
                slices,
                claims,
                templates,
                DraClasses.create(List.of(Catalogue.builtin().model("A100-40GB")), OPTIONS, true),
                pods,
                nodes);
    }

    PodExplanation explain(String name) {
        Pod pod = pods.stream()
                .filter(one -> one.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
        return PodExplainer.of(objects(), Catalogue.builtin()).explain(pod);
    }
}
