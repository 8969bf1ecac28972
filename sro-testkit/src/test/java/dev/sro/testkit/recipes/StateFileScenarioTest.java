package dev.sro.testkit.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.plugin.Plugins;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The life of special resources whose recipes are numbered manifests with Go templates, on OpenShift. */
class StateFileScenarioTest {
    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final Path RECIPES = Path.of("src", "test", "resources", "dev", "sro", "testkit", "recipes");

    private static final String K1 = "4.18.0-305.45.1.el8_4.x86_64";
    private static final String K1_HASH = "b657a71de7fad62f";
    private static final String K2 = "4.18.0-305.40.2.el8_4.x86_64";
    private static final String K2_HASH = "e383247e62b56585";

    private static final NodeProfile NODE =
            NodeProfile.of(OsRelease.RHCOS_8).withKernel(K1).withRole("worker");

    private final SroSandbox sandbox = SroSandbox.create(true, Plugins.of());

    @BeforeEach
    void nodes() {
        sandbox.nodes().create("one", NODE);
        sandbox.nodes().create("two", NODE);
        sandbox.run(Duration.ofMinutes(2));
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> manifests(String recipe) {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> entries = Files.list(RECIPES.resolve(recipe).resolve("manifests"))) {
            entries.forEach(file -> files.put(String.valueOf(file.getFileName()), read(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    private void namespace(String name) {
        sandbox.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    private void put(ConfigMap map) {
        sandbox.client().resource(map).createOr(existing -> existing.update());
    }

    private static ConfigMap map(String namespace, String name, Map<String, String> data) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withData(data)
                .build();
    }

    private static String kmod() {
        return read(RECIPES.resolve("example-kmod").resolve("0000-example-kmod-cr.yaml"));
    }

    /** As "kubectl apply -k manifests" and "kubectl create -f 0000-example-kmod-cr.yaml" do. */
    private void installKmod() {
        namespace("example-kmod");
        put(map("example-kmod", "example-kmod", manifests("example-kmod")));
        sandbox.apply(kmod());
    }

    private void awaitReady(String name) {
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady(name)))
                .as(() -> "" + sandbox.get(name))
                .isTrue();
    }

    private List<String> daemonSets(String namespace) {
        return sandbox.client().apps().daemonSets().inNamespace(namespace).list().getItems().stream()
                .map(set -> set.getMetadata().getName())
                .sorted()
                .toList();
    }

    private String label(String node, String label) {
        return String.valueOf(sandbox.client()
                .nodes()
                .withName(node)
                .get()
                .getMetadata()
                .getLabels()
                .get(label));
    }

    private Optional<Condition> condition(String name, String type) {
        return sandbox.get(name).map(found -> found.getStatus()).stream()
                .filter(status -> status != null)
                .flatMap(status -> status.getConditions().stream())
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }

    @Test
    void aSpecialResourceWithoutRecipeFindsTheConfigMapOfItsName() {
        sandbox.nodes().create("three", NODE.withKernel(K2));
        installKmod();
        awaitReady("example-kmod");

        assertThat(daemonSets("example-kmod"))
                .as("one driver for each kernel, although the recipe knows of one")
                .containsExactly(
                        "example-kmod-device-plugin",
                        "example-kmod-driver-container-rhel8-" + K1_HASH,
                        "example-kmod-driver-container-rhel8-" + K2_HASH);
        assertThat(sandbox.simulation().registry().pushes()).hasSize(2).allMatch(image -> image.contains(":v4.18.0"));
    }

    @Test
    void nodesAreLabelledByGroupAndTheNextStateFollowsTheLabel() {
        installKmod();
        awaitReady("example-kmod");

        for (String node : List.of("one", "two")) {
            assertThat(label(node, "specialresource.openshift.io/driver-container-example-kmod"))
                    .isEqualTo("ready");
            assertThat(label(node, "specialresource.openshift.io/device-plugin-example-kmod"))
                    .isEqualTo("ready");
        }

        sandbox.client()
                .resources(SpecialResource.class)
                .withName("example-kmod")
                .delete();
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.get("example-kmod").isEmpty()))
                .isTrue();
        sandbox.run(Duration.ofMinutes(2));
        assertThat(label("one", "specialresource.openshift.io/driver-container-example-kmod"))
                .isEqualTo("null");
        assertThat(daemonSets("example-kmod")).isEmpty();
        assertThat(sandbox.client()
                        .configMaps()
                        .inNamespace("example-kmod")
                        .withName("example-kmod")
                        .get())
                .as("the recipe is the user's")
                .isNotNull();
    }

    @Test
    void templatesInTheSpecialResourceAreExecutedForEachKernel() {
        sandbox.nodes().create("three", NODE.withKernel(K2));
        installKmod();
        awaitReady("example-kmod");

        assertThat(sandbox.client()
                        .genericKubernetesResources("build.openshift.io/v1", "BuildConfig")
                        .inNamespace("example-kmod")
                        .list()
                        .getItems())
                .extracting(build -> "" + build.<Object>get("spec", "strategy", "dockerStrategy", "buildArgs"))
                .containsExactlyInAnyOrder(
                        "[{name=KVER, value=" + K1 + "}, {name=FLAVOUR, value=example}]",
                        "[{name=KVER, value=" + K2 + "}, {name=FLAVOUR, value=example}]");
    }

    @Test
    void makesNoRequestWhenNothingChangesAndNoWriteAfterARestart() {
        installKmod();
        awaitReady("example-kmod");
        sandbox.run(Duration.ofMinutes(1));
        sandbox.cluster().recording().start();

        sandbox.run(Duration.ofHours(2));
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(e -> e.userAgent().equals("sro") && !e.verb().equals("watch")))
                .isEmpty();

        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(5));
        assertThat(sandbox.cluster().recording().entries(e -> e.userAgent().equals("sro") && e.isWrite()))
                .isEmpty();
    }

    @Test
    void aChangedConfigMapIsAChangedRecipe() {
        installKmod();
        awaitReady("example-kmod");
        Map<String, String> changed = manifests("example-kmod");
        changed.computeIfPresent("2000-device-plugin.yaml", (name, text) -> text.replace("plugin:1", "plugin:2"));

        put(map("example-kmod", "example-kmod", changed));
        sandbox.run(Duration.ofMinutes(5));

        assertThat(sandbox.isReady("example-kmod")).isTrue();
        assertThat(image("example-kmod", "example-kmod-device-plugin")).isEqualTo("registry.example.com/plugin:2");
    }

    private String image(String namespace, String name) {
        DaemonSet set = sandbox.client()
                .apps()
                .daemonSets()
                .inNamespace(namespace)
                .withName(name)
                .get();
        return set.getSpec().getTemplate().getSpec().getContainers().get(0).getImage();
    }

    private void installGpu() {
        namespace("gpu");
        ConfigMap map = map("gpu", "0000-example-gpu", manifests("example-gpu"));
        map.getMetadata().setLabels(Map.of("specialresource.openshift.io/config", "true"));
        map.getMetadata()
                .setAnnotations(Map.of(
                        "specialresource.openshift.io/nfd", "feature.node.kubernetes.io/pci-1af4.present",
                        "specialresource.openshift.io/hardware", "example-gpu"));
        put(map);
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: example-gpu}
            spec: {namespace: gpu}
            """);
    }

    @Test
    void aLabelledConfigMapSaysOnWhichNodesItsHardwareIs() {
        sandbox.nodes().create("three", NODE.withLabel("feature.node.kubernetes.io/pci-1af4.present", "true"));
        installGpu();
        awaitReady("example-gpu");

        assertThat(daemonSets("gpu")).containsExactly("example-gpu-driver-container-" + K1_HASH);
        assertThat(image("gpu", "example-gpu-driver-container-" + K1_HASH))
                .isEqualTo("registry.example.com/driver:1-" + K1);
        assertThat(label("three", "specialresource.openshift.io/driver-container-example-gpu"))
                .isEqualTo("ready");
        assertThat(label("one", "specialresource.openshift.io/driver-container-example-gpu"))
                .isEqualTo("null");
        assertThat(condition("example-gpu", "Warning")
                        .map(Condition::getMessage)
                        .orElse(""))
                .contains("REPLACE_PROM_URL");
    }

    @Test
    void dashboardsGetTheClustersPrometheusAndScriptsStayAsTheyAre() {
        namespace("openshift-monitoring");
        sandbox.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace("openshift-monitoring")
                        .withName("grafana-datasources")
                        .endMetadata()
                        .addToStringData("prometheus.yaml", """
                            {"apiVersion": 1, "datasources": [{"name": "prometheus",
                             "url": "https://prometheus-k8s:9091", "basicAuthUser": "internal", "basicAuthPassword": "example"}]}
                            """)
                        .build())
                .create();
        sandbox.nodes().create("three", NODE.withLabel("feature.node.kubernetes.io/pci-1af4.present", "true"));
        installGpu();
        awaitReady("example-gpu");

        Map<String, String> data = sandbox.client()
                .configMaps()
                .inNamespace("gpu")
                .withName("example-gpu-device-grafana")
                .get()
                .getData();
        assertThat(data.get("prometheus.yml"))
                .isEqualTo("url: https://prometheus-k8s:9091\nbasicAuthUser: internal\nbasicAuthPassword: example\n");
        assertThat(data.get("script")).isEqualTo("echo \"$KERNEL_FULL_VERSION {{.Title}}\"");
    }

    @Test
    void aDirectoryIsARecipeToo() {
        sandbox.nodes().create("three", NODE.withLabel("feature.node.kubernetes.io/pci-1af4.present", "true"));
        sandbox.apply(
                """
                apiVersion: sro.openshift.io/v1beta1
                kind: SpecialResource
                metadata: {name: example-gpu}
                spec: {namespace: gpu, recipe: {directory: "%s"}}
                """.formatted(RECIPES.resolve("example-gpu").toAbsolutePath().toUri()));
        awaitReady("example-gpu");

        assertThat(daemonSets("gpu")).containsExactly("example-gpu-driver-container-" + K1_HASH);
        assertThat(sandbox.client()
                        .namespaces()
                        .withName("gpu")
                        .get()
                        .getMetadata()
                        .getLabels())
                .as("the recipe's namespace is the one that SRO makes before all states")
                .containsEntry("openshift.io/cluster-monitoring", "true");
    }

    @Test
    void aConfigMapOfAnyNamespaceCanBeNamed() {
        namespace("recipes");
        put(map("recipes", "kmod", manifests("example-kmod")));
        sandbox.apply(kmod() + "  recipe: {configMap: {name: kmod, namespace: recipes}}\n");

        awaitReady("example-kmod");
    }

    @Test
    void saysThatThereIsNoRecipeAndTakesTheOneThatComes() {
        sandbox.apply(kmod());
        sandbox.run(Duration.ofMinutes(1));
        assertThat(condition("example-kmod", "Degraded").orElseThrow())
                .satisfies(degraded -> assertThat(degraded.getReason()).isEqualTo("NoRecipe"))
                .satisfies(degraded ->
                        assertThat(degraded.getMessage()).contains("ConfigMap example-kmod in namespace example-kmod"));

        namespace("example-kmod");
        put(map("example-kmod", "example-kmod", manifests("example-kmod")));
        awaitReady("example-kmod");
    }

    @Test
    void aFieldThatThereIsNotIsNamedWithFileAndLine() {
        Map<String, String> files = manifests("example-kmod");
        files.computeIfPresent(
                "2000-device-plugin.yaml",
                (name, text) -> text.replace("plugin:1", "{{(index .SpecialResource.Spec.Environment 0).Value}}"));
        namespace("example-kmod");
        put(map("example-kmod", "example-kmod", files));
        sandbox.apply(kmod());
        sandbox.run(LIMIT);

        assertThat(condition("example-kmod", "Degraded").orElseThrow())
                .satisfies(degraded -> assertThat(degraded.getReason()).isEqualTo("TemplateFailed"))
                .satisfies(degraded -> assertThat(degraded.getMessage())
                        .contains("2000-device-plugin.yaml:23", ".SpecialResource.Spec.Environment is not defined")
                        .contains("spec.environment"));
        assertThat(label("one", "specialresource.openshift.io/driver-container-example-kmod"))
                .as("the states before it do not wait for it")
                .isEqualTo("ready");

        sandbox.apply(kmod() + "  environment: [{key: image, value: \"plugin:1\"}]\n");
        awaitReady("example-kmod");
    }

    @Test
    void aConfigMapWithoutStatesIsRefused() {
        namespace("example-kmod");
        put(map("example-kmod", "example-kmod", Map.of("driver.yaml", "kind: DaemonSet")));
        sandbox.apply(kmod());
        sandbox.run(Duration.ofMinutes(1));

        assertThat(condition("example-kmod", "Degraded").orElseThrow())
                .satisfies(degraded -> assertThat(degraded.getReason()).isEqualTo("NoStates"))
                .satisfies(degraded -> assertThat(degraded.getMessage()).contains("0000-driver.yaml", "[driver.yaml]"));
    }

    @Test
    void saysWhichRightItNeedsAndGoesOnWhenItHasIt() {
        sandbox.cluster().faults().rule().verbs("list").resources("configmaps").forbidden();
        installKmod();
        sandbox.run(Duration.ofMinutes(1));
        assertThat(condition("example-kmod", "Degraded").orElseThrow())
                .satisfies(degraded -> assertThat(degraded.getReason()).isEqualTo("RecipeNotReadable"))
                .satisfies(degraded -> assertThat(degraded.getMessage())
                        .contains("spec.recipe: ConfigMap example-kmod", "list and watch for configmaps by a Role"));

        sandbox.cluster().faults().clear();
        awaitReady("example-kmod");
    }

    @Test
    void anObjectThatComesOutDifferentlyPerKernelIsThatOfTheFirstAndOneThatSaysSoIsOfEach() {
        sandbox.nodes().create("three", NODE.withKernel(K2));
        Map<String, String> files = manifests("example-kmod");
        files.put("3000-notes.yaml", """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: shared}
            data: {kernel: "{{.KernelVersion}}"}
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: each, annotations: {specialresource.openshift.io/kernel-affine: "true"}}
            data: {kernel: "{{.KernelVersion}}"}
            """);
        namespace("example-kmod");
        put(map("example-kmod", "example-kmod", files));
        sandbox.apply(kmod());
        awaitReady("example-kmod");

        assertThat(sandbox.client()
                        .configMaps()
                        .inNamespace("example-kmod")
                        .list()
                        .getItems())
                .extracting(map -> map.getMetadata().getName())
                .contains("shared", "each-" + K1_HASH, "each-" + K2_HASH);
    }
}
