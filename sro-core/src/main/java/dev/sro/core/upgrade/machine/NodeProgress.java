package dev.sro.core.upgrade.machine;

import dev.sro.core.upgrade.machine.DriverPod.State;
import dev.sro.core.upgrade.machine.NodeAction.AllowSafeLoad;
import dev.sro.core.upgrade.machine.NodeAction.DeleteDriverPod;
import dev.sro.core.upgrade.machine.NodeAction.Reboot;
import dev.sro.core.upgrade.machine.NodeAction.ReleaseMaintenance;
import dev.sro.core.upgrade.machine.NodeAction.RequestMaintenance;
import dev.sro.core.upgrade.machine.RolloutPlan.Notice;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes one node that is in progress as far as its facts let it go at once: through every phase that is satisfied, to the first that
 * has to wait or to act. Defined for each phase with any facts. Used once.
 */
final class NodeProgress {

    private static final List<BlockingPod> NO_PODS = List.of();

    final UpgradeNode node;
    final RolloutPolicy policy;
    final Instant now;
    final List<Notice> notices;
    private final List<NodeAction> actions = new ArrayList<>(1);

    JournalEntry entry;
    private @Nullable StepBlock block;
    private @Nullable Instant wakeUp;
    private String order = "";
    private boolean finished;
    private boolean admitted;

    NodeProgress(UpgradeNode node, JournalEntry entry, RolloutPolicy policy, Instant now, List<Notice> notices) {
        this.node = node;
        this.entry = entry;
        this.policy = policy;
        this.now = now;
        this.notices = notices;
    }

    /** The same progress, of a node that is being taken on. */
    NodeProgress admitted() {
        admitted = true;
        return this;
    }

    /** Whether the progress ended in done. */
    boolean finished() {
        return finished;
    }

    /** The step of the node. */
    NodeStep step() {
        UpgradePhase before;
        do {
            before = entry.phase();
            enter();
        } while (!finished && entry.phase() != before && entry.phase().inProgress());
        if (!finished && entry.phase().inProgress()) {
            attemptDeadline();
        }
        return NodeSteps.decide(node, finished ? null : entry, order, actions, block, wakeUp, answers());
    }

    private boolean answers() {
        return node.requested() && (finished || admitted);
    }

    /** Either goes to another phase, or stays and says why. */
    private void enter() {
        switch (entry.phase()) {
            case CORDON -> go(policy.waitForJobs() ? UpgradePhase.JOBS : UpgradePhase.POD_DELETION);
            case JOBS, POD_DELETION, DRAIN -> new PodRemovalPhases(this).enter();
            case MAINTENANCE -> maintenance();
            case POST_MAINTENANCE -> go(afterRemoval());
            case REBOOT -> reboot();
            case POD_RESTART -> podRestart();
            case DEVICE_RESET -> deviceReset();
            case VALIDATION -> validation();
            case UNCORDON -> uncordon();
            default -> throw new IllegalStateException(entry.phase() + " is not in progress");
        }
    }

    /** Whether the driver has to be unloaded, or devices to be reset, so that its users have to go. */
    boolean unloads() {
        if (NodeNeeds.reset(node)) {
            return true;
        }
        boolean stays = NodeNeeds.satisfied(node) && !replaces();
        return !stays && !(NodeNeeds.restartOnly(node) && !replaces());
    }

    /** Where a node goes on from which all have gone who have to. */
    UpgradePhase afterRemoval() {
        return NodeNeeds.reboot(node) && entry.bootId().isEmpty() ? UpgradePhase.REBOOT : UpgradePhase.POD_RESTART;
    }

    private boolean replaces() {
        return !entry.replaces().isEmpty()
                && entry.replaces().equals(node.driver().uid());
    }

    private boolean toBeReplaced() {
        State state = node.driver().state();
        return state == State.OUTDATED || state == State.ORPHANED || (NodeNeeds.current(node) && replaces());
    }

    private void maintenance() {
        if (!policy.externalMaintenance()) {
            go(UpgradePhase.CORDON);
            return;
        }
        NodeCheck asked = node.maintenance();
        if (!unloads() || asked.state() == NodeCheck.State.READY) {
            go(UpgradePhase.POST_MAINTENANCE);
        } else if (asked.state() == NodeCheck.State.FAILED) {
            fail("MaintenanceFailed", "the maintenance that was asked for failed: " + asked.message());
        } else if (!late(policy.maintenanceTimeout(), "MaintenanceTimedOut", "the maintenance that was asked for")) {
            if (asked.state() == NodeCheck.State.ABSENT) {
                actions.add(new RequestMaintenance());
            }
            wait("WaitingForMaintenance", "another operator prepares the node" + tail(asked.message()), NO_PODS);
        }
    }

