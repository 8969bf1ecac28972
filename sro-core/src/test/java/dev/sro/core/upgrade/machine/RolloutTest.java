package dev.sro.core.upgrade.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.operation.UpgradeAction;
import dev.sro.core.upgrade.policy.MaintenanceWindow;
import dev.sro.core.upgrade.policy.NodeShare;
import dev.sro.core.upgrade.policy.RetryPolicy;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import dev.sro.core.upgrade.policy.RolloutWave;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole rollouts on the model, without faults. */
class RolloutTest {

    private static final int TURNS = 500;

    private final Random random = new Random(1);
    private final List<SimNode> nodes = new ArrayList<>();
    private Instant now = Instant.parse("2026-11-22T00:00:00Z");

    private SimResource resource(RolloutPolicy.Builder policy, int count) {
        SimResource resource = new SimResource(0, policy.target("v1").build(), random);
        for (int i = 0; i < count; i++) {
            SimNode node = new SimNode("n" + i, 1);
            node.drivers[0].newPod("v1", random);
            node.drivers[0].starting = 0;
            node.drivers[0].validating = 0;
            nodes.add(node);
        }
        run(resource, 3);
        return resource;
    }

    private RolloutPlan run(SimResource resource, int turns) {
        RolloutPlan plan = resource.plan(nodes, now);
        for (int i = 0; i < turns; i++) {
            plan = resource.pass(nodes, now);
            now = now.plusSeconds(20);
            for (SimNode node : nodes) {
                node.tick(new String[] {resource.target()}, random);
            }
        }
        return plan;
    }

    private static void want(SimResource resource, String target) {
        resource.policy = resource.policy.with().target(target).build();
    }

    private static RolloutPolicy.Builder auto() {
        return RolloutPolicy.builder().autoUpgrade(true).maxUnavailable(new NodeShare(100, true));
    }

    private SimNode.Driver driver(int node) {
        return nodes.get(node).drivers[0];
    }

