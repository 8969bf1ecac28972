package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A recipe with an object of a kind that the cluster does not serve, at first. */
final class MissingKindTest {

    private static final String WIDGET = """
            apiVersion: example.com/v1
            kind: Widget
            metadata: {name: w}
            spec: {size: 3}
            """;

    private static final class WidgetPlugin implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("kmod", "1.0.0", "Test Vendor");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(State.of("0000-widget", ManifestTemplate.text("widget.yaml", WIDGET)));
        }
    }

    private static Condition degraded(SroSandbox sandbox) {
        return Objects.requireNonNull(sandbox.get("kmod").orElseThrow().getStatus()).getConditions().stream()
                .filter(c -> c.getType().equals("Degraded"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void goesOnWithinAMinuteWhenTheDefinitionAppears() {
        try (SroSandbox sandbox = SroSandbox.create(new WidgetPlugin())) {
            sandbox.nodes().create("n", NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true"));
            sandbox.apply(KmodPlugin.RESOURCE);
            sandbox.run(Duration.ofMinutes(3));
            assertThat(degraded(sandbox).getReason()).isEqualTo("KindNotServed");
            assertThat(degraded(sandbox).getMessage()).contains("example.com/v1/Widget");

            sandbox.serve("example.com", "v1", "Widget", "widgets", true);
            assertThat(sandbox.runUntil(Duration.ofMinutes(1), () -> sandbox.isReady("kmod")))
                    .isTrue();
            assertThat(sandbox.client()
                            .genericKubernetesResources("example.com/v1", "Widget")
                            .inNamespace("kmod")
                            .list()
                            .getItems())
                    .extracting(widget -> widget.getMetadata().getName())
                    .isEqualTo(List.of("w"));
        }
    }
}
