package dev.sro.testkit.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where recipes of numbered manifests come from, and what is wrong with them. */
class StateFileInputScenarioTest extends StateFileWorld {

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
    void aChangeInADirectoryIsSeenWithoutAnyEvent(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("0000-settings.yaml");
        String settings = "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {speed: %s}}";
        Files.writeString(file, settings.formatted("slow"));
        sandbox.apply("""
                apiVersion: sro.openshift.io/v1beta1
                kind: SpecialResource
                metadata: {name: folder}
                spec: {namespace: folder, recipe: {directory: "%s"}}
                """.formatted(folder.toUri()));
        awaitReady("folder");
        sandbox.run(Duration.ofHours(1));

        Files.writeString(file, settings.formatted("fast"));
        sandbox.run(Duration.ofMinutes(2));

        assertThat(sandbox.client()
                        .configMaps()
                        .inNamespace("folder")
                        .withName("settings")
                        .get()
                        .getData())
                .containsEntry("speed", "fast");
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
        put(map("example-kmod", "example-kmod", Map.of("driver.txt", "kind: DaemonSet")));
        sandbox.apply(kmod());
        sandbox.run(Duration.ofMinutes(1));

        assertThat(condition("example-kmod", "Degraded").orElseThrow())
                .satisfies(degraded -> assertThat(degraded.getReason()).isEqualTo("NoStates"))
                .satisfies(degraded -> assertThat(degraded.getMessage()).contains("0000-driver.yaml", "[driver.txt]"));
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
        // The client reads again on a thread of its own, in real time: the clock of the cluster may be far ahead of it.
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!sandbox.runUntil(Duration.ofMinutes(5), () -> sandbox.isReady("example-kmod"))) {
            assertThat(System.nanoTime()).as("ready in time").isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
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