    private List<String> upgraded(String target) {
        return nodes.stream()
                .filter(node -> node.drivers[0].label.equals("upgrade-done") && node.drivers[0].revision.equals(target))
                .map(node -> node.name)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anUndisturbedUpgradeTakesAtMostSixWritesOfANode(boolean podsAlways) {
        SimResource resource =
                resource(auto().validation(true).waitForJobs(true).maxParallel(2), 6);
        resource.podsAlways = podsAlways;
        nodes.forEach(node -> {
            node.drivers[0].writes = 0;
            node.drivers[0].users = 2;
        });
        want(resource, "v2");
        assertThat(run(resource, TURNS).state()).isEqualTo(RolloutPlan.State.DONE);
        assertThat(upgraded("v2")).hasSize(6);
        for (SimNode node : nodes) {
            assertThat(node.drivers[0].writes + node.drivers[0].deletions).isBetween(4, podsAlways ? 6 : 7);
        }
        assertThat(resource.plan(nodes, now).steps()).isEmpty();
        assertThat(Journal.parse(resource.journal).journal().good()).isEqualTo("v2");
    }

    @Test
    void theJournalIsWrittenForTheRolloutAndNotForEachNode() {
        SimResource resource = resource(auto(), 10);
        want(resource, "v2");
        int writes = 0;
        for (int i = 0; i < TURNS; i++) {
            writes += run(resource, 1).journalDue() ? 1 : 0;
        }
        assertThat(upgraded("v2")).hasSize(10);
        assertThat(writes).isEqualTo(2);
    }

    @Test
    void nothingIsTakenOnOrLabelledWhileAutoUpgradeIsOffUnlessSomebodyAsks() {
        SimResource resource = resource(auto().autoUpgrade(false), 3);
        assertThat(driver(0).label).isEmpty();
        want(resource, "v2");
        assertThat(run(resource, 5).state()).isEqualTo(RolloutPlan.State.HELD);
        assertThat(nodes).allMatch(node -> node.drivers[0].label.isEmpty());
        driver(1).requested = true;
        run(resource, 50);
        assertThat(upgraded("v2")).containsExactly("n1");
        assertThat(driver(1).requested).isFalse();
    }

    @Test
    void wavesFollowOneAnotherAfterTheirTimeAndTheWordOfSomebody() {
        RolloutWave canary =
                new RolloutWave("canary", Map.of("wave", "canary"), Duration.ofMinutes(30), true, Optional.empty());
        SimResource resource = resource(auto().addWaves(canary).maxParallel(0), 4);
        want(resource, "v2");
        RolloutPlan plan = run(resource, 40);
        assertThat(upgraded("v2")).containsExactly("n0");
        assertThat(plan.state()).isEqualTo(RolloutPlan.State.BETWEEN_WAVES);
        assertThat(plan.wakeUp()).isPresent();
        now = now.plus(Duration.ofMinutes(31));
        plan = run(resource, 40);
        assertThat(plan.message()).contains("resumed");
        assertThat(upgraded("v2")).containsExactly("n0");
        resource.policy = resource.policy.with().resume("go").build();
        run(resource, 40);
        assertThat(upgraded("v2")).hasSize(4);
    }

    @Test
    void aWaveOfWhichNoNodeGotTheDriverHoldsTheOthers() {
        SimResource resource = resource(
                auto().addWaves(RolloutWave.of("canary", Map.of("wave", "canary")))
                        .maxParallel(0),
                3);
        nodes.get(0).ready = false;
        nodes.get(0).dead = true;
        want(resource, "v2");
        RolloutPlan plan = run(resource, 40);
        assertThat(upgraded("v2")).isEmpty();
        assertThat(plan.message()).contains("no node of wave canary");
    }

    @Test
    void failuresHaltARolloutAndItGoesBackToTheLastGoodDriver() {
        SimResource resource = resource(
                auto().haltOnFailures(Optional.of(new NodeShare(1, false))).automaticRollback(true), 4);
        driver(1).broken = "v2";
        want(resource, "v2");
        run(resource, TURNS);
        assertThat(resource.target()).isEqualTo("v1");
        assertThat(upgraded("v1")).hasSize(4);
        assertThat(nodes).noneMatch(SimNode::unschedulable);
        RolloutPlan rest = resource.plan(nodes, now);
        assertThat(rest.message()).isEqualTo("rolled back from v2 to v1");
        // What was mended is wanted under another identity.
        want(resource, "v3");
        run(resource, TURNS);
        assertThat(upgraded("v3")).hasSize(4);
    }

    @Test
    void aHaltedRolloutGoesOnWhenResumedAndForgetsTheFailuresSoFar() {
        SimResource resource = resource(auto().haltOnFailures(Optional.of(new NodeShare(1, false))), 4);
        driver(0).broken = "v2";
        want(resource, "v2");
        RolloutPlan plan = run(resource, TURNS);
        assertThat(plan.state()).isEqualTo(RolloutPlan.State.HALTED);
        assertThat(upgraded("v2")).isEmpty();
        assertThat(plan.samples()).singleElement().satisfies(sample -> {
            assertThat(sample.node()).isEqualTo("n0");
            assertThat(sample.block().code()).isEqualTo("DriverCrashes");
        });
        resource.policy = resource.policy.with().resume("go").build();
        run(resource, TURNS);
        assertThat(upgraded("v2")).containsExactly("n1", "n2", "n3");
    }

    @Test
    void somebodyCanRollBackByCommand() {
        SimResource resource = resource(auto(), 3);
        want(resource, "v2");
        run(resource, TURNS);
        assertThat(upgraded("v2")).hasSize(3);
        Journal journal = Journal.parse(resource.journal).journal();
        assertThat(journal.good()).isEqualTo("v2");
        want(resource, "v3");
        run(resource, 6);
        resource.policy = resource.policy.with().rollbackOf("v3").build();
        run(resource, TURNS);
        assertThat(upgraded("v2")).hasSize(3);
    }

    @Test
    void outsideOfItsWindowNoNodeIsTakenOnAndThePlanWakesUpForTheNext() {
        MaintenanceWindow night =
                new MaintenanceWindow(Set.of(), LocalTime.of(22, 0), Duration.ofHours(2), ZoneOffset.UTC, Map.of());
        SimResource resource = resource(auto().addWindows(night), 2);
        want(resource, "v2");
        RolloutPlan plan = run(resource, 20);
        assertThat(plan.state()).isEqualTo(RolloutPlan.State.HELD);
        assertThat(plan.wakeUp()).contains(Instant.parse("2026-11-22T22:00:00Z"));
        now = Instant.parse("2026-11-22T22:00:00Z");
        run(resource, 50);
        assertThat(upgraded("v2")).hasSize(2);
    }

    /** The same rollout with bad nodes in it takes the good ones no longer, as long as there is room for both. */
    @ParameterizedTest
    @ValueSource(strings = {"NotReady", "UnknownAction", "Skip", "Held", "Unschedulable"})
    void aBadNodeThatWaitsDelaysNoOther(String kind) {
        assertThat(turnsWith(kind)).isEqualTo(turnsWith("none"));
    }

    private int turnsWith(String kind) {
        nodes.clear();
        SimResource resource = resource(auto().maxParallel(1).maxUnavailable(new NodeShare(3, false)), 5);
        SimNode bad = nodes.get(0);
        random.setSeed(7);
        switch (kind) {
            case "NotReady" -> {
                bad.dead = true;
                bad.ready = false;
            }
            case "UnknownAction" -> bad.drivers[0].unknownAction = true;
            case "Unschedulable" -> {
                resource.policy = resource.policy
                        .with()
                        .manualCordon(RolloutPolicy.ManualCordon.LEAVE)
                        .build();
                bad.adminCordon = true;
            }
            default -> bad.skip = true;
        }
        want(resource, "v2");
        int turns = 0;
        while (upgraded("v2").size() < 4) {
            run(resource, 1);
            turns++;
        }
        assertThat(upgraded("v2")).doesNotContain("n0");
        return turns;
    }

    @Test
    void aNodeThatFailsWhileItIsUpgradedGivesItsSlotBackAndOthersGoBeforeItsNextAttempt() {
        SimResource resource = resource(
                auto().retry(new RetryPolicy(5, Duration.ofMinutes(1), Duration.ofMinutes(1), true))
                        .maxUnavailable(new NodeShare(2, false)),
                5);
        driver(0).broken = "v2";
        want(resource, "v2");
        for (int i = 0; i < TURNS && upgraded("v2").size() < 4; i++) {
            run(resource, 1);
        }
        assertThat(upgraded("v2")).containsExactly("n1", "n2", "n3", "n4");
        assertThat(JournalEntry.parse(driver(0).note).orElseThrow().failures()).isEqualTo(1);
    }

    @Test
    void aPlanOf15000NodesTakesMilliseconds() {
        List<UpgradeNode> many = new ArrayList<>();
        for (int i = 0; i < 15_000; i++) {
            String label = i < 100 ? "pod-restart-required" : i < 7_000 ? "upgrade-done" : "upgrade-required";
            many.add(Facts.node("node-" + i, label, i < 100 ? "driver=notready" : i < 7_000 ? "" : "driver=outdated"));
        }
        RolloutPolicy policy = Facts.policy("parallel=101 unavailable=5%").build();
        Journal journal =
                Rollout.plan(policy, many, TransitionsTest.begun(), Facts.NOW).journal();
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 30; i++) {
            long begin = System.nanoTime();
            RolloutPlan plan = Rollout.plan(policy, many, journal, Facts.NOW);
            best = Math.min(best, System.nanoTime() - begin);
            assertThat(plan.steps()).hasSize(101);
        }
        assertThat(Duration.ofNanos(best)).isLessThan(Duration.ofMillis(50));
    }

