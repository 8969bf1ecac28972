package dev.sro.testkit.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.operation.UpgradeStrategy;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.UpgradeNodeStatus;
import dev.sro.api.resource.UpgradeStatus;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A sandbox with nodes that carry a device, and two plugins for it: gpu and net. Not thread-safe. */
final class UpgradeWorld implements AutoCloseable {

    static final Duration LONG = Duration.ofHours(4);
    static final String STATE = "sro.dev/gpu.driver-upgrade-state";
    static final NodeProfile PROFILE = NodeProfile.of(OsRelease.RHEL_9)
            .withLabel("example.com/device", "true")
            .withResource("example.com/gpu", "4");

    final SroSandbox sandbox;

    UpgradeWorld() {
        this(SroSandbox.create(
                new GpuPlugin(
                        "gpu",
                        UpgradeStrategy.builder()
                                .validateBefore(List.of("2000-validation"))
                                .build()),
                new GpuPlugin(
                        "net",
                        UpgradeStrategy.builder()
                                .safeLoadAnnotation("example.com/net-driver-wait-for-safe-load")
                                .build())));
    }

    /** With other plugins; the one that tests are about is gpu. */
    UpgradeWorld(SroSandbox sandbox) {
        this.sandbox = sandbox;
    }

    /** The driver's version is its digest. */
    void resource(String name, String version, String policy) {
        resource(name, version, version, policy);
    }

    void resource(String name, String version, String digest, String policy) {
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %1$s}
            spec:
              namespace: %1$s
              plugin: {name: %1$s}
              nodeSelector: {example.com/device: "true"}
              set: {apiVersion: sro.openshift.io/v1beta1, kind: Values, version: "%2$s", digest: "%3$s"}
              upgradePolicy: %4$s
            """.formatted(name, version, digest, policy));
    }

    /** A node without the device: with it, a cluster with one card has more than one node. */
    void bystander() {
        sandbox.nodes().create("bystander", NodeProfile.of(OsRelease.RHEL_9));
    }

    /** Nodes with version 1 of the driver of gpu; requests are recorded from here on. */
    void ready(String policy, int nodes) {
        sandbox.nodes().createMany("node-", nodes, PROFILE);
        resource("gpu", "1", policy);
        until("gpu", "1");
        sandbox.run(Duration.ofSeconds(5));
        sandbox.cluster().recording().start();
    }

    /** Every node has this version, and the upgrade is done. */
    void until(String name, String version) {
        boolean ended = sandbox.runUntil(
                LONG, () -> done(name) && versions(name).values().stream().allMatch(version::equals));
        assertThat(ended).as(() -> story(name)).isTrue();
    }

    String story(String name) {
        return phases("sro.dev/" + name + ".driver-upgrade-state") + " " + versions(name) + " " + status(name) + " "
                + sandbox.state(name);
    }

    UpgradeStatus status(String name) {
        return sandbox.get(name)
                .map(SpecialResource::getStatus)
                .map(status -> Objects.requireNonNullElseGet(status.getUpgrade(), UpgradeStatus::new))
                .orElseGet(UpgradeStatus::new);
    }

    @Nullable UpgradeNodeStatus stuck(String node) {
        return status("gpu").getStuck().stream()
                .filter(stuck -> node.equals(stuck.getNode()))
                .findFirst()
                .orElse(null);
    }

    boolean done(String name) {
        SpecialResource resource = sandbox.get(name).orElseThrow();
        return "Done".equals(status(name).getState())
                && resource.getStatus() != null
                && resource.getMetadata()
                        .getGeneration()
                        .equals(resource.getStatus().getObservedGeneration());
    }

    Map<String, String> versions(String name) {
        return sandbox.client().pods().inNamespace(name).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith(name + "-driver"))
                .collect(Collectors.toMap(
                        pod -> String.valueOf(pod.getSpec().getNodeName()),
                        pod -> pod.getSpec().getContainers().get(0).getImage().replaceFirst(".*:", ""),
                        (a, b) -> a + "," + b,
                        TreeMap::new));
    }

    /** The label of each node, and whether it is cordoned. */
    Map<String, String> phases(String label) {
        Map<String, String> phases = new TreeMap<>();
        for (Node node : sandbox.client().nodes().list().getItems()) {
            phases.put(
                    node.getMetadata().getName(),
                    node.getMetadata().getLabels().getOrDefault(label, "")
                            + (Boolean.TRUE.equals(node.getSpec().getUnschedulable()) ? " cordoned" : ""));
        }
        return phases;
    }

    /** A pod that runs on a node, made anew by nobody but with a controller so that it may be evicted. */
    void pod(String name, String node, boolean device, Map<String, String> labels) {
        Pod pod = sandbox.client()
                .getKubernetesSerialization()
                .unmarshal("""
                    apiVersion: v1
                    kind: Pod
                    metadata:
                      name: %s
                      namespace: default
                      ownerReferences:
                      - {apiVersion: v1, kind: ConfigMap, name: owner, uid: %s, controller: true}
                    spec:
                      nodeName: %s
                      containers:
                      - name: main
                        image: registry.example/app:1
                        resources: {limits: {%s}}
                    """.formatted(name, owner(), node, device ? "example.com/gpu: 1" : ""), Pod.class);
        pod.getMetadata().setLabels(labels);
        sandbox.client().resource(pod).create();
        sandbox.run(Duration.ofSeconds(3));
    }

    String owner() {
        ConfigMap owner = sandbox.client()
                .configMaps()
                .inNamespace("default")
                .withName("owner")
                .get();
        if (owner == null) {
            owner = sandbox.client()
                    .resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("owner")
                            .withNamespace("default")
                            .endMetadata()
                            .build())
                    .create();
        }
        return owner.getMetadata().getUid();
    }

    boolean there(String pod) {
        return sandbox.client().pods().inNamespace("default").withName(pod).get() != null;
    }

    /** Writes of the operator to nodes, and deletions and evictions of pods on them, by node. */
    Map<String, Long> nodeWrites() {
        return sandbox.cluster().recording().writes().stream()
                .filter(entry ->
                        entry.userAgent().equals("sro") && entry.resource().equals("nodes"))
                .collect(Collectors.groupingBy(Recording.Entry::name, TreeMap::new, Collectors.counting()));
    }

    @Override
    public void close() {
        sandbox.close();
    }
}