    private void reboot() {
        if (entry.bootId().isEmpty() && !NodeNeeds.reboot(node)) {
            go(UpgradePhase.POD_RESTART);
        } else if (node.bootId().isEmpty()) {
            if (!late(policy.rebootTimeout(), "RebootTimedOut", "the node")) {
                wait("BootIdUnknown", "the node does not say which boot this is", NO_PODS);
            }
        } else if (entry.bootId().isEmpty()) {
            entry = entry.withBootId(node.bootId());
            reboot();
        } else if (!entry.bootId().equals(node.bootId())) {
            booted();
        } else if (!PodRemovalPhases.sendsBack(this) && !late(policy.rebootTimeout(), "RebootTimedOut", "the reboot")) {
            // Who boots with the former pod loads the former driver.
            if (toBeReplaced()) {
                actions.add(new DeleteDriverPod(node.driver().uid()));
            } else if (node.driver().state() != State.TERMINATING) {
                actions.add(new Reboot(entry.bootId()));
            }
            wait("WaitingForReboot", "the node boots anew" + tail(node.bootProblem()), NO_PODS);
        }
    }

    private void booted() {
        if (NodeNeeds.reboot(node) && !isLate(policy.rebootTimeout())) {
            // It booted by itself, with the former driver.
            entry = entry.withBootId("");
            reboot();
        } else if (node.ready()) {
            go(UpgradePhase.POD_RESTART);
        } else if (!late(policy.rebootTimeout(), "RebootTimedOut", "the node")) {
            wait("NodeNotReady", "the node booted and is not Ready yet", NO_PODS);
        }
    }

    private void podRestart() {
        if (toBeReplaced() || node.safeLoadWaiting()) {
            if (unloads() && PodRemovalPhases.sendsBack(this)) {
                return;
            }
            if (NodeNeeds.reboot(node) && entry.bootId().isEmpty()) {
                go(UpgradePhase.REBOOT);
                return;
            }
        }
        if (NodeNeeds.satisfied(node) && !replaces() && node.ready()) {
            go(NodeNeeds.reset(node) ? UpgradePhase.DEVICE_RESET : afterDriver());
        } else if (node.driver().state() == State.CURRENT_NOT_READY
                && !replaces()
                && !node.safeLoadWaiting()
                && node.driver().restarts() > policy.restartThreshold()) {
            fail(
                    "DriverCrashes",
                    "the driver's pod restarted " + node.driver().restarts() + " times"
                            + tail(node.driver().message()));
        } else if (!late(policy.driverTimeout(), "DriverTimedOut", "the driver's pod")) {
            restartOrWait();
        }
    }

    private UpgradePhase afterDriver() {
        return policy.validation() ? UpgradePhase.VALIDATION : UpgradePhase.UNCORDON;
    }

    /** The driver is the wanted one. A reset may make it not ready for a while; it is only replaced if it has to be anyway. */
    private void deviceReset() {
        DeviceReset reset = node.reset();
        if (toBeReplaced() || !NodeNeeds.current(node) || node.safeLoadWaiting()) {
            go(UpgradePhase.POD_RESTART);
        } else if (reset.gaveUp()) {
            notices.add(Notice.warning(node.name(), "ResetFailed", reset.failure()));
            go(afterDriver());
        } else if (!reset.due()) {
            go(afterDriver());
        } else if (!PodRemovalPhases.sendsBack(this)
                && !late(
                        policy.resetTimeout(),
                        "ResetTimedOut",
                        "the reset of " + reset.order() + " by " + reset.by())) {
            orderOrWait(reset);
        }
    }

    private void orderOrWait(DeviceReset reset) {
        boolean seen = node.label().equals(UpgradePhase.DEVICE_RESET.label());
        if (seen && reset.leaving().isEmpty()) {
            order = reset.order();
            wait("WaitingForReset", reset.by() + " resets " + order, NO_PODS);
        } else {
            // What builds upon the driver holds devices open, and goes by the label that is written now.
            String who = reset.leaving().isEmpty() ? "" : ": " + reset.leaving().get(0);
            wait("WaitingForReset", "what builds upon the driver has to leave before devices are reset" + who, NO_PODS);
        }
    }

