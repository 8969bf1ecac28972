package dev.sro.testkit.preflight;

import static dev.sro.testkit.preflight.FakeRegistry.OCI_MANIFEST;
import static dev.sro.testkit.preflight.FakeRegistry.gzip;
import static dev.sro.testkit.preflight.FakeRegistry.layer;
import static dev.sro.testkit.preflight.FakeRegistry.toolkit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.core.image.Images;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.recipe.RuntimeValues;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.core.recipe.source.Registries;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each kernel gets the driver toolkit that has it, whichever tag it is behind, from a registry over HTTP. */
class ToolkitScenarioTest {

    private static final String OLD = "4.18.0-305.19.1.el8_4.x86_64";

    /** Writes down which toolkit each pool gets. */
    private static final class NotePlugin implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("note", "1.0.0", "Test Vendor");
        }

        @Override
        public Map<String, Object> variables(RecipeContext context, Pool pool) {
            return Map.of("toolkit", RuntimeValues.driverToolkit(context.cluster(), pool));
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(State.of("0000-all", ManifestTemplate.text("all.yaml", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: note, annotations: {specialresource.openshift.io/kernel-affine: "true"}}
                data: {kernel: "${kernelFullVersion}", toolkit: "${toolkit}"}
                """)));
        }
    }

    @TempDir
    private Path folder;

    private final Images images =
            new Images(new Registries(new HttpClients(OutgoingGate.open()), Duration.ofSeconds(10)));
    private final SroSandbox sandbox = SroSandbox.createOpenShift(new NotePlugin());
    private FakeRegistry registry;

    @BeforeEach
    void start() throws IOException {
        registry = new FakeRegistry();
        sandbox.kill();
        sandbox.preflights(images, folder.resolve("registries.conf"));
        sandbox.nodes().create("one", NodeProfile.of(OsRelease.RHCOS_8).withRole("worker"));
        sandbox.run(Duration.ofMinutes(1));
    }

    @AfterEach
    void stop() {
        sandbox.close();
        registry.close();
    }

    private String push(String kernel) {
        byte[] files = gzip(layer(toolkit(kernel, "", "8.4")));
        return registry.host() + "/ocp/dtk@" + registry.push("ocp/dtk", kernel, OCI_MANIFEST, files);
    }

    private void stream(Map<String, List<String>> tags) {
        StringBuilder yaml = new StringBuilder("""
            apiVersion: image.openshift.io/v1
            kind: ImageStream
            metadata: {name: driver-toolkit, namespace: openshift}
            status:
              tags:
            """);
        tags.forEach((tag, items) -> {
            yaml.append("  - tag: \"").append(tag).append("\"\n    items:\n");
            for (int i = 0; i < items.size(); i++) {
                yaml.append("    - {created: \"2026-01-0")
                        .append(9 - i)
                        .append("T00:00:00Z\", dockerImageReference: \"")
                        .append(items.get(i))
                        .append("\"}\n");
            }
        });
        sandbox.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("openshift")
                        .endMetadata()
                        .build())
                .create();
        GenericKubernetesResource stream = sandbox.client()
                .getKubernetesSerialization()
                .unmarshal(yaml.toString(), GenericKubernetesResource.class);
        sandbox.client().resource(stream).create();
        sandbox.client().resource(stream).patchStatus();
        sandbox.settle();
    }

    private Map<String, String> toolkits() {
        Map<String, String> notes = new TreeMap<>();
        for (ConfigMap map :
                sandbox.client().configMaps().inNamespace("note").list().getItems()) {
            if (map.getMetadata().getName().startsWith("note-")) {
                notes.put(map.getData().get("kernel"), map.getData().get("toolkit"));
            }
        }
        return notes;
    }

    @Test
    void looksIntoOlderImagesOfATagAndIntoAllTags() {
        String wanted = push(OLD);
        String newer = push("4.18.0-372.32.1.el8_6.x86_64");
        String other = push("5.14.0-570.el9.x86_64");
        // By its tag the newer one would be for the node's system.
        stream(Map.of("410.84.202201102104-0", List.of(newer, wanted), "latest", List.of(other)));
        sandbox.start();
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: note}
            spec: {namespace: note, plugin: {name: note}}
            """);
        assertThat(sandbox.runUntil(Duration.ofMinutes(5), () -> toolkits().containsValue(wanted)))
                .as(String.valueOf(toolkits()))
                .isTrue();
        assertThat(toolkits()).containsExactly(Map.entry(OLD, wanted));
    }
}
