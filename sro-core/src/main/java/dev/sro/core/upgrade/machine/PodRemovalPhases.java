package dev.sro.core.upgrade.machine;

import dev.sro.core.upgrade.machine.NodeAction.EvictPods;
import dev.sro.core.upgrade.policy.PodRemoval;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The phases in which pods have to go from a node: jobs end, users of the device are evicted, the node is drained. */
final class PodRemovalPhases {

    /** How long after a PodDisruptionBudget refused an eviction it is asked for again. */
    private static final Duration ASK_AGAIN = Duration.ofSeconds(15);

    private final NodeProgress progress;

    PodRemovalPhases(NodeProgress progress) {
        this.progress = progress;
    }

    /** Whether in this phase nothing has been taken from the node but its place for pods. */
    static boolean before(UpgradePhase phase) {
        return switch (phase) {
            case CORDON, JOBS, POD_DELETION, DRAIN -> true;
            default -> false;
        };
    }

    /**
     * Whether the driver must not be touched because pods are on the node that have to go first: they came after the node was
     * cordoned, or the label was set forward by hand. If so, the node has gone back, or waits for its pods to be known.
     */
    static boolean sendsBack(NodeProgress progress) {
        RolloutPolicy policy = progress.policy;
        boolean nobody = !policy.waitForJobs()
                && policy.podDeletion().isEmpty()
                && policy.drain().isEmpty();
        if (nobody || policy.externalMaintenance()) {
            return false;
        }
        if (!progress.node.podsKnown()) {
            progress.wait("PodsUnknown", "the pods of the node are not known yet", List.of());
            return true;
        }
        Optional<UpgradePhase> back = back(progress);
        back.ifPresent(progress::go);
        return back.isPresent();
    }

    private static Optional<UpgradePhase> back(NodeProgress progress) {
        UpgradeNode node = progress.node;
        RolloutPolicy policy = progress.policy;
        if (jobsFirst(progress)) {
            return Optional.of(UpgradePhase.JOBS);
        }
        boolean users = policy.podDeletion().isPresent() && !node.users().isEmpty();
        boolean any = policy.drain().isPresent() && !node.drainPods().isEmpty();
        if (users && (any || policy.drain().isEmpty())) {
            return Optional.of(UpgradePhase.POD_DELETION);
        }
        return any && policy.podDeletion().isEmpty() ? Optional.of(UpgradePhase.DRAIN) : Optional.empty();
    }

    private static boolean jobsFirst(NodeProgress progress) {
        return progress.policy.waitForJobs()
                && !progress.entry.jobsOver()
                && !progress.node.jobs().isEmpty();
    }

    void enter() {
        UpgradePhase phase = progress.entry.phase();
        if (!progress.unloads()) {
            progress.go(UpgradePhase.POD_RESTART);
        } else if (phase == UpgradePhase.JOBS) {
            jobs();
        } else if (phase == UpgradePhase.POD_DELETION
                && progress.policy.podDeletion().isEmpty()) {
            progress.go(UpgradePhase.DRAIN);
        } else if (phase == UpgradePhase.DRAIN && progress.policy.drain().isEmpty()) {
            progress.go(progress.afterRemoval());
        } else if (!progress.node.podsKnown()) {
            unknown();
        } else if (jobsFirst(progress)) {
            progress.go(UpgradePhase.JOBS);
        } else if (phase == UpgradePhase.POD_DELETION) {
            users(progress.policy.podDeletion().orElseThrow());
        } else {
            drain(progress.policy.drain().orElseThrow());
        }
    }

    private void unknown() {
        progress.wait("PodsUnknown", "the pods of the node are not known yet", List.of());
    }

    private void jobs() {
        if (!progress.policy.waitForJobs()) {
            progress.go(UpgradePhase.POD_DELETION);
        } else if (!progress.node.podsKnown()) {
            unknown();
        } else if (progress.node.jobs().isEmpty()) {
            progress.go(UpgradePhase.POD_DELETION);
        } else if (progress.isLate(progress.policy.jobsTimeout())) {
            progress.entry = progress.entry.withJobsOver();
            progress.go(UpgradePhase.POD_DELETION);
        } else {
            progress.wait("WaitingForJobs", names(progress.node.jobs()) + " runs", progress.node.jobs());
        }
    }

    private void users(PodRemoval rules) {
        List<BlockingPod> users = progress.node.users();
        if (users.isEmpty()) {
            progress.go(progress.afterRemoval());
            return;
        }
        List<BlockingPod> hopeless = hopeless(users);
        boolean late = progress.isLate(rules.timeout());
        if (hopeless.isEmpty() && !late) {
            evict(users, false);
        } else if (progress.policy.drain().isPresent()) {
            progress.go(UpgradePhase.DRAIN);
        } else if (!hopeless.isEmpty()) {
            progress.fail(
                    "PodsNotEvictable", names(hopeless) + " uses the device and cannot be evicted" + why(hopeless));
        } else {
            progress.fail("PodDeletionTimedOut", names(users) + " still uses the device" + why(users));
        }
    }

    private void drain(PodRemoval rules) {
        List<BlockingPod> pods = progress.node.drainPods();
        if (pods.isEmpty()) {
            progress.go(progress.afterRemoval());
            return;
        }
        List<BlockingPod> hopeless = hopeless(pods);
        if (!hopeless.isEmpty()) {
            progress.fail("DrainFailed", names(hopeless) + " cannot be evicted" + why(hopeless));
        } else if (progress.isLate(rules.timeout())) {
            progress.fail("DrainTimedOut", names(pods) + " is still on the node" + why(pods));
        } else {
            evict(pods, true);
        }
    }

    private void evict(List<BlockingPod> pods, boolean drain) {
        List<BlockingPod> evictable =
                pods.stream().filter(pod -> pod.reason().evictable()).toList();
        if (!evictable.isEmpty()) {
            progress.act(new EvictPods(evictable, drain));
        }
        List<BlockingPod> refused = pods.stream()
                .filter(pod -> pod.reason() == BlockingPod.Reason.DISRUPTION_BUDGET)
                .toList();
        if (refused.isEmpty()) {
            progress.wait("WaitingForPods", names(pods) + " has to go" + why(pods), pods);
        } else {
            progress.wakeAt(progress.now.plus(ASK_AGAIN));
            progress.wait("EvictionRefused", names(refused) + " may not be evicted" + why(refused), refused);
        }
    }

    private static List<BlockingPod> hopeless(List<BlockingPod> pods) {
        return pods.stream().filter(pod -> pod.reason().hopeless()).toList();
    }

    private static String names(List<BlockingPod> pods) {
        BlockingPod first = pods.get(0);
        String name = "pod " + first.namespace() + "/" + first.name();
        return pods.size() == 1 ? name : name + " (and " + (pods.size() - 1) + " more)";
    }

    private static String why(List<BlockingPod> pods) {
        BlockingPod first = pods.get(0);
        String reason = switch (first.reason()) {
            case NONE, RUNNING -> "";
            case DISRUPTION_BUDGET -> "a PodDisruptionBudget does not allow it";
            case TERMINATING -> "it is ending";
            case FINALIZER -> "a finalizer keeps it";
            case UNMANAGED -> "nothing would make it anew; set force, or delete it";
            case EMPTY_DIR -> "it has an emptyDir; set deleteEmptyDir, or delete it";
        };
        String message = first.message().isEmpty() ? "" : " (" + first.message() + ")";
        return reason.isEmpty() && message.isEmpty() ? "" : ": " + reason + message;
    }
}
