package dev.sro.core.upgrade.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.upgrade.policy.NodeShare;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which nodes are told to people as those that do not go on, and why. */
final class StuckNodesTest {

    private static final String FAILED = "driver=notready age=600";

    private static RolloutPlan plan(RolloutPolicy policy, UpgradeNode... nodes) {
        return Rollout.plan(policy, List.of(nodes), TransitionsTest.begun(), Facts.NOW);
    }

    /** Its retry is due, so that it waits like others; the rollout has halted because of it, and it may wait for ever. */
    @Test
    void theNodeThatARolloutHaltedForIsNamedWhileItWaitsForItsRetry() {
        RolloutPolicy policy = Facts.policy("retries=2")
                .haltOnFailures(new NodeShare(1, false))
                .build();

        RolloutPlan plan =
                plan(policy, Facts.node("bad", "upgrade-failed", FAILED), Facts.node("n", "", "driver=outdated"));

        assertThat(plan.state()).isEqualTo(RolloutPlan.State.HALTED);
        assertThat(plan.counts()).containsEntry(UpgradePhase.REQUIRED, 2).doesNotContainKey(UpgradePhase.FAILED);
        assertThat(plan.samples()).singleElement().satisfies(stuck -> {
            assertThat(stuck.node()).isEqualTo("bad");
            assertThat(stuck.failures()).isEqualTo(1);
            assertThat(stuck.block().code()).isEqualTo("DriverCrashes");
        });
    }

    @Test
    void aDriverThatIsLateOnANodeThatIsGoneIsNotBlamed() {
        RolloutPlan plan = plan(
                Facts.policy("").build(),
                Facts.node("n", "pod-restart-required", "driver=notready nodenotready age=90000"));

        assertThat(plan.samples())
                .singleElement()
                .satisfies(stuck ->
                        assertThat(stuck.block().message()).contains("took longer than", "the node is not Ready"));
    }
}
