package dev.sro.core.upgrade.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.operation.UpgradeAction;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every phase with every combination of facts has a step, and repeating it comes to rest: each write is one that is not made again. */
class TotalityTest {

    private static final List<BlockingPod> NONE = List.of();
    private static final List<BlockingPod> FREE = List.of(BlockingPod.of("default", "pod"));
    private static final List<BlockingPod> STUCK =
            List.of(new BlockingPod("default", "pod", BlockingPod.Reason.UNMANAGED, ""));

    private final List<RolloutPolicy> policies = policies();

    private static List<RolloutPolicy> policies() {
        List<RolloutPolicy> policies = new ArrayList<>();
        for (String words : List.of(
                "unavailable=1",
                "off",
                "jobs validation",
                "jobs jobsTimeout=60 drain retries=2",
                "nodelete drain",
                "nodelete",
                "external validation",
                "bypass",
                "leave unavailable=0")) {
            policies.add(Facts.policy(words).build());
        }
        return policies;
    }

    @ParameterizedTest
    @EnumSource(UpgradePhase.class)
    void everyPhaseHasAStepWithAnyEleventhCombinationOfFacts(UpgradePhase phase) {
        enumerate(phase, 11);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(UpgradePhase.class)
    void everyPhaseHasAStepWithAnyFactsAndEachOfThePolicies(UpgradePhase phase) {
        enumerate(phase, 1);
    }

    /** All combinations of facts with all policies; or each so-many-th, with the policies in turn. */
    private void enumerate(UpgradePhase phase, int every) {
        int cases = 0;
        for (DriverPod.State driver : DriverPod.State.values()) {
            for (Optional<UpgradeAction> action : actions()) {
                for (List<BlockingPod> pods : List.of(NONE, FREE, STUCK)) {
                    for (int bits = 0; bits < 1 << 9; bits++) {
                        UpgradeNode node = node(phase, driver, action, pods, bits);
                        if (every == 1) {
                            policies.forEach(policy -> check(node, policy));
                        } else if (cases % every == 0) {
                            check(node, policies.get(cases / every % policies.size()));
                        }
                        cases++;
                    }
                }
            }
        }
        assertThat(cases).isEqualTo(6 * 5 * 3 * 512);
    }

    private static List<Optional<UpgradeAction>> actions() {
        List<Optional<UpgradeAction>> actions = new ArrayList<>(List.of(Optional.empty()));
        Arrays.stream(UpgradeAction.values()).map(Optional::of).forEach(actions::add);
        return actions;
    }

    private static UpgradeNode node(
            UpgradePhase phase,
            DriverPod.State driver,
            Optional<UpgradeAction> action,
            List<BlockingPod> pods,
            int bits) {
        boolean cordoned = bit(bits, 0);
        boolean ours = cordoned && bit(bits, 1);
        NodeCheck check = bit(bits, 2) ? (bit(bits, 3) ? NodeCheck.READY : NodeCheck.failed("")) : NodeCheck.ABSENT;
        return UpgradeNode.builder()
                .name("n")
                .label(phase.label())
                .cordoned(cordoned)
                .cordonedByUs(ours)
                .note(bit(bits, 4) ? note(phase) : "")
                .ready(!bit(bits, 5))
                .requested(bit(bits, 6))
                .safeLoadWaiting(bit(bits, 7))
                .holder(bit(bits, 8) ? Optional.of("other") : Optional.empty())
                .yields(bit(bits, 8) && bit(bits, 1))
                .podsKnown(!bit(bits, 3) || bit(bits, 2))
                .skip(bit(bits, 8) && bit(bits, 6))
                .bootId(bit(bits, 7) ? "" : "b1")
                .driver(new DriverPod(driver, driver == DriverPod.State.ABSENT ? "" : "pod", bit(bits, 3) ? 20 : 0, ""))
                .action(action)
                .jobs(bit(bits, 2) ? pods : NONE)
                .users(pods)
                .drainPods(pods)
                .maintenance(check)
                .validation(check)
                .reset(reset(bits))
                .build();
    }

    private static DeviceReset reset(int bits) {
        TreeSet<String> devices = new TreeSet<>(bit(bits, 6) ? List.of("0000:3b:00.0") : List.of());
        TreeSet<String> none = new TreeSet<>();
        return new DeviceReset(
                bit(bits, 3) ? devices : none,
                bit(bits, 3) ? none : devices,
                bit(bits, 4) ? "0000:3b:00.0" : "",
                "state agent",
                bit(bits, 2) ? List.of("pod default/monitor") : List.of());
    }

    private static String note(UpgradePhase phase) {
        UpgradePhase noted =
                phase == UpgradePhase.UNKNOWN || phase == UpgradePhase.DONE ? UpgradePhase.POD_RESTART : phase;
        return JournalEntry.begin(noted, Facts.NOW.minusSeconds(90), false, Facts.TARGET)
                .text();
    }

    private static boolean bit(int bits, int at) {
        return (bits >> at & 1) == 1;
    }

    private static void check(UpgradeNode node, RolloutPolicy policy) {
        UpgradeNode next = node;
        Journal journal = TransitionsTest.begun();
        for (int turn = 0; turn < 6; turn++) {
            RolloutPlan plan = Rollout.plan(policy, List.of(next), journal, Facts.NOW);
            journal = plan.journal();
            Optional<NodeStep> step =
                    plan.steps().stream().filter(NodeStep::write).findFirst();
            if (step.isEmpty()) {
                return;
            }
            next = written(next, step.get());
        }
        throw new AssertionError("goes on writing: " + next + " with " + policy);
    }

    private static UpgradeNode written(UpgradeNode node, NodeStep step) {
        boolean others = node.cordoned() && !node.cordonedByUs();
        assertThat(step.cordon() && others).as("takes a cordon over: %s", node).isFalse();
        return node.with()
                .label(step.phase().label())
                .note(step.note())
                .cordoned(others || step.cordon())
                .cordonedByUs(step.cordon())
                .requested(node.requested() && !step.answersRequest())
                .reset(new DeviceReset(
                        node.reset().needed(),
                        node.reset().failed(),
                        step.order(),
                        "",
                        node.reset().leaving()))
                .build();
    }

    @Test
    void anyTextIsALabelOrNone() {
        for (UpgradePhase phase : UpgradePhase.values()) {
            assertThat(UpgradePhase.parse(phase.label())).contains(phase);
        }
        assertThat(UpgradePhase.parse(null)).contains(UpgradePhase.UNKNOWN);
        assertThat(UpgradePhase.parse("Upgrade-Done")).isEmpty();
        assertThat(UpgradePhase.parse(" ")).isEmpty();
    }
}
