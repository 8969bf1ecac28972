package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.dra.NodeMarks;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** GPUs of nodes with slices are reset when nothing holds them open but the driver and the agent. */
class ResetScenarioTest {

    private static final Duration LONG = Duration.ofHours(3);

    private static final String STATE = "nvidia.com/gpu-driver-upgrade-state";

    private static final String GPU = "0000:3b:00.0";

    private static final String SETTINGS = "{"
            + ExposureScenarioTest.SLICES.replace(
                    "{enabled: true", "{enabled: true, resets: true, defaultExposure: slices")
            + ", dcgm: {enabled: true}, nodeStatusExporter: {enabled: true}}";

    /** What holds GPUs open on a node with slices, beside driver and agent. */
    private static final Set<String> HOLDERS =
            Set.of("nvidia-dcgm", "nvidia-dcgm-exporter", "gpu-feature-discovery", "nvidia-node-status-exporter");

    private final SroSandbox sandbox = SroSandbox.create(new NvidiaPlugin());

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void reach(BooleanSupplier goal) {
        assertThat(sandbox.runUntil(LONG, goal))
                .as(() -> sandbox.state(Gpus.NAME) + phase("one") + apps("one"))
                .isTrue();
    }

    private Set<String> apps(String node) {
        return StreamSupport.stream(sandbox.cluster().api().list(Gvr.PODS).spliterator(), false)
                .filter(pod -> pod.at("/spec/nodeName").asText().equals(node))
                .map(pod -> pod.at("/metadata/labels/app").asText())
                .collect(Collectors.toSet());
    }

    private String phase(String node) {
        return sandbox.client()
                .nodes()
                .withName(node)
                .get()
                .getMetadata()
                .getLabels()
                .getOrDefault(STATE, "");
    }

    private String annotation(String node, String key) {
        return sandbox.client()
                .nodes()
                .withName(node)
                .get()
                .getMetadata()
                .getAnnotations()
                .getOrDefault(key, "");
    }

    private void annotate(String node, String key, String value) {
        sandbox.client().nodes().withName(node).edit(live -> {
            if (value.isEmpty()) {
                live.getMetadata().getAnnotations().remove(key);
            } else {
                live.getMetadata().getAnnotations().put(key, value);
            }
            return live;
        });
    }

    @Test
    void gpusAreResetWhenNothingElseHoldsThemOpen() {
        sandbox.nodes().create("one", Gpus.NODE);
        sandbox.nodes().create("two", Gpus.NODE);
        sandbox.run(Duration.ofMinutes(2));
        sandbox.apply(Gpus.resource(SETTINGS)
                + "  upgradePolicy: {autoUpgrade: true, maxUnavailable: 100%, stateLabel: " + STATE + "}\n");
        reach(() -> sandbox.isReady(Gpus.NAME) && phase("one").equals("upgrade-done"));
        assertThat(apps("one")).containsAll(HOLDERS).contains("nvidia-slices-agent");

        annotate("one", NodeMarks.RESET_NEEDED, GPU);
        reach(() -> !annotation("one", NodeMarks.RESET).isEmpty());
        assertThat(annotation("one", NodeMarks.RESET)).isEqualTo(GPU);
        assertThat(apps("one")).doesNotContainAnyElementsOf(HOLDERS).contains("nvidia-slices-agent");
        assertThat(apps("two")).as("of the other node nothing is needed").containsAll(HOLDERS);

        annotate("one", NodeMarks.RESET_NEEDED, "");
        reach(() -> phase("one").equals("upgrade-done") && sandbox.isReady(Gpus.NAME));
        sandbox.run(Duration.ofMinutes(1));
        assertThat(apps("one")).containsAll(HOLDERS).contains("nvidia-slices-agent");
        assertThat(annotation("one", NodeMarks.RESET)).isEmpty();
    }
}
