package dev.sro.runtime.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.SimGpus;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Workloads of users of the cluster, one StatefulSet each, in the namespace {@code default}. Confined to one thread. */
final class GpuPods {

    private static final String NAMESPACE = "default";

    private static final String YAML = """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: %1$s, namespace: default}
        spec:
          serviceName: %1$s
          replicas: %2$d
          podManagementPolicy: Parallel
          selector: {matchLabels: {app: %1$s}}
          template:
            metadata: {labels: {app: %1$s}}
            spec:
              containers:
              - name: main
                image: registry.example/%1$s:1
                resources: {requests: {cpu: %3$d}%4$s}
        %5$s\
        """;

    private final SroSandbox sandbox;

    GpuPods(SroSandbox sandbox) {
        this.sandbox = sandbox;
    }

    /** Pods that need no device. */
    void create(String name, int replicas, int cpus, String podSpec) {
        create(name, replicas, cpus, "", podSpec);
    }

    /** A pod that asks for a GPU. */
    void createWithGpu(String name, int cpus) {
        create(name, 1, cpus, ", limits: {" + SimGpus.RESOURCE + ": 1}", "");
    }

    private void create(String name, int replicas, int cpus, String limits, String podSpec) {
        String yaml = YAML.formatted(name, replicas, cpus, limits, podSpec.indent(6));
        sandbox.client()
                .load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .create();
    }

    void delete(String name) {
        sandbox.client()
                .apps()
                .statefulSets()
                .inNamespace(NAMESPACE)
                .withName(name)
                .delete();
    }

    /** All pods of a workload, also those that go. */
    List<? extends JsonNode> of(String name) {
        return sandbox.cluster().api().list(Gvr.PODS).stream()
                .filter(pod -> pod.at("/metadata/namespace").asText().equals(NAMESPACE)
                        && pod.at("/metadata/labels/app").asText().equals(name))
                .toList();
    }

    /** Nodes of the running pods of a workload, by the uid of the pod. */
    Map<String, String> running(String name) {
        Map<String, String> nodes = new TreeMap<>();
        of(name).stream()
                .filter(pod -> pod.at("/status/phase").asText().equals("Running")
                        && pod.at("/metadata/deletionTimestamp").isMissingNode())
                .forEach(pod -> nodes.put(
                        pod.at("/metadata/uid").asText(),
                        pod.at("/spec/nodeName").asText()));
        return nodes;
    }

    /** What the scheduler says of the pods of a workload that have no node. */
    List<String> pending(String name) {
        return of(name).stream()
                .filter(pod -> pod.at("/spec/nodeName").asText().isEmpty())
                .map(pod -> pod.at("/status/conditions/0/message").asText())
                .toList();
    }
}
