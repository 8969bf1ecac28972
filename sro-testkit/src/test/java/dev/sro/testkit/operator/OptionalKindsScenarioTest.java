package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A recipe with objects of kinds that it can do without. */
final class OptionalKindsScenarioTest {

    private static final String MANIFESTS = """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: settings}
        ---
        apiVersion: example.com/v1
        kind: Widget
        metadata: {name: w}
        spec: {size: 3}
        ---
        apiVersion: resource.k8s.io/v9
        kind: DeviceClass
        metadata: {name: d}
        """;

    private static final class WidgetPlugin implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.builder()
                    .name("kmod")
                    .version("1.0.0")
                    .vendor("Test Vendor")
                    .addOptionalCrds("widgets.example.com", "deviceclasses.resource.k8s.io")
                    .build();
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(State.of("0100-all", ManifestTemplate.text("all.yaml", MANIFESTS)));
        }
    }

    private final SroSandbox sandbox = SroSandbox.create(new WidgetPlugin());

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void getReady() {
        sandbox.nodes().create("n", NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true"));
        sandbox.apply(KmodPlugin.RESOURCE);
        assertThat(sandbox.runUntil(Duration.ofMinutes(5), () -> sandbox.isReady("kmod")))
                .isTrue();
        sandbox.run(Duration.ofMinutes(1));
    }

    private Optional<Condition> skipped() {
        return Objects.requireNonNull(sandbox.get("kmod").orElseThrow().getStatus()).getConditions().stream()
                .filter(condition -> condition.getType().equals("OptionalObjectsSkipped"))
                .findFirst();
    }

    private List<String> widgets() {
        return sandbox
                .client()
                .genericKubernetesResources("example.com/v1", "Widget")
                .inNamespace("kmod")
                .list()
                .getItems()
                .stream()
                .map(widget -> widget.getMetadata().getName())
                .toList();
    }

    @Test
    void whatIsNotServedIsSkippedAndTold() {
        getReady();

        assertThat(skipped()).hasValueSatisfying(condition -> {
            assertThat(condition.getStatus()).isEqualTo("True");
            assertThat(condition.getReason()).isEqualTo("OptionalKindNotServed");
            assertThat(condition.getMessage())
                    .contains("example.com/v1/Widget", "Widget w of state 0100-all")
                    .contains("resource.k8s.io/v9/DeviceClass", "DeviceClass d of state 0100-all");
        });
        assertThat(sandbox.client()
                        .configMaps()
                        .inNamespace("kmod")
                        .withName("settings")
                        .get())
                .isNotNull();
    }

    @Test
    void nothingPollsForIt() {
        getReady();
        sandbox.cluster().recording().start();

        sandbox.run(Duration.ofHours(1));

        assertThat(sandbox
                        .cluster()
                        .recording()
                        .entries(entry ->
                                entry.userAgent().equals("sro") && !entry.verb().equals("watch"))
                        .stream()
                        .map(Recording.Entry::toString))
                .isEmpty();
    }

    @Test
    void itIsWrittenAsSoonAsItIsServedAndGoesWithTheSpecialResource() {
        getReady();

        sandbox.serve("example.com", "v1", "Widget", "widgets", true);
        assertThat(sandbox.runUntil(Duration.ofSeconds(10), () -> widgets().equals(List.of("w"))))
                .isTrue();
        sandbox.run(Duration.ofSeconds(10));
        assertThat(sandbox.isReady("kmod")).isTrue();
        assertThat(skipped().map(Condition::getMessage))
                .hasValueSatisfying(
                        message -> assertThat(message).doesNotContain("Widget").contains("DeviceClass"));

        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(1));
        sandbox.client()
                .resources(dev.sro.api.resource.SpecialResource.class)
                .withName("kmod")
                .delete();
        assertThat(sandbox.runUntil(
                        Duration.ofMinutes(5), () -> sandbox.get("kmod").isEmpty()))
                .isTrue();
        assertThat(widgets()).isEmpty();
    }

    @Test
    void aDefinitionThatGoesTakesNothingElseAlong() {
        sandbox.serve("example.com", "v1", "Widget", "widgets", true);
        getReady();
        assertThat(widgets()).containsExactly("w");

        sandbox.client()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("widgets.example.com")
                .delete();
        sandbox.run(Duration.ofMinutes(10));

        assertThat(sandbox.isReady("kmod")).isTrue();
        assertThat(skipped().map(Condition::getMessage))
                .hasValueSatisfying(message -> assertThat(message).contains("Widget"));

        sandbox.serve("example.com", "v1", "Widget", "widgets", true);
        assertThat(sandbox.runUntil(Duration.ofMinutes(5), () -> widgets().equals(List.of("w"))))
                .isTrue();
    }
}
