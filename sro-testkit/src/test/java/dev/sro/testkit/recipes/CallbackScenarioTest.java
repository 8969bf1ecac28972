package dev.sro.testkit.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.BoundHook;
import dev.sro.api.ManifestHook;
import dev.sro.api.ManifestHooks;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.StateGraph;
import dev.sro.core.plugin.Plugins;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A recipe calls the hook of a plugin that is not its own, and pulls its images from a mirror. */
class CallbackScenarioTest {

    private static final String RECIPE = """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: asks
          annotations: {specialresource.openshift.io/callback: fill-in}
        data: {where: ""}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: asks-another
          annotations: {specialresource.openshift.io/callback: something-else}
        data: {where: ""}
        ---
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: driver}
        spec:
          selector: {matchLabels: {app: driver}}
          template:
            metadata: {labels: {app: driver}}
            spec:
              initContainers: [{name: i, image: "busybox:1"}]
              containers: [{name: c, image: "quay.io/acme/driver:1@sha256:%s"}]
        """.formatted("0".repeat(64));

    /** What a vendor would ship beside the recipe. */
    private static final class Helper implements AcceleratorPlugin, ManifestHooks {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("helper", "1.0.0", "Example");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain();
        }

        @Override
        public List<BoundHook> manifestHooks() {
            return List.of(BoundHook.builder()
                    .name("fill-in")
                    .putAnnotations("specialresource.openshift.io/callback", "fill-in")
                    .allRecipes(true)
                    .hook(new ManifestHook() {
                        @Override
                        public Optional<GenericKubernetesResource> afterDecode(
                                GenericKubernetesResource object, Context context) {
                            object.setAdditionalProperties(Map.of(
                                    "data", Map.of("where", context.recipe().name())));
                            return Optional.of(object);
                        }
                    })
                    .build());
        }
    }

    private final SroSandbox sandbox = SroSandbox.create(false, Plugins.of(new Helper()));

    @BeforeEach
    void recipe() {
        sandbox.nodes().create("one", NodeProfile.of(OsRelease.UBUNTU_22).withRole("worker"));
        sandbox.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("acme")
                        .endMetadata()
                        .build())
                .create();
        sandbox.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("acme")
                        .withName("acme")
                        .endMetadata()
                        .addToData("0000-all.yaml", RECIPE)
                        .build())
                .create();
        sandbox.run(Duration.ofMinutes(2));
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void apply(String mirrors) {
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata:
              name: acme
              annotations: {sro.dev/image-mirrors: "%s"}
            spec: {namespace: acme}
            """.formatted(mirrors));
    }

    private String where(String name) {
        return String.valueOf(sandbox.client()
                .configMaps()
                .inNamespace("acme")
                .withName(name)
                .get()
                .getData()
                .get("where"));
    }

    @Test
    void theHookRunsOnWhatAsksForItAndImagesComeFromTheMirror() {
        apply("quay.io/acme=mirror.example.com/acme,docker.io=mirror.example.com/hub");
        assertThat(sandbox.runUntil(Duration.ofMinutes(10), () -> sandbox.isReady("acme")))
                .as(() -> sandbox.state("acme"))
                .isTrue();

        assertThat(where("asks")).isEqualTo("acme");
        assertThat(where("asks-another")).isEmpty();
        var pods = sandbox.client()
                .apps()
                .daemonSets()
                .inNamespace("acme")
                .withName("driver")
                .get()
                .getSpec()
                .getTemplate()
                .getSpec();
        assertThat(pods.getContainers().get(0).getImage())
                .isEqualTo("mirror.example.com/acme/driver:1@sha256:" + "0".repeat(64));
        assertThat(pods.getInitContainers().get(0).getImage()).isEqualTo("mirror.example.com/hub/library/busybox:1");
    }

    @Test
    void mirrorsThatAreNoneAreRefusedByTheAnnotation() {
        apply("quay.io");
        sandbox.run(Duration.ofMinutes(1));

        assertThat(sandbox.state("acme")).startsWith("Errored:").contains("sro.dev/image-mirrors", "\"quay.io\"");
    }
}
