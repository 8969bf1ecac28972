package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.DeviceMatcher.Presence;
import dev.sro.api.NodeFacts;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** Labels of nodes by workload, with what is there preserved. */
class NodeLabelsTest {

    /** Labels in short: names below {@code nvidia.com/}, with {@code deploy.} for {@code gpu.deploy.}. */
    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new HashMap<>();
        for (String word : text == null ? new String[0] : text.strip().split(" ", -1)) {
            if (!word.isEmpty()) {
                String[] parts = word.split("=", 2);
                String name = parts[0].replace("deploy.", "gpu.deploy.");
                labels.put(name.contains("/") ? name : Labels.PREFIX + name, parts[1]);
            }
        }
        return labels;
    }

    private static String text(Map<String, String> labels) {
        return new TreeSet<>(labels.entrySet().stream()
                        .map(label -> label.getKey().replace(Labels.PREFIX, "").replace("gpu.deploy.", "deploy.") + "="
                                + label.getValue())
                        .toList())
                .stream().collect(Collectors.joining(" "));
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "node-labels.txt", delimiter = '|', numLinesToSkip = 1)
    void aNodeGetsTheLabelsOfItsWorkload(String what, String config, String there, String wanted) {
        Map<String, String> labels =
                new NvidiaPlugin().nodeLabels(Gpus.ubuntu(labels(there)), Gpus.context(Gpus.kubernetes(), config));

        assertThat(text(labels)).isEqualTo(text(labels(wanted)));
    }

    @ParameterizedTest
    @CsvSource(
            value = {"true, false", "false, false", "'', ''", "none, ''"},
            nullValues = "none")
    void ofANodeWhoseGpusAreGoneItIsSaidThatTheyAre(@Nullable String there, String wanted) {
        NodeFacts node =
                Gpus.ubuntu(there == null ? Map.of() : Map.of(Labels.PRESENT, there, Labels.DEPLOY + "driver", "true"));

        assertThat(new NvidiaPlugin().labelsWithoutDevice(node, Gpus.context(Gpus.kubernetes(), "{}")))
                .isEqualTo(wanted.isEmpty() ? Map.of() : Map.of(Labels.PRESENT, wanted));
    }

    @ParameterizedTest
    @CsvSource({
        "pci-10de.present, true, PRESENT",
        "pci-0302_10de.present, true, PRESENT",
        "pci-0300_10de.present, true, PRESENT",
        "pci-0300_10de_1eb8.present, true, PRESENT",
        "pci-0300_10de.present, false, ABSENT",
        "pci-0680_10de.present, true, ABSENT",
        "pci-0403_10de.present, true, ABSENT",
        "pci-15b3.present, true, ABSENT"
    })
    void aGpuIsFoundByEveryFormOfItsLabel(String label, String value, Presence presence) {
        NodeFacts node = NodeFacts.builder()
                .from(Gpus.ubuntu(Map.of()))
                .labels(Map.of("feature.node.kubernetes.io/" + label, value))
                .build();

        assertThat(new NvidiaPlugin().match(node, Gpus.context(Gpus.kubernetes(), "{}")))
                .isEqualTo(presence);
    }

    @Test
    void nothingIsKnownOfANodeThatNobodyHasLabelled() {
        NodeFacts node =
                NodeFacts.builder().from(Gpus.ubuntu(Map.of())).labels(Map.of()).build();

        assertThat(new NvidiaPlugin().match(node, Gpus.context(Gpus.kubernetes(), "{}")))
                .isEqualTo(Presence.UNKNOWN);
    }
}
