package dev.sro.runtime.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.plugin.Plugins;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recipes of the first generations of the Special Resource Operator as published: ConfigMaps and special resources, unchanged. */
@EnabledIf(value = "corpusIsHere", disabledReason = "no corpus here: set SRO_CORPUS to the folder that has recipes/")
class CorpusRecipesTest {
    private static final Duration LIMIT = Duration.ofMinutes(60);
    private static final String GPU = "feature.node.kubernetes.io/pci-10de.present";
    private static final List<String> GROUPS =
            List.of("driver-container", "runtime-enablement", "device-plugin", "device-monitoring");

    private final SroSandbox sandbox = SroSandbox.create(true, Plugins.of())
            .serve("route.openshift.io", "v1", "Route", "routes", true)
            .serve("monitoring.coreos.com", "v1", "ServiceMonitor", "servicemonitors", true)
            .serve("monitoring.coreos.com", "v1", "PrometheusRule", "prometheusrules", true);

    static boolean corpusIsHere() {
        return corpus().isPresent();
    }

    private static Optional<Path> corpus() {
        String given = System.getProperty("sro.corpus", System.getenv("SRO_CORPUS"));
        Path place = given != null && !given.isEmpty()
                ? Path.of(given)
                : Path.of("").toAbsolutePath().resolveSibling("shared").resolve("corpus");
        return Optional.of(place.resolve("recipes")).filter(Files::isDirectory);
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void nodes(int kernels) {
        // What the driver container says when it has loaded its modules, and the recipe waits for.
        sandbox.simulation().logs().image("*", "Loaded nvidia.ko\n+ wait 4711\n");
        NodeProfile node = NodeProfile.of(OsRelease.RHCOS_8).withRole("worker").withLabel(GPU, "true");
        IntStream.range(0, kernels)
                .forEach(i -> sandbox.nodes()
                        .create("node-" + i, node.withKernel("4.18.0-305." + (19 + i) + ".1.el8_4.x86_64")));
        sandbox.run(Duration.ofMinutes(2));
    }

    private static Path recipe(String folder) {
        return corpus().orElseThrow().resolve(folder);
    }

    /** What "kubectl create configmap NAME --from-file=manifests" does. */
    private ConfigMap map(String namespace, String name, Path folder) throws IOException {
        Map<String, String> data = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                data.put(String.valueOf(file.getFileName()), Files.readString(file));
            }
        }
        sandbox.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withData(data)
                .build();
    }

    private void awaitReadyAndRest(String name) {
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady(name)))
                .as(() -> sandbox.state(name))
                .isTrue();
        sandbox.run(Duration.ofMinutes(1));
        sandbox.cluster().recording().start();
        sandbox.run(Duration.ofHours(2));
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(e -> e.userAgent().equals("sro") && !e.verb().equals("watch")))
                .as("requests when nothing changes")
                .isEmpty();
        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(5));
        assertThat(sandbox.cluster().recording().entries(e -> e.userAgent().equals("sro") && e.isWrite()))
                .as("writes after a restart")
                .isEmpty();
    }

    private int daemonSets(String namespace) {
        return sandbox.client()
                .apps()
                .daemonSets()
                .inNamespace(namespace)
                .list()
                .getItems()
                .size();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void simpleKmodGetsReady(int kernels) throws IOException {
        nodes(kernels);
        Path recipe = recipe("simple-kmod-2021");
        sandbox.client()
                .resource(map("simple-kmod", "simple-kmod", recipe.resolve("manifests")))
                .create();
        sandbox.apply(Files.readString(recipe.resolve("0000-simple-kmod-cr.yaml")));

        awaitReadyAndRest("simple-kmod");
        assertThat(daemonSets("simple-kmod")).isEqualTo(kernels);
        assertThat(sandbox.simulation().registry().pushes()).hasSize(kernels);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void nvidiaGpuOf2020GetsReady(int kernels) throws IOException {
        nodes(kernels);
        Path recipe = recipe("nvidia-gpu-2020");
        ConfigMap map = map("openshift-sro", "0000-nvidia-gpu", recipe.resolve("manifests"));
        // What "kubectl patch configmap --patch config/patch.json" does.
        map.getMetadata().setLabels(Map.of("specialresource.openshift.io/config", "true"));
        map.getMetadata()
                .setAnnotations(Map.of(
                        "specialresource.openshift.io/nfd",
                        GPU,
                        "specialresource.openshift.io/hardware",
                        "nvidia-gpu"));
        sandbox.client().resource(map).create();
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: nvidia-gpu}
            spec: {namespace: openshift-sro}
            """);

        awaitReadyAndRest("nvidia-gpu");
        assertThat(daemonSets("openshift-sro"))
                .as("a driver for each kernel; runtime, device plugin, monitoring and feature discovery once")
                .isEqualTo(kernels + 4);
        sandbox.client()
                .nodes()
                .list()
                .getItems()
                .forEach(node -> assertThat(node.getMetadata().getLabels()).containsAllEntriesOf(labels()));
    }

    private static Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>();
        GROUPS.forEach(group -> labels.put("specialresource.openshift.io/" + group + "-nvidia-gpu", "ready"));
        return labels;
    }

    /** Its device plugin reads a field that no special resource had, so that it never ran as it was published. */
    @Test
    void nvidiaGpuOf2021IsRefusedByItsFieldAndRunsWithIt() throws IOException {
        nodes(2);
        Path recipe = recipe("nvidia-gpu-2021");
        sandbox.client()
                .resource(map("nvidia-gpu", "nvidia-gpu", recipe.resolve("manifests")))
                .create();
        String resource = Files.readString(recipe.resolve("0000-nvidia-gpu-cr.yaml"));
        sandbox.apply(resource);
        sandbox.run(LIMIT);

        assertThat(sandbox.state("nvidia-gpu"))
                .startsWith("Errored:")
                .contains("4000-state-device-plugin.yaml:", ".SpecialResource.Spec.Environment", "spec.environment");

        sandbox.apply(resource + "\n  environment:\n  - {key: mig-strategy, value: none}\n");
        awaitReadyAndRest("nvidia-gpu");
        assertThat(daemonSets("nvidia-gpu")).isEqualTo(2 + 4);
    }

    @Test
    void aRecipesFolderIsARecipe() throws IOException {
        nodes(1);
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: nvidia-gpu}
            spec: {namespace: openshift-sro, recipe: {directory: "%s"}}
            """.formatted(recipe("nvidia-gpu-2020").toUri()));

        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("nvidia-gpu")))
                .as(() -> sandbox.state("nvidia-gpu"))
                .isTrue();
        assertThat(daemonSets("openshift-sro")).isEqualTo(5);
    }
}
