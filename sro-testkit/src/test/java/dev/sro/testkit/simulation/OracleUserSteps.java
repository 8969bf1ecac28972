package dev.sro.testkit.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What others do in a random history: to operands, and with devices. */
final class OracleUserSteps {

    private final OracleWorld world;
    private Random random;
    private int created;

    OracleUserSteps(OracleWorld world, Random random) {
        this.world = world;
        this.random = random;
    }

    /** What is drawn from here on. */
    void draw(Random from) {
        random = from;
    }

    private @Nullable ObjectNode anyOperand(Gvr type) {
        List<ObjectNode> operands = world.sandbox.cluster().api().list(type);
        return operands.isEmpty() ? null : operands.get(random.nextInt(operands.size()));
    }

    void deleteOperand() {
        Gvr type = List.of(Gvr.JOBS, Gvr.DAEMONSETS, Gvr.DEPLOYMENTS, Gvr.PODS).get(random.nextInt(4));
        ObjectNode operand = anyOperand(type);
        if (operand != null) {
            String name = operand.at("/metadata/name").asText();
            world.log.add("somebody deletes " + type.plural() + " " + name);
            world.sandbox
                    .cluster()
                    .api()
                    .delete(type, operand.at("/metadata/namespace").asText(), name, DeleteOptions.DEFAULT);
        }
    }

    void foreignEditOfOperand() {
        Gvr type = random.nextBoolean() ? Gvr.DAEMONSETS : Gvr.DEPLOYMENTS;
        ObjectNode operand = anyOperand(type);
        if (operand != null) {
            boolean image = random.nextBoolean();
            String name = operand.at("/metadata/name").asText();
            world.log.add("somebody edits " + (image ? "the image" : "the labels") + " of " + name);
            world.sandbox
                    .cluster()
                    .api()
                    .as("somebody")
                    .update(type, operand.at("/metadata/namespace").asText(), name, null, object -> {
                        if (image) {
                            ((ObjectNode) object.at("/spec/template/spec/containers/0")).put("image", "other:1");
                        } else {
                            object.withObject("/metadata/labels").put("app.kubernetes.io/name", "somebody");
                        }
                        return object;
                    });
        }
    }

    /** A namespace of a special resource goes, with all that is in it. */
    void deleteNamespace() {
        List<String> names = world.resourceNames();
        String name = names.get(random.nextInt(names.size()));
        if (!name.equals("recipe")) {
            world.log.add("somebody deletes namespace " + name);
            world.sandbox.client().namespaces().withName(name).delete();
        }
    }

    /** Somebody writes into a status. */
    void editStatus(String name) {
        world.log.add("somebody edits the status of " + name);
        if (world.resources().contains(name)) {
            world.sandbox
                    .cluster()
                    .api()
                    .as("somebody")
                    .update(OracleWorld.SPECIAL_RESOURCES, null, name, "status", object -> {
                        object.withObject("/status").put("state", "Ready: so they say");
                        return object;
                    });
        }
    }

    /** A pod uses a device of a node, by a resource or by a claim; it may be evicted. */
    void useDevice() {
        List<String> nodes = world.nodes();
        if (nodes.isEmpty()) {
            return;
        }
        String node = nodes.get(random.nextInt(nodes.size()));
        String name = "user-" + created++;
        boolean claim = random.nextBoolean();
        world.log.add("pod " + name + " uses the device of " + node + (claim ? " by a claim" : ""));
        if (claim) {
            claim(name);
        }
        String pod = """
            apiVersion: v1
            kind: Pod
            metadata:
              name: %s
              namespace: default
              ownerReferences: [{apiVersion: v1, kind: Namespace, name: default, uid: none, controller: true}]
            spec:
              nodeName: %s
              %s
              containers: [{name: main, image: "registry.example/user:1", resources: {%s}}]
            """.formatted(
                        name,
                        node,
                        claim ? "resourceClaims: [{name: d, resourceClaimName: " + name + "}]" : "",
                        claim ? "claims: [{name: d}]" : "limits: {example.com/gpu: 1}");
        try {
            world.sandbox
                    .client()
                    .resource(world.sandbox
                            .client()
                            .getKubernetesSerialization()
                            .unmarshal(pod.replace("uid: none", "uid: " + owner()), Pod.class))
                    .create();
        } catch (KubernetesClientException e) {
            world.log.add("refused: " + e.getMessage());
        }
    }

    private String owner() {
        return world.sandbox
                .client()
                .namespaces()
                .withName("default")
                .get()
                .getMetadata()
                .getUid();
    }

    private void claim(String name) {
        String claim = """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: %s, namespace: default}
            spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}
            """.formatted(name);
        world.sandbox
                .client()
                .resource(world.sandbox
                        .client()
                        .getKubernetesSerialization()
                        .unmarshal(claim, GenericKubernetesResource.class))
                .create();
        Gvr claims = new Gvr("resource.k8s.io", "v1", "resourceclaims");
        world.sandbox.cluster().api().update(claims, "default", name, "status", object -> {
            object.withObject("/status/allocation/devices")
                    .putArray("results")
                    .addObject()
                    .put("request", "r")
                    .put("driver", "gpu.example.com")
                    .put("pool", "p")
                    .put("device", "d");
            return object;
        });
    }
}
