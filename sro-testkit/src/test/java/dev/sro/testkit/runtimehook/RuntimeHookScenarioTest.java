package dev.sro.testkit.runtimehook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.device.CdiNode;
import dev.sro.api.device.CdiSpec;
import dev.sro.api.device.ContainerEdits;
import dev.sro.api.device.Decoration;
import dev.sro.api.device.RuntimeConfiguration;
import dev.sro.api.device.RuntimeHook;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Nodes for which a plugin says the same share what is made of it; what changes follows, and all of it goes again. */
final class RuntimeHookScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String LABEL = "sro.dev/runtime-nic";
    private static final String READY = "specialresource.openshift.io/state-nic-0000";

    private static final String DEVICE_PLUGIN = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: device-plugin}
        spec:
          selector: {matchLabels: {app: device-plugin}}
          template:
            metadata: {labels: {app: device-plugin}}
            spec: {containers: [{name: plugin, image: "registry.example/plugin:1"}]}
        """;

    /** Nodes get as many devices as their label says. */
    private static class NicPlugin implements AcceleratorPlugin, RuntimeHook {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("nic", "1.0.0", "Example");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(State.builder()
                    .id("1000-device-plugin")
                    .reach(Reach.nodeByNode())
                    .addManifests(ManifestTemplate.text("plugin.yaml", DEVICE_PLUGIN))
                    .build());
        }

        @Override
        public RuntimeConfiguration runtime(NodeFacts node, RecipeContext context) {
            int count = Integer.parseInt(node.labels().getOrDefault("nics", "0"));
            if (count == 0) {
                return RuntimeConfiguration.builder().build();
            }
            CdiSpec.Builder spec = CdiSpec.builder().kind("vendor.example/nic");
            for (int i = 0; i < count; i++) {
                spec.putDevices(
                        "nic" + i,
                        ContainerEdits.builder()
                                .addNodes(CdiNode.of("/dev/nic" + i))
                                .build());
            }
            RuntimeConfiguration.Builder runtime = RuntimeConfiguration.builder()
                    .addCdi(spec.build())
                    .putRuntimeClasses("nic", handler(count, context));
            if (context.config().containsKey("tool")) {
                runtime.addDecorations(Decoration.builder()
                        .kind("vendor.example/tools")
                        .addBinaries(String.valueOf(context.config().get("tool")))
                        .activationFlag("TOOLS")
                        .hookPath("/usr/libexec/oci/hooks.d/oci-injector-hook")
                        .build());
            }
            return runtime.build();
        }

        private static String handler(int count, RecipeContext context) {
            return "nic" + (context.config().containsKey("ambiguous") ? count : "");
        }
    }

    private static SroSandbox sandbox(Map<String, Integer> nics) {
        SroSandbox sandbox = SroSandbox.create(new NicPlugin());
        nics.forEach((node, count) -> sandbox.nodes()
                .create(node, NodeProfile.of(OsRelease.UBUNTU_22).withLabel("nics", String.valueOf(count))));
        sandbox.run(Duration.ofMinutes(1));
        return sandbox;
    }

    private static void apply(SroSandbox sandbox, String config) {
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: nic}
            spec:
              namespace: nic
              plugin: {name: nic, config: %s}
            """.formatted(config));
    }

    private static void ready(SroSandbox sandbox, String config) {
        apply(sandbox, config);
        sandbox.run(Duration.ofSeconds(5));
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("nic")))
                .as(() -> sandbox.state("nic"))
                .isTrue();
    }

    private static Map<String, String> labels(SroSandbox sandbox, String node) {
        return sandbox.client().nodes().withName(node).get().getMetadata().getLabels();
    }

    private static List<ConfigMap> maps(SroSandbox sandbox) {
        return sandbox.client().configMaps().inNamespace("nic").list().getItems().stream()
                .filter(map -> map.getMetadata().getName().startsWith("nic-runtime-"))
                .toList();
    }

    private static List<DaemonSet> placers(SroSandbox sandbox) {
        return sandbox.client().apps().daemonSets().inNamespace("nic").list().getItems().stream()
                .filter(set -> set.getMetadata().getName().startsWith("nic-runtime-"))
                .toList();
    }

    /** The variant whose pod is on each node. */
    private static Map<String, String> placed(SroSandbox sandbox) {
        return sandbox.client().pods().inNamespace("nic").list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith("nic-runtime-"))
                .collect(Collectors.toMap(
                        (Pod pod) -> String.valueOf(pod.getSpec().getNodeName()),
                        pod -> String.valueOf(pod.getSpec().getNodeSelector().get(LABEL)),
                        (a, b) -> a + "," + b,
                        TreeMap::new));
    }

    @Test
    void nodesThatGetTheSameShareOneConfigMapAndOneDaemonSet() {
        try (SroSandbox sandbox = sandbox(Map.of("a", 1, "b", 1, "c", 2, "d", 0))) {
            ready(sandbox, "{plain: true}");

            assertThat(maps(sandbox)).hasSize(2).allMatch(map -> Boolean.TRUE.equals(map.getImmutable()));
            assertThat(placers(sandbox)).hasSize(2);
            assertThat(labels(sandbox, "a").get(LABEL))
                    .isEqualTo(labels(sandbox, "b").get(LABEL));
            assertThat(labels(sandbox, "c").get(LABEL))
                    .isNotNull()
                    .isNotEqualTo(labels(sandbox, "a").get(LABEL));
            assertThat(labels(sandbox, "d")).doesNotContainKey(LABEL).containsEntry(READY, "Ready");
            assertThat(placed(sandbox)).containsOnlyKeys("a", "b", "c");
            assertThat(maps(sandbox).get(0).getData().get("targets"))
                    .isEqualTo("file-0 /var/run/cdi/vendor.example-nic.json\n");
            assertThat(sandbox.client()
                            .resources(io.fabric8.kubernetes.api.model.node.v1.RuntimeClass.class)
                            .withName("nic")
                            .get()
                            .getHandler())
                    .isEqualTo("nic");

            // The device plugin waits for it, node by node.
            assertThat(sandbox.client()
                            .apps()
                            .daemonSets()
                            .inNamespace("nic")
                            .withName("device-plugin")
                            .get()
                            .getSpec()
                            .getTemplate()
                            .getSpec()
                            .getNodeSelector())
                    .containsEntry(READY, "Ready");
        }
    }

    @Test
    void restsWhenAllIsDoneAndAfterARestart() {
        try (SroSandbox sandbox = sandbox(Map.of("a", 1, "c", 2))) {
            ready(sandbox, "{plain: true}");
            sandbox.run(Duration.ofMinutes(1));
            sandbox.cluster().recording().start();
            sandbox.kill();
            sandbox.start();
            sandbox.run(Duration.ofMinutes(5));

            assertThat(sandbox.cluster().recording().writes())
                    .filteredOn(entry -> entry.userAgent().equals("sro"))
                    .isEmpty();
        }
    }

    @Test
    void whatChangesFollows() {
        try (SroSandbox sandbox = sandbox(Map.of("a", 1, "c", 2))) {
            ready(sandbox, "{plain: true}");
            String before = labels(sandbox, "a").get(LABEL);

            // One node gets what another one has already.
            sandbox.nodes().label("a", "nics", "2");
            assertThat(sandbox.runUntil(LONG, () -> placers(sandbox).size() == 1 && sandbox.isReady("nic")))
                    .as(() -> sandbox.state("nic"))
                    .isTrue();
            assertThat(labels(sandbox, "a").get(LABEL))
                    .isEqualTo(labels(sandbox, "c").get(LABEL))
                    .isNotEqualTo(before);
            assertThat(maps(sandbox)).hasSize(1);

            // All of them get more.
            ready(sandbox, "{tool: /usr/bin/tool}");
            assertThat(maps(sandbox))
                    .singleElement()
                    .satisfies(map -> assertThat(map.getData().get("targets"))
                            .contains("/etc/containers/oci/hooks.d/vendor.example-tools.json")
                            .contains("/etc/oci-injector-hook/vendor.example-tools.json")
                            .contains("/var/run/cdi/vendor.example-tools.json"));
            sandbox.run(Duration.ofMinutes(2));
            assertThat(placed(sandbox).values())
                    .containsOnly(labels(sandbox, "a").get(LABEL))
                    .hasSize(2);

            // And one gets nothing any more.
            sandbox.nodes().label("a", "nics", "0");
            assertThat(sandbox.runUntil(LONG, () -> !placed(sandbox).containsKey("a")))
                    .isTrue();
            assertThat(labels(sandbox, "a")).doesNotContainKey(LABEL);
        }
    }

    @Test
    void whatMakesNoSenseIsToldAndLeavesAloneWhatThereIs() {
        try (SroSandbox sandbox = sandbox(Map.of("a", 1, "c", 2))) {
            ready(sandbox, "{plain: true}");

            apply(sandbox, "{ambiguous: true}");
            sandbox.run(Duration.ofMinutes(2));

            assertThat(String.valueOf(sandbox.get("nic").orElseThrow().getStatus()))
                    .contains("RuntimeClassAmbiguous")
                    .contains("[nic1, nic2]");
            assertThat(placed(sandbox)).containsOnlyKeys("a", "c");
            ready(sandbox, "{plain: true}");
        }
    }

    @Test
    void leavesNothingBehind() {
        try (SroSandbox sandbox = sandbox(Map.of("a", 1))) {
            ready(sandbox, "{plain: true}");
            sandbox.client()
                    .resources(dev.sro.api.resource.SpecialResource.class)
                    .withName("nic")
                    .delete();

            assertThat(sandbox.runUntil(LONG, () -> sandbox.get("nic").isEmpty()))
                    .isTrue();
            sandbox.run(Duration.ofMinutes(1));
            assertThat(labels(sandbox, "a").keySet()).noneMatch(key -> key.contains("nic") && !key.equals("nics"));
            assertThat(maps(sandbox)).isEmpty();
            assertThat(sandbox.client()
                            .resources(io.fabric8.kubernetes.api.model.node.v1.RuntimeClass.class)
                            .list()
                            .getItems())
                    .isEmpty();
        }
    }

    @Test
    void anotherImagePlacesTheFilesOnceTheOperatorIsToldSo() {
        try (SroSandbox sandbox = sandbox(Map.of("a", 1))) {
            ready(sandbox, "{}");
            assertThat(placer(sandbox)).isEqualTo("docker.io/library/busybox:1.37.0");
            sandbox.kill();

            sandbox.runtimeImage("registry.example/shell:1").start();

            assertThat(sandbox.runUntil(LONG, () -> placer(sandbox).equals("registry.example/shell:1")))
                    .isTrue();
            assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("nic"))).isTrue();
        }
    }

    private static String placer(SroSandbox sandbox) {
        DaemonSet set = sandbox.client().apps().daemonSets().inNamespace("nic").list().getItems().stream()
                .filter(each -> each.getMetadata().getName().startsWith("nic-runtime"))
                .findFirst()
                .orElseThrow();
        return set.getSpec().getTemplate().getSpec().getContainers().get(0).getImage();
    }
}