    private void restartOrWait() {
        DriverPod pod = node.driver();
        if (!node.ready()) {
            wait("NodeNotReady", "the node is not Ready", NO_PODS);
        } else if (toBeReplaced()) {
            actions.add(new DeleteDriverPod(pod.uid()));
            wait("DriverRestarting", "the driver's pod is replaced", NO_PODS);
        } else if (NodeNeeds.current(node) && node.safeLoadWaiting()) {
            actions.add(new AllowSafeLoad());
            wait("DriverRestarting", "the driver is permitted to load", NO_PODS);
        } else {
            String what = switch (pod.state()) {
                case ABSENT -> "there is no pod of the driver yet";
                case TERMINATING -> "the former pod of the driver ends";
                default -> "the driver's pod is not ready";
            };
            wait("DriverNotReady", what + tail(pod.message()), NO_PODS);
        }
    }

    private void validation() {
        NodeCheck outcome = node.validation();
        if (!NodeNeeds.satisfied(node)) {
            go(UpgradePhase.POD_RESTART);
        } else if (NodeNeeds.reset(node)) {
            go(UpgradePhase.DEVICE_RESET);
        } else if (!policy.validation() || outcome.state() == NodeCheck.State.READY) {
            go(UpgradePhase.UNCORDON);
        } else if (outcome.state() == NodeCheck.State.FAILED) {
            fail("ValidationFailed", "validation failed" + tail(outcome.message()));
        } else if (!late(policy.validationTimeout(), "ValidationTimedOut", "validation")) {
            wait("WaitingForValidation", "validation is not through" + tail(outcome.message()), NO_PODS);
        }
    }

    private void uncordon() {
        if (!NodeNeeds.satisfied(node)) {
            go(UpgradePhase.POD_RESTART);
        } else if (NodeNeeds.reset(node)) {
            go(UpgradePhase.DEVICE_RESET);
        } else if (policy.validation() && node.validation().state() != NodeCheck.State.READY) {
            go(UpgradePhase.VALIDATION);
        } else if (!node.ready()) {
            wait("NodeNotReady", "the node is not Ready", NO_PODS);
        } else if (node.maintenance().state() == NodeCheck.State.ABSENT) {
            finished = true;
        } else if (!late(policy.maintenanceTimeout(), "MaintenanceTimedOut", "the end of the maintenance")) {
            actions.add(new ReleaseMaintenance());
            wait("WaitingForMaintenance", "the other operator ends its maintenance", NO_PODS);
        }
    }

    void go(UpgradePhase next) {
        entry = entry.at(next, now);
        boolean takes = next != UpgradePhase.CORDON && next != UpgradePhase.JOBS && next != UpgradePhase.MAINTENANCE;
        if (takes) {
            entry = entry.begun(now);
        }
    }

    void fail(String code, String message) {
        entry = entry.failed(code, message, now);
        actions.clear();
        order = "";
        block = new StepBlock(code, message, now, NO_PODS);
        wakeUp = null;
        notices.add(Notice.warning(node.name(), code, message));
    }

    void act(NodeAction action) {
        actions.add(action);
    }

    void wait(String code, String message, List<BlockingPod> pods) {
        block = new StepBlock(code, message, entry.since(), pods);
    }

    /** Whether the time of the phase is over; if so, the node has failed. */
    boolean late(Duration limit, String code, String what) {
        if (!isLate(limit)) {
            return false;
        }
        // Where kubelet does not answer, what is said of the pod is what it was before.
        String why = node.ready() ? node.driver().message() : "the node is not Ready";
        fail(code, what + " took longer than " + words(limit) + tail(why));
        return true;
    }

    boolean isLate(Duration limit) {
        if (limit.isZero()) {
            return false;
        }
        Instant end = entry.since().plus(limit);
        if (now.isBefore(end)) {
            wakeAt(end);
            return false;
        }
        return true;
    }

    void wakeAt(Instant time) {
        wakeUp = wakeUp == null || time.isBefore(wakeUp) ? time : wakeUp;
    }

    private void attemptDeadline() {
        Optional<Instant> end = entry.started()
                .filter(begin -> entry.phase() != UpgradePhase.JOBS)
                .filter(begin -> !policy.attemptTimeout().isZero())
                .map(begin -> begin.plus(policy.attemptTimeout()));
        if (end.isEmpty()) {
            return;
        }
        if (now.isBefore(end.get())) {
            wakeAt(end.get());
        } else {
            String last = block == null ? "" : ": " + block.message();
            fail("AttemptTimedOut", "the attempt took longer than " + words(policy.attemptTimeout()) + last);
        }
    }

    private static String words(Duration limit) {
        return limit.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    private static String tail(String message) {
        return message.isEmpty() ? "" : ": " + message;
    }
}
