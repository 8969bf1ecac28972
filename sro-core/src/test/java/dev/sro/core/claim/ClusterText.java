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
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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
        DraNode.Builder node = DraNode.builder().name(name);
        for (int i = 1; i <= gpus; i++) {
            DraGpu.Builder gpu = DraGpu.builder()
                    .pciAddress("0000:0" + i + ":00.0")
                    .model(Catalogue.builtin().model("A100-40GB"));
            if (i == 1) {
                gpu.addObstacles(foreign);
            }
            node.addGpus(gpu.build());
        }
        slices.addAll(DraPublisher.of(OPTIONS)
                .publish(node.build(), Set.of(), List.of())
                .slices());
        return object("{apiVersion: v1, kind: Node, metadata: {name: " + name + "}, spec: {}}", Node.class, nodes);
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
