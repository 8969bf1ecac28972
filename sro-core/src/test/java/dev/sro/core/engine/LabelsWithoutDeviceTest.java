package dev.sro.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.DeviceMatcher;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.fixture.TestPlugin;
import dev.sro.core.model.MetadataKeys;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a plugin says of nodes that the device has left. */
class LabelsWithoutDeviceTest {

    private static final String PRESENT = "vendor.example/present";
    private static final String DEPLOY = "vendor.example/deploy";

    private final FakeCluster cluster = new FakeCluster();
    private final TestClock clock = new TestClock();
    private final TestPlugin plugin = new TestPlugin("kmod", States.driver());
    private final Engine engine = cluster.engine(clock, plugin).build();

    @BeforeEach
    void start() {
        plugin.presence = node ->
                "1".equals(node.labels().get("card")) ? DeviceMatcher.Presence.PRESENT : DeviceMatcher.Presence.ABSENT;
        plugin.labels = node -> Map.of(PRESENT, "true", DEPLOY, "true");
        plugin.labelsWithout = node -> Map.of(PRESENT, "false");
        cluster.with(Resources.resource("kmod", "kmod", Map.of()))
                .with(
                        Nodes.label(Nodes.node("a", Nodes.K1), "card", "1"),
                        Nodes.label(Nodes.node("b", Nodes.K1), "card", "1"),
                        Nodes.node("never", Nodes.K1));
        settle();
    }

    private void settle() {
        int quiet = 0;
        for (int i = 0; i < 80 && quiet < 3; i++) {
            int before = cluster.writes.size();
            engine.reconcile("kmod");
            cluster.controllers();
            clock.advance(Duration.ofSeconds(5));
            quiet = cluster.writes.size() == before ? quiet + 1 : 0;
        }
    }

    private ObservedNode node(String name) {
        return Objects.requireNonNull(cluster.nodes.get(name));
    }

    private void card(String value) {
        cluster.with(Nodes.relabel(node("a"), "card", value));
        settle();
    }

    private SortedMap<String, String> labels(String name) {
        SortedMap<String, String> labels = new TreeMap<>(node(name).facts().labels());
        labels.keySet().removeIf(key -> !key.startsWith("vendor.example/"));
        return labels;
    }

    @Test
    void onlyTheLabelsForThatStayAndAReturnIsNoticed() {
        assertThat(labels("a")).isEqualTo(Map.of(PRESENT, "true", DEPLOY, "true"));

        card("0");
        assertThat(labels("a")).isEqualTo(Map.of(PRESENT, "false"));
        assertThat(node("a").facts().labels()).doesNotContainKey(MetadataKeys.stateLabel("kmod", "1000"));
        assertThat(labels("b")).hasSize(2);

        cluster.writes.clear();
        cluster.engine(clock, plugin).build().reconcile("kmod");
        assertThat(cluster.writes).as("a new process has nothing to do").isEmpty();

        card("1");
        assertThat(labels("a")).isEqualTo(Map.of(PRESENT, "true", DEPLOY, "true"));
    }

    @Test
    void aNodeThatNeverHadItIsNotTouched() {
        assertThat(labels("never")).isEmpty();
        assertThat(node("never").appliedLabels()).isEmpty();
    }

    @Test
    void somebodyElsesValueStays() {
        plugin.labelsWithout = node -> Map.of("vendor.example/other", "gone");
        cluster.with(Nodes.label(node("a"), "vendor.example/other", "there"));

        card("0");

        assertThat(labels("a")).isEqualTo(Map.of("vendor.example/other", "there"));
        assertThat(node("a").appliedLabels()).isEmpty();
    }

    @Test
    void aNodeThatIsNotSelectedAnyMoreIsForgotten() {
        card("0");
        Resources.spec(cluster.specialResource("kmod").orElseThrow()).setNodeSelector(Map.of("card", "1"));
        settle();

        assertThat(labels("a")).isEmpty();
        assertThat(node("a").appliedLabels()).isEmpty();
    }
}
