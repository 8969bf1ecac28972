package dev.sro.core.engine.roster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.DeviceMatcher.Presence;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.apply.WriteException;
import dev.sro.core.engine.Engine;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.fixture.TestPlugin;
import dev.sro.core.model.MetadataKeys;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Labels of Node Feature Discovery that vanish from nodes that are served. */
class LabelGraceTest {

    private static final String GPU = "feature.node.kubernetes.io/pci-0302_10de.present";
    private static final Map<String, String> BY_LABEL = Map.of(GPU, "true");
    private static final Duration STEP = Duration.ofSeconds(5);

    private final FakeCluster cluster = new FakeCluster();
    private final TestClock clock = new TestClock();
    private final TestPlugin plugin = new TestPlugin("kmod", States.build(), States.driver(), States.check());
    private Engine engine = cluster.engine(clock, plugin).build();

    @BeforeEach
    void matchByDevice() {
        plugin.presence = node ->
                node.pciDevices().stream().anyMatch(device -> device.isOf("10de")) ? Presence.PRESENT : Presence.ABSENT;
        cluster.with(
                Nodes.label(Nodes.node("a", Nodes.K1), GPU, "true"),
                Nodes.label(Nodes.node("b", Nodes.K1), GPU, "true"));
    }

    private void start(Map<String, String> selector) {
        cluster.with(Resources.resource("kmod", "kmod", selector));
        settle(Duration.ofMinutes(2));
        assertThat(states("a")).isTrue();
        assertThat(states("b")).isTrue();
        cluster.writes.clear();
    }

    private void settle(Duration time) {
        for (Duration spent = Duration.ZERO; spent.compareTo(time) < 0; spent = spent.plus(STEP)) {
            engine.reconcile("kmod");
            cluster.controllers();
            clock.advance(STEP);
        }
    }

    private void unlabel(String name, String... keys) {
        ObservedNode node = node(name);
        Map<String, String> labels = new HashMap<>(node.facts().labels());
        for (String key : keys) {
            labels.remove(key);
        }
        cluster.with(Nodes.with(node, facts -> facts.labels(labels)));
    }

    private ObservedNode node(String name) {
        return Objects.requireNonNull(cluster.nodes.get(name), name);
    }

    private boolean states(String node) {
        return ResourcePrecedence.holdsState(node(node), MetadataKeys.nodeManager("kmod"));
    }

    private void comesAndGoes() {
        unlabel("a", GPU);
        unlabel("b", GPU);
        settle(Duration.ofMinutes(4));
        cluster.with(Nodes.label(node("a"), GPU, "true"), Nodes.label(node("b"), GPU, "true"));
        settle(Duration.ofMinutes(20));
    }

    @Test
    void nothingIsWrittenWhileTheLabelsOfTheSelectorAreAway() {
        start(BY_LABEL);
        comesAndGoes();
        assertThat(cluster.writes).isEmpty();
    }

    @Test
    void norWhileThoseAreAwayByWhichThePluginFindsTheDevice() {
        start(Map.of());
        comesAndGoes();
        assertThat(cluster.writes).isEmpty();
    }

    @Test
    void eachTimeTheyVanishTheTimeBeginsAnew() {
        start(BY_LABEL);
        comesAndGoes();
        comesAndGoes();
        assertThat(cluster.writes).isEmpty();
    }

    @Test
    void afterItsTimeOneThatStaysAwayIsLetGoAndTheOtherNot() {
        start(BY_LABEL);
        unlabel("a", GPU);
        assertThat(engine.reconcile("kmod").wakeUp()).contains(clock.instant().plus(Duration.ofMinutes(5)));
        settle(Duration.ofMinutes(5).minus(STEP));
        assertThat(cluster.writes).isEmpty();
        settle(Duration.ofMinutes(1));

        assertThat(states("a")).isFalse();
        assertThat(states("b")).isTrue();
        cluster.writes.clear();
        settle(Duration.ofMinutes(30));
        assertThat(cluster.writes).isEmpty();
    }

    @Test
    void aLetGoThatIsRefusedIsTriedAgainAndNotPutOff() {
        start(BY_LABEL);
        unlabel("a", GPU);
        cluster.fault = (verb, ref) -> {
            if (ref.kind().equals("Node")) {
                throw new WriteException(WriteException.Kind.CONFLICT, "not now");
            }
        };
        settle(Duration.ofMinutes(6));
        assertThat(states("a")).isTrue();
        cluster.fault = (verb, ref) -> {};
        settle(Duration.ofMinutes(2));
        assertThat(states("a")).isFalse();
    }

    @Test
    void aRestartOfTheOperatorCutsNothingShort() {
        for (Map<String, String> selector : List.of(BY_LABEL, Map.<String, String>of())) {
            start(selector);
            unlabel("a", GPU);
            settle(Duration.ofMinutes(4));
            engine = cluster.engine(clock, plugin).build();
            settle(Duration.ofMinutes(4));
            assertThat(cluster.writes).as("%s", selector).isEmpty();
            settle(Duration.ofMinutes(2));
            assertThat(states("a")).isFalse();
            cluster.with(Nodes.label(node("a"), GPU, "true"));
        }
    }

    @Test
    void labelsOfOthersAndValuesThatChangeCountAtOnce() {
        plugin.presence = node -> Presence.PRESENT;
        cluster.with(Nodes.label(node("a"), "example.com/use", "gpu"));
        cluster.with(Nodes.label(node("b"), "example.com/use", "gpu"));
        start(Map.of(GPU, "true", "example.com/use", "gpu"));
        unlabel("a", "example.com/use");
        cluster.with(Nodes.relabel(node("b"), GPU, "false"));
        settle(Duration.ofMinutes(1));
        assertThat(states("a")).isFalse();
        assertThat(states("b")).isFalse();
    }

    @Test
    void aNodeThatIsAnotherOneIsJudgedAsItIs() {
        start(BY_LABEL);
        cluster.nodes.remove("a");
        settle(STEP);
        cluster.with(Nodes.node("a", Nodes.K1));
        settle(Duration.ofMinutes(1));
        assertThat(node("a").appliedLabels()).isEmpty();
    }

    @Test
    void theKernelsLabelIsWrittenAtOnceBecausePodsArePinnedToIt() {
        start(BY_LABEL);
        unlabel("a", GPU, MetadataKeys.KERNEL_LABEL);
        settle(Duration.ofMinutes(1));
        assertThat(node("a").facts().labels()).containsKey(MetadataKeys.KERNEL_LABEL);
        assertThat(cluster.writes).hasSize(1);
        assertThat(states("a")).isTrue();
    }

    @Test
    void withoutGraceTheyCountAtOnce() {
        engine = cluster.engine(clock, plugin).labelGrace(Duration.ZERO).build();
        start(BY_LABEL);
        unlabel("a", GPU);
        settle(Duration.ofMinutes(1));
        assertThat(states("a")).isFalse();
    }

    @Test
    void aYoungerOneDoesNotTakeANodeWhoseLabelsAreAway() {
        start(BY_LABEL);
        SpecialResource younger = Resources.resource("younger", "kmod", Map.of());
        younger.getMetadata().setCreationTimestamp("2030-01-01T00:00:00Z");
        cluster.with(younger);
        plugin.presence = node -> Presence.PRESENT;
        unlabel("a", GPU);
        engine.reconcile("younger");
        assertThat(node("a").appliedLabels()).doesNotContainKey(MetadataKeys.nodeManager("younger"));
    }
}
