package dev.sro.plugins.solarflare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** From a special resource to pods that can ask for Onload, to the next version, and back to nothing. */
class OnloadScenarioTest {

    private static final Duration LONG = Duration.ofHours(4);

    private static SroSandbox sandbox(boolean openShift, Map<String, OsRelease> nodes) {
        SroSandbox sandbox =
                openShift ? SroSandbox.createOpenShift(new OnloadPlugin()) : SroSandbox.create(new OnloadPlugin());
        // After the operator, which notices.
        sandbox.serve("nfd.k8s-sigs.io", "v1alpha1", "NodeFeatureRule", "nodefeaturerules", false);
        nodes.forEach((name, os) -> sandbox.nodes().create(name, Onload.node(os)));
        sandbox.run(Duration.ofMinutes(2));
        return sandbox;
    }

    private static void ready(SroSandbox sandbox, String resource) {
        sandbox.apply(resource);
        sandbox.run(Duration.ofSeconds(5));
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("onload")))
                .as(() -> String.valueOf(sandbox.get("onload").orElseThrow().getStatus()))
                .isTrue();
    }

    private static List<DaemonSet> daemonSets(SroSandbox sandbox) {
        return sandbox.client().apps().daemonSets().inNamespace("onload").list().getItems();
    }

    private static DaemonSet daemonSet(SroSandbox sandbox, String prefix) {
        return daemonSets(sandbox).stream()
                .filter(set -> set.getMetadata().getName().startsWith(prefix))
                .findFirst()
                .orElseThrow();
    }

    private static String script(DaemonSet set) {
        return set.getSpec().getTemplate().getSpec().getContainers().get(0).getEnv().stream()
                .filter(variable -> variable.getName().equals("SRO_SCRIPT"))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    /** Images of the pods on a node whose names begin like this. */
    private static List<String> images(SroSandbox sandbox, String prefix) {
        return sandbox.client().pods().inNamespace("onload").list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith(prefix))
                .map(pod -> pod.getSpec().getContainers().get(0).getImage())
                .distinct()
                .toList();
    }

    @Test
    void loadsInOrderThenPlacesFilesThenOffersTheDevice() {
        try (SroSandbox sandbox = sandbox(false, Map.of("a", OsRelease.RHEL_9, "b", OsRelease.UBUNTU_22))) {
            ready(sandbox, Onload.RESOURCE);

            DaemonSet loader = daemonSet(sandbox, "onload-driver-load");
            assertThat(script(loader))
                    .containsSubsequence(
                            "load_all()",
                            "remove_in_tree 'sfc' own",
                            "load_module 'sfc' --",
                            "load_module 'sfc_resource' --",
                            "load_module 'onload' 'cplane_server_path=/opt/onload/sbin/onload_cp_server'"
                                    + " 'cplane_server_params=-K'",
                            "unload_all()",
                            "unload_module 'onload'",
                            "unload_module 'sfc_resource'",
                            "unload_module 'sfc'");
            assertThat(loader.getSpec()
                            .getTemplate()
                            .getSpec()
                            .getContainers()
                            .get(0)
                            .getImage())
                    .startsWith("registry.example/onload/module:9.0.1-");
            assertThat(script(loader)).contains("SRO_BARRIER='/run/sro/barriers/onload/modules'");
            // Container runtimes are told by SRO's own state; what the plugin brings waits on the node itself.
            assertThat(selector(daemonSet(sandbox, "onload-runtime-"))).containsKey(state("0001"));
            assertThat(waits(daemonSet(sandbox, "onload-user-"))).containsExactly("wait-for-modules");
            assertThat(waits(daemonSet(sandbox, "onload-device-plugin"))).containsExactly("wait-for-driver");
            assertThat(selector(daemonSet(sandbox, "onload-user-")).keySet())
                    .noneMatch(label -> label.startsWith("specialresource.openshift.io/state-"));
            ConfigMap files = sandbox.client().configMaps().inNamespace("onload").list().getItems().stream()
                    .filter(map -> map.getMetadata().getName().startsWith("onload-runtime-"))
                    .findFirst()
                    .orElseThrow();
            assertThat(files.getData().get("targets")).isEqualTo("file-0 /var/run/cdi/amd.com-onload.json\n");
            assertThat(files.getData().get("file-0"))
                    .contains("\"kind\": \"amd.com/onload\"")
                    .contains("LD_PRELOAD=/opt/onload/usr/lib64/libonload.so");
        }
    }

    private static String state(String number) {
        return "specialresource.openshift.io/state-onload-" + number;
    }

    private static List<String> waits(DaemonSet set) {
        return set.getSpec().getTemplate().getSpec().getInitContainers().stream()
                .map(Container::getName)
                .toList();
    }

    private static Map<String, String> selector(DaemonSet set) {
        return set.getSpec().getTemplate().getSpec().getNodeSelector();
    }

    @Test
    void anUpgradeGoesNodeByNodeAndEvictsOnlyUsersOfOnload() {
        try (SroSandbox sandbox = sandbox(false, Map.of("a", OsRelease.RHEL_9, "b", OsRelease.RHEL_9))) {
            ready(sandbox, Onload.RESOURCE);
            pod(sandbox, "trader", "a", "amd.com/onload: 1");
            pod(sandbox, "web", "a", "");
            sandbox.cluster().recording().start();

            sandbox.apply(Onload.resource("9.1.0", ""));
            sandbox.run(Duration.ofSeconds(5));
            assertThat(sandbox.runUntil(
                            LONG,
                            () -> sandbox.isReady("onload")
                                    && images(sandbox, "onload-driver-load").stream()
                                            .allMatch(image -> image.contains(":9.1.0-"))
                                    && images(sandbox, "onload-user")
                                            .equals(List.of("registry.example/onload/user:9.1.0"))))
                    .as(() -> images(sandbox, "onload-") + " "
                            + sandbox.get("onload").orElseThrow().getStatus())
                    .isTrue();

            assertThat(sandbox.client()
                            .pods()
                            .inNamespace("default")
                            .withName("trader")
                            .get())
                    .as("uses Onload")
                    .isNull();
            assertThat(sandbox.client()
                            .pods()
                            .inNamespace("default")
                            .withName("web")
                            .get())
                    .as("does not")
                    .isNotNull();
            assertThat(sandbox.cluster().recording().counts()).containsEntry("create pods/eviction", 1L);
        }
    }

    @Test
    void getsReadyOnOpenShift() {
        try (SroSandbox sandbox = sandbox(true, Map.of("a", OsRelease.RHCOS_9))) {
            ready(sandbox, Onload.RESOURCE);

            assertThat(sandbox.client()
                            .rbac()
                            .roles()
                            .inNamespace("onload")
                            .list()
                            .getItems())
                    .extracting(role -> role.getMetadata().getName())
                    .anyMatch("onload-onload"::equals)
                    .anyMatch("onload-runtime"::equals);
        }
    }

    @Test
    void leavesNothingBehindInTheEnd() {
        try (SroSandbox sandbox = sandbox(false, Map.of("a", OsRelease.RHEL_9))) {
            sandbox.client()
                    .resource(new io.fabric8.kubernetes.api.model.NamespaceBuilder()
                            .withNewMetadata()
                            .withName("trading")
                            .endMetadata()
                            .build())
                    .create();
            ready(sandbox, Onload.resource("9.0.1", """
                ptp: {image: "registry.example/sfptpd:3.7", config: "[general]\\nsync_module freerun fr1\\n"}
                profiles: [{name: latency, namespaces: [trading]}]
                """));
            assertThat(leftIn(sandbox, "trading")).contains("onload-latency-profile");
            assertThat(daemonSets(sandbox))
                    .anyMatch(set -> set.getMetadata().getName().equals("onload-ptp"));
            assertThat(rules(sandbox)).containsExactly("onload-onload");

            sandbox.client().resources(SpecialResource.class).withName("onload").delete();

            assertThat(sandbox.runUntil(LONG, () -> sandbox.get("onload").isEmpty()))
                    .isTrue();
            sandbox.run(Duration.ofMinutes(2));
            assertThat(leftIn(sandbox, "trading")).doesNotContain("onload-latency-profile");
            assertThat(rules(sandbox)).isEmpty();
            assertThat(sandbox.client().namespaces().withName("onload").get()).isNull();
            assertThat(sandbox.client()
                            .nodes()
                            .withName("a")
                            .get()
                            .getMetadata()
                            .getLabels()
                            .keySet())
                    .noneMatch(key -> key.contains("onload"));
        }
    }

    private static List<String> leftIn(SroSandbox sandbox, String namespace) {
        return Stream.of(sandbox.client()
                        .configMaps()
                        .inNamespace(namespace)
                        .list()
                        .getItems())
                .flatMap(List::stream)
                .map((HasMetadata object) -> object.getMetadata().getName())
                .toList();
    }

    private static List<String> rules(SroSandbox sandbox) {
        return sandbox
                .client()
                .genericKubernetesResources("nfd.k8s-sigs.io/v1alpha1", "NodeFeatureRule")
                .list()
                .getItems()
                .stream()
                .map(rule -> rule.getMetadata().getName())
                .toList();
    }

    /** A pod that somebody controls, so that it may be evicted. */
    private static void pod(SroSandbox sandbox, String name, String node, String resource) {
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
        Pod pod = sandbox.client()
                .getKubernetesSerialization()
                .unmarshal(
                        """
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
                        """.formatted(
                                name, Objects.requireNonNull(owner.getMetadata().getUid()), node, resource),
                        Pod.class);
        sandbox.client().resource(pod).create();
        sandbox.run(Duration.ofSeconds(3));
    }
}