    @Test
    void theTargetIsTheWantedOneUnlessItIsRolledBackAndThereIsAGoodOne() {
        Journal journal = TransitionsTest.begun();
        RolloutPolicy policy = Facts.policy("").build();
        assertThat(Rollout.target(policy, journal)).isEqualTo("v2");
        RolloutPolicy back = policy.with().rollbackOf("v2").build();
        assertThat(Rollout.target(back, journal)).isEqualTo("v1");
        assertThat(Rollout.target(back, Journal.EMPTY)).isEqualTo("v2");
        assertThat(Rollout.target(back.with().target("v3").build(), journal)).isEqualTo("v3");
    }

    @Test
    void restartOnlyEvictsNobody() {
        SimResource resource = resource(auto(), 2);
        resource.action = UpgradeAction.RESTART_ONLY;
        nodes.forEach(node -> node.drivers[0].users = 2);
        want(resource, "v2");
        run(resource, 60);
        assertThat(upgraded("v2")).hasSize(2);
        assertThat(nodes).allMatch(node -> node.drivers[0].users == 2);
    }

    @Test
    void aRebootHappensOnceAndTheNewDriverIsLoadedByIt() {
        SimResource resource = resource(auto(), 2);
        resource.action = UpgradeAction.REBOOT;
        want(resource, "v2");
        run(resource, 80);
        assertThat(upgraded("v2")).hasSize(2);
        assertThat(nodes).allMatch(node -> node.boot == 2);
        assertThat(new TreeMap<>(resource.plan(nodes, now).counts())).isEqualTo(Map.of(UpgradePhase.DONE, 2));
    }
}
