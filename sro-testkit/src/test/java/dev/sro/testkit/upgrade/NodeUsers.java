package dev.sro.testkit.upgrade;

import dev.sro.testkit.operator.SroSandbox;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.List;
import java.util.Map;

/** Pods that use the device of a node. */
final class NodeUsers {

    private NodeUsers() {}

    /**
     * A pod with a device on a node.
     *
     * @param managed whether something is its controller, so that it may be evicted; it is made anew by nobody
     */
    static void create(
            SroSandbox sandbox,
            String name,
            String node,
            Map<String, String> labels,
            boolean managed,
            List<String> finalizers) {
        Pod pod = sandbox.client().getKubernetesSerialization().unmarshal("""
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              nodeName: %s
              containers:
              - name: main
                image: registry.example/app:1
                resources: {limits: {example.com/gpu: 1}}
            """.formatted(name, node), Pod.class);
        pod.getMetadata().setLabels(labels);
        pod.getMetadata().setFinalizers(finalizers);
        if (managed) {
            pod = pod.edit()
                    .editMetadata()
                    .addNewOwnerReference()
                    .withApiVersion("v1")
                    .withKind("ConfigMap")
                    .withName("owner")
                    .withUid(owner(sandbox))
                    .withController(true)
                    .endOwnerReference()
                    .endMetadata()
                    .build();
        }
        sandbox.client().resource(pod).create();
    }

    private static String owner(SroSandbox sandbox) {
        var owners = sandbox.client().configMaps().inNamespace("default");
        ConfigMap owner = owners.withName("owner").get();
        if (owner == null) {
            owner = owners.resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("owner")
                            .withNamespace("default")
                            .endMetadata()
                            .build())
                    .create();
        }
        return owner.getMetadata().getUid();
    }

    /** No pod with this label {@code app} may go. */
    static void budget(SroSandbox sandbox, String app) {
        sandbox.client()
                .resource(sandbox.client()
                        .getKubernetesSerialization()
                        .unmarshal("""
                            apiVersion: policy/v1
                            kind: PodDisruptionBudget
                            metadata: {name: %1$s, namespace: default}
                            spec: {minAvailable: 1, selector: {matchLabels: {app: %1$s}}}
                            """.formatted(app), PodDisruptionBudget.class))
                .create();
    }

    /** What a container does is decided when it starts, so operands of which that changed are made anew. */
    static void startAnew(SroSandbox sandbox, String node, String prefix) {
        sandbox.client().pods().inNamespace("gpu").list().getItems().stream()
                .filter(pod -> node.equals(pod.getSpec().getNodeName()))
                .filter(pod -> pod.getMetadata().getName().startsWith(prefix))
                .forEach(pod -> sandbox.client().resource(pod).delete());
    }

    /** These pods go, and what keeps them. */
    static void away(SroSandbox sandbox, String... names) {
        sandbox.client()
                .policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace("default")
                .delete();
        for (String name : names) {
            var pod = sandbox.client().pods().inNamespace("default").withName(name);
            if (pod.get() != null) {
                pod.edit(held -> held.edit()
                        .editMetadata()
                        .withFinalizers(List.of())
                        .endMetadata()
                        .build());
                pod.withGracePeriod(0).delete();
            }
        }
    }
}
