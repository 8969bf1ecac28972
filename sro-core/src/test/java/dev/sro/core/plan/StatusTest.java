package dev.sro.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.Pool;
import dev.sro.api.Reach;
import dev.sro.api.State;
import dev.sro.api.resource.OutcomeSample;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.World;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.probe.PodFacts;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StatusTest {

    private static final int LIMIT = 32 * 1024;

    private static SpecialResourceStatus status(World world) {
        return Objects.requireNonNull(world.resource.getStatus());
    }

    @Test
    void conditionsKeepTheirTransitionTimeWhileTheirStatusIsTheSame() {
        World world = new World(States.config("1000-a", "1")).with(Nodes.node("a", Nodes.K1));
        world.settle();
        String before = status(world).getConditions().stream()
                .filter(condition -> condition.getType().equals("Ready"))
                .map(Condition::getLastTransitionTime)
                .findFirst()
                .orElseThrow();
        world.now = world.now.plusSeconds(3600);
        world.with(Nodes.node("b", Nodes.K2));
        world.settle();
        assertThat(status(world).getConditions())
                .filteredOn(condition -> condition.getType().equals("Ready"))
                .allSatisfy(condition ->
                        assertThat(condition.getLastTransitionTime()).isEqualTo(before));
    }

    @Test
    void sinceIsKeptWhileTheReasonIsTheSame() {
        World world = new World(States.driver()).with(Nodes.node("a", Nodes.K1));
        world.badNodes.add("a");
        world.settle();
        String since = status(world).getStates().get(0).getSince();
        world.now = world.now.plusSeconds(3600);
        world.with(Nodes.node("b", Nodes.K1));
        world.badNodes.add("b");
        world.settle();
        assertThat(status(world).getStates().get(0).getSince()).isEqualTo(since);
    }

    @Test
    void counterChangesAloneWaitForASecondAndWakeUpThen() {
        World world = new World(States.driver()).with(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K1));
        world.badNodes.add("a");
        world.badNodes.add("b");
        world.settle();
        world.lastStatusWrite = world.now;
        world.with(Nodes.node("c", Nodes.K1));
        world.badNodes.add("c");
        world.controllers();
        Plan plan = world.plan();
        assertThat(plan.writes()).noneMatch(Write.UpdateStatus.class::isInstance);
        assertThat(plan.wakeUp()).contains(world.now.plusSeconds(1));
        world.now = world.now.plusSeconds(1);
        assertThat(world.plan().writes()).anyMatch(Write.UpdateStatus.class::isInstance);
    }

    @Test
    void aNodeHasItsPoolWhereAStateIsOneForAllPools() {
        State state = State.builder()
                .id("1000-driver")
                .reach(Reach.nodeByNode())
                .scope(State.Scope.CLUSTER)
                .addManifests(ManifestTemplate.text("1000-driver.yaml", """
                    apiVersion: apps/v1
                    kind: DaemonSet
                    metadata: {name: driver}
                    spec: {template: {spec: {containers: [{name: c, image: "driver:1"}]}}}
                    """))
                .build();
        World world = new World(state).with(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K2));
        world.badNodes.add("b");
        world.settle();

        assertThat(status(world).getSamples())
                .filteredOn(sample -> "b".equals(sample.getNode()))
                .extracting(OutcomeSample::getPool)
                .isNotEmpty()
                .containsOnly(world.pools().stream()
                        .filter(pool -> pool.nodes().contains("b"))
                        .findFirst()
                        .orElseThrow()
                        .name());
    }

    @Test
    void staysBelow32KiBWith5000NodesAnd20StatesThatAllFail() {
        State[] states = new State[20];
        for (int i = 0; i < states.length; i++) {
            states[i] = States.daemonSet("%04d-%s".formatted(i * 100, "s".repeat(50)), "d" + i);
        }
        World world = new World(states);
        for (int i = 0; i < 5000; i++) {
            world.with(
                    Nodes.node("node-%04d.%s".formatted(i, "x".repeat(40)), "4.18.0-%d.el8.x86_64".formatted(i % 40)));
        }
        String broken = "ü".repeat(2000);
        for (int round = 0; round < 2; round++) {
            for (Pool pool : world.pools()) {
                world.objects.values().stream()
                        .filter(live ->
                                live.annotation(MetadataKeys.POOL).orElse("").equals(pool.name()))
                        .forEach(live -> pool.nodes()
                                .forEach(node -> world.pods.put(
                                        live.uid() + node,
                                        new PodFacts(
                                                "kmod",
                                                "p",
                                                live.uid(),
                                                node,
                                                "Pending",
                                                false,
                                                false,
                                                "",
                                                "CrashLoopBackOff",
                                                broken))));
            }
            world.step();
        }
        SpecialResourceStatus status = status(world);
        assertThat(status.getSamples()).hasSize(20);
        assertThat(status.getPools()).hasSize(20);
        assertThat(status.getPoolCount()).isEqualTo(40);
        assertThat(new KubernetesSerialization().asJson(status).getBytes(StandardCharsets.UTF_8).length)
                .isLessThan(LIMIT);
        assertThat(status.getSamples())
                .extracting(OutcomeSample::getMessage)
                .allSatisfy(message -> assertThat(String.valueOf(message).getBytes(StandardCharsets.UTF_8).length)
                        .isLessThanOrEqualTo(256));
    }

    @Test
    void messagesAreCutBetweenCharacters() {
        assertThat(Outcomes.shorten("a".repeat(256))).hasSize(256);
        for (String odd : new String[] {"ü", "€", "😀", "aü"}) {
            String cut = Outcomes.shorten(odd.repeat(300));
            assertThat(cut).endsWith("…").doesNotContain("\uFFFD");
            assertThat(cut.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(256);
        }
    }
}
