package dev.sro.runtime.scheduler;

import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.NodeAccelerator;
import dev.sro.core.das.NodeAccelerator.AcceleratorGpu;
import dev.sro.core.das.NodeAccelerator.AcceleratorProfile;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.runtime.CrdCommand;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Objects for tests of the scheduler: nodes of A100-40GB, what DAS's API has of them, pods. Stateless but for the client. */
final class SliceWorld {
    static final DeviceModel A100 = Catalogue.builtin().model("A100-40GB");

    private final KubernetesClient client;

    SliceWorld(KubernetesClient client) {
        this.client = client;
    }

    /** Those that are installed. */
    void definitions() {
        for (String path : CrdCommand.DAS) {
            try (InputStream yaml = Objects.requireNonNull(SliceWorld.class.getResourceAsStream(path), path)) {
                CustomResourceDefinition definition =
                        client.getKubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class);
                // Tests on one API server share them.
                if (client.resource(definition).get() == null) {
                    client.resource(definition).create();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A Node. */
    void node(String name, String cpu) {
        Node node = new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .addToAllocatable("cpu", new Quantity(cpu))
                .addToAllocatable("memory", new Quantity("64Gi"))
                .addToAllocatable("pods", new Quantity("110"))
                .endStatus()
                .build();
        client.resource(node).create();
        client.resource(node).patchStatus();
        // Each node begins with the taint not-ready, which goes when its kubelet says that it is.
        client.nodes().withName(name).edit(live -> {
            live.getSpec().setTaints(List.of());
            return live;
        });
    }

    /** What a node has. */
    void inventory(String node, String namespace, int gpus) {
        Map<String, AcceleratorProfile> profiles = new HashMap<>();
        A100.profiles()
                .forEach(profile ->
                        profiles.put(profile.name(), new AcceleratorProfile(profile.size(), profile.starts(), -1)));
        List<AcceleratorGpu> list = new ArrayList<>();
        for (int i = 0; i < gpus; i++) {
            list.add(new AcceleratorGpu(
                    "GPU-" + node + "-" + i, "NVIDIA A100-SXM4-40GB", "40Gi", "A100-40GB", "", "", profiles));
        }
        NodeAccelerator accelerator = new NodeAccelerator(namespace, node, list);
        GenericKubernetesResource made = client.genericKubernetesResources(ClaimWriter.NODES)
                .inNamespace(namespace)
                .resource(accelerator.object())
                .create();
        made.setAdditionalProperty("status", new LinkedHashMap<>(Map.of("nodeResources", accelerator.resources())));
        client.genericKubernetesResources(ClaimWriter.NODES)
                .inNamespace(namespace)
                .resource(made)
                .updateStatus();
    }

    /** A pod that asks for slices; it is not created yet. */
    static PodBuilder pod(String namespace, String name, String resource, int count) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("registry.example.com/train:1")
                .withNewResources()
                .addToLimits(resource, new Quantity(Integer.toString(count)))
                .addToRequests("cpu", new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec();
    }

    Pod create(PodBuilder pod) {
        return client.resource(pod.build()).create();
    }

    /** All claims, those that are being deleted too. */
    List<AllocationClaim> claims() {
        return client.genericKubernetesResources(ClaimWriter.CLAIMS).inAnyNamespace().list().getItems().stream()
                .map(AllocationClaim::of)
                .toList();
    }
}
