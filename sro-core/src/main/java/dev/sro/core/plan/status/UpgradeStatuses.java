package dev.sro.core.plan.status;

import dev.sro.api.resource.UpgradeNodeStatus;
import dev.sro.api.resource.UpgradeStatus;
import dev.sro.core.plan.Outcomes;
import dev.sro.core.plan.Transition;
import dev.sro.core.upgrade.machine.Journal;
import dev.sro.core.upgrade.machine.RolloutPlan;
import dev.sro.core.upgrade.machine.UpgradePhase;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes what a status says of the upgrade of a driver. Stateless. */
final class UpgradeStatuses {

    private UpgradeStatuses() {}

    static @Nullable UpgradeStatus build(
            StatusInput in, Optional<RolloutPlan> rollout, @Nullable UpgradeStatus before) {
        if (rollout.isEmpty()) {
            // While it is not known how far it is, what was known stays.
            return in.upgrade().isPresent() ? before : null;
        }
        RolloutPlan plan = rollout.get();
        Journal journal = plan.journal();
        UpgradeStatus status = new UpgradeStatus();
        Map<String, Integer> phases = new TreeMap<>();
        plan.counts().forEach((phase, count) -> phases.put(name(phase), count));
        status.setPhases(phases);
        status.setNodes(plan.slots().nodes());
        status.setUpdated(plan.counts().getOrDefault(UpgradePhase.DONE, 0));
        in.upgrade().ifPresent(upgrade -> {
            status.setWanted(upgrade.wanted());
            RolloutPolicy policy = upgrade.rules().policy(upgrade.wanted());
            if (plan.state() != RolloutPlan.State.DONE
                    && journal.wave() < policy.waves().size()) {
                status.setWave(policy.waves().get(journal.wave()).name());
            }
        });
        status.setTarget(plan.target());
        status.setLastGood(journal.good().isEmpty() ? null : journal.good());
        status.setState(word(plan.state()));
        status.setMessage(plan.message().isEmpty() ? null : Outcomes.shorten(plan.message()));
        status.setSince(
                before != null && word(plan.state()).equals(before.getState())
                        ? before.getSince()
                        : Outcomes.time(in.now()));
        status.setStuck(plan.samples().stream().map(UpgradeStatuses::node).toList());
        return status;
    }

    private static UpgradeNodeStatus node(RolloutPlan.Sample sample) {
        UpgradeNodeStatus node = new UpgradeNodeStatus();
        node.setNode(sample.node());
        node.setPhase(name(sample.phase()));
        node.setReason(sample.block().code());
        node.setMessage(Outcomes.shorten(sample.block().message()));
        node.setSince(Outcomes.time(sample.block().since()));
        return node;
    }

    /** An event when it halts or goes on. */
    static Optional<Transition> transition(Optional<RolloutPlan> rollout, @Nullable UpgradeStatus before) {
        if (rollout.isEmpty()) {
            return Optional.empty();
        }
        String last = before == null ? "" : String.valueOf(before.getState());
        RolloutPlan plan = rollout.get();
        String halted = word(RolloutPlan.State.HALTED);
        if (plan.state() == RolloutPlan.State.HALTED) {
            return last.equals(halted)
                    ? Optional.empty()
                    : Optional.of(new Transition(true, "UpgradeHalted", plan.message()));
        }
        if (last.equals(halted)) {
            return Optional.of(new Transition(false, "UpgradeResumed", "the upgrade of the driver goes on"));
        }
        boolean ended = plan.state() == RolloutPlan.State.DONE && last.equals(word(RolloutPlan.State.RUNNING));
        return ended
                ? Optional.of(
                        new Transition(false, "UpgradeDone", "every node that can be has driver " + plan.target()))
                : Optional.empty();
    }

    private static String name(UpgradePhase phase) {
        return phase == UpgradePhase.UNKNOWN ? "unknown" : phase.label();
    }

    private static String word(RolloutPlan.State state) {
        return switch (state) {
            case DONE -> "Done";
            case RUNNING -> "Running";
            case HELD -> "Held";
            case BETWEEN_WAVES -> "BetweenWaves";
            case HALTED -> "Halted";
        };
    }
}
