package dev.sro.core.engine.trip;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.device.Exposure;
import dev.sro.api.device.Handover;
import dev.sro.core.engine.roster.Roster;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.probe.NodePod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a node gets other labels because its devices are to be offered in another way. */
class HandoversTest {

    private static final String KEY = "example.com/offers";

    private static final Map<String, String> BEFORE = Map.of(KEY, "old");
    private static final Map<String, String> BETWEEN = Map.of("example.com/goes", "over");
    private static final Map<String, String> AFTER = Map.of(KEY, "new");

    private static final Exposure PLUGIN = Exposure.devicePlugin("example.com/dev", "example.com/part-*");

    private static final Exposure CLAIMS = Exposure.builder()
            .mode(Exposure.Mode.DRA)
            .draDriver("dra.example.com")
            .build();

    private static NodePod pod(String name, String namespace, Map<String, String> labels, String asks, boolean over) {
        return new NodePod(
                namespace,
                name,
                name,
                labels,
                asks.isEmpty() || asks.startsWith("dra.") ? Map.of() : Map.of(asks, "1"),
                "",
                false,
                false,
                asks.startsWith("dra.") ? new NodePod.Claims(true, Set.of("ns/c"), Set.of(asks)) : NodePod.Claims.NONE,
                over,
                false,
                false,
                Instant.EPOCH);
    }

    private static Handovers.Assessment assess(Exposure from, Map<String, String> held, Optional<List<NodePod>> pods) {
        ObservedNode node = Nodes.node("n", Nodes.K1);
        for (Map.Entry<String, String> label : held.entrySet()) {
            node = Nodes.label(node, label.getKey(), label.getValue());
        }
        Handover handover = new Handover(from, List.of(Map.of("app", "plugin")), BETWEEN, AFTER);
        Map<String, Map<String, String>> labels = new HashMap<>(Map.of("n", BEFORE));
        Roster roster = new Roster(
                Map.of("n", node), List.of(), List.of(), new TreeMap<>(), labels, false, Map.of("n", handover));
        return new Handovers(name -> pods).of("operands", roster);
    }

    private static Map<String, String> labels(Exposure from, NodePod... pods) {
        Handovers.Assessment assessed = assess(from, BEFORE, Optional.of(List.of(pods)));
        assertThat(assessed.nodes()).containsExactly("n");
        return assessed.roster().labels().getOrDefault("n", Map.of());
    }

    @ParameterizedTest
    @CsvSource({
        "example.com/dev, true",
        "example.com/part-small, true",
        "example.com/other, false",
        "example.com/device, false",
        "dra.example.com, false",
        "'', false"
    })
    void whoAsksForAResourceOfTheDevicePluginIsWaitedFor(String asks, boolean waited) {
        assertThat(labels(PLUGIN, pod("a", "ns", Map.of(), asks, false))).isEqualTo(waited ? BEFORE : AFTER);
        assertThat(labels(PLUGIN, pod("a", "ns", Map.of(), asks, true)))
                .as("has ended")
                .isEqualTo(AFTER);
    }

    @ParameterizedTest
    @CsvSource({"dra.example.com, true", "dra.other.example, false", "example.com/dev, false"})
    void whoHasAClaimOfTheDriverIsWaitedFor(String asks, boolean waited) {
        assertThat(labels(CLAIMS, pod("a", "ns", Map.of(), asks, false))).isEqualTo(waited ? BEFORE : AFTER);
    }

    @Test
    void theNewWayBeginsWhenThePodsOfTheOldOneHaveLeft() {
        NodePod operand = pod("plugin-x", "operands", Map.of("app", "plugin", "pod-template-hash", "1"), "", false);
        NodePod other = pod("plugin-x", "ns", Map.of("app", "plugin"), "", false);

        assertThat(labels(PLUGIN, operand)).isEqualTo(BETWEEN);
        assertThat(labels(PLUGIN, other)).as("of somebody else").isEqualTo(AFTER);
        assertThat(labels(PLUGIN, operand, pod("late", "ns", Map.of(), "example.com/dev", false)))
                .as("somebody came before it left: it goes on for them")
                .isEqualTo(BEFORE);
    }

    @Test
    void aNodeOfWhichNothingIsKnownStaysAsItIs() {
        assertThat(assess(PLUGIN, BEFORE, Optional.empty()).roster().labels()).containsEntry("n", BEFORE);
        assertThat(assess(PLUGIN, BETWEEN, Optional.empty()).roster().labels()).containsEntry("n", BETWEEN);
    }

    @Test
    void whoIsWaitedForIsNamed() {
        List<NodePod> pods = new ArrayList<>();
        for (String name : List.of("d", "c", "b", "a")) {
            pods.add(pod(name, "ns", Map.of(), "example.com/dev", false));
        }
        assertThat(assess(PLUGIN, BEFORE, Optional.of(pods)).warnings())
                .containsExactly("node n stays as it is until 4 pods end that have devices by the device plugin: ns/a,"
                        + " ns/b, ns/c, …");
        assertThat(assess(CLAIMS, BEFORE, Optional.of(List.of(pod("a", "ns", Map.of(), "dra.example.com", false))))
                        .warnings())
                .containsExactly(
                        "node n stays as it is until 1 pod ends that has devices by claims of dra.example.com: ns/a");
    }
}
