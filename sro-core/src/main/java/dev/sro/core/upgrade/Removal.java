package dev.sro.core.upgrade;

import dev.sro.core.upgrade.NodeAction.EvictPods;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The phases in which pods have to go from a node: jobs end, users of the device are evicted, the node is drained. */
final class Removal {

    /** How long after a PodDisruptionBudget refused an eviction it is asked for again. */
    private static final Duration ASK_AGAIN = Duration.ofSeconds(15);

    private final NodeProgress walk;

    Removal(NodeProgress walk) {
        this.walk = walk;
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
    static boolean sendsBack(NodeProgress walk) {
        RolloutPolicy policy = walk.policy;
        boolean nobody = !policy.waitForJobs()
                && policy.podDeletion().isEmpty()
                && policy.drain().isEmpty();
        if (nobody || policy.externalMaintenance()) {
            return false;
        }
        if (!walk.node.podsKnown()) {
            walk.wait("PodsUnknown", "the pods of the node are not known yet", List.of());
            return true;
        }
        Optional<UpgradePhase> back = back(walk);
        back.ifPresent(walk::go);
        return back.isPresent();
    }

    private static Optional<UpgradePhase> back(NodeProgress walk) {
        UpgradeNode node = walk.node;
        RolloutPolicy policy = walk.policy;
        if (jobsFirst(walk)) {
            return Optional.of(UpgradePhase.JOBS);
        }
        boolean users = policy.podDeletion().isPresent() && !node.users().isEmpty();
        boolean any = policy.drain().isPresent() && !node.drainPods().isEmpty();
        if (users && (any || policy.drain().isEmpty())) {
            return Optional.of(UpgradePhase.POD_DELETION);
        }
        return any && policy.podDeletion().isEmpty() ? Optional.of(UpgradePhase.DRAIN) : Optional.empty();
    }

    private static boolean jobsFirst(NodeProgress walk) {
        return walk.policy.waitForJobs()
                && !walk.entry.jobsOver()
                && !walk.node.jobs().isEmpty();
    }

    void enter() {
        UpgradePhase phase = walk.entry.phase();
        if (!walk.unloads()) {
            walk.go(UpgradePhase.POD_RESTART);
        } else if (phase == UpgradePhase.JOBS) {
            jobs();
        } else if (phase == UpgradePhase.POD_DELETION
                && walk.policy.podDeletion().isEmpty()) {
            walk.go(UpgradePhase.DRAIN);
        } else if (phase == UpgradePhase.DRAIN && walk.policy.drain().isEmpty()) {
            walk.go(walk.afterRemoval());
        } else if (!walk.node.podsKnown()) {
            unknown();
        } else if (jobsFirst(walk)) {
            walk.go(UpgradePhase.JOBS);
        } else if (phase == UpgradePhase.POD_DELETION) {
            users(walk.policy.podDeletion().orElseThrow());
        } else {
            drain(walk.policy.drain().orElseThrow());
        }
    }

    private void unknown() {
        walk.wait("PodsUnknown", "the pods of the node are not known yet", List.of());
    }

    private void jobs() {
        if (!walk.policy.waitForJobs()) {
            walk.go(UpgradePhase.POD_DELETION);
        } else if (!walk.node.podsKnown()) {
            unknown();
        } else if (walk.node.jobs().isEmpty()) {
            walk.go(UpgradePhase.POD_DELETION);
        } else if (walk.isLate(walk.policy.jobsTimeout())) {
            walk.entry = walk.entry.withJobsOver();
            walk.go(UpgradePhase.POD_DELETION);
        } else {
            walk.wait("WaitingForJobs", names(walk.node.jobs()) + " runs", walk.node.jobs());
        }
    }

    private void users(PodRemoval rules) {
        List<PodBlock> users = walk.node.users();
        if (users.isEmpty()) {
            walk.go(walk.afterRemoval());
            return;
        }
        List<PodBlock> hopeless = hopeless(users);
        boolean late = walk.isLate(rules.timeout());
        if (hopeless.isEmpty() && !late) {
            evict(users, false);
        } else if (walk.policy.drain().isPresent()) {
            walk.go(UpgradePhase.DRAIN);
        } else if (!hopeless.isEmpty()) {
            walk.fail("PodsNotEvictable", names(hopeless) + " uses the device and cannot be evicted" + why(hopeless));
        } else {
            walk.fail("PodDeletionTimedOut", names(users) + " still uses the device" + why(users));
        }
    }

    private void drain(PodRemoval rules) {
        List<PodBlock> pods = walk.node.drainPods();
        if (pods.isEmpty()) {
            walk.go(walk.afterRemoval());
            return;
        }
        List<PodBlock> hopeless = hopeless(pods);
        if (!hopeless.isEmpty()) {
            walk.fail("DrainFailed", names(hopeless) + " cannot be evicted" + why(hopeless));
        } else if (walk.isLate(rules.timeout())) {
            walk.fail("DrainTimedOut", names(pods) + " is still on the node" + why(pods));
        } else {
            evict(pods, true);
        }
    }

    private void evict(List<PodBlock> pods, boolean drain) {
        List<PodBlock> evictable =
                pods.stream().filter(pod -> pod.reason().evictable()).toList();
        if (!evictable.isEmpty()) {
            walk.act(new EvictPods(evictable, drain));
        }
        List<PodBlock> refused = pods.stream()
                .filter(pod -> pod.reason() == PodBlock.Reason.DISRUPTION_BUDGET)
                .toList();
        if (refused.isEmpty()) {
            walk.wait("WaitingForPods", names(pods) + " has to go" + why(pods), pods);
        } else {
            walk.wakeAt(walk.now.plus(ASK_AGAIN));
            walk.wait("EvictionRefused", names(refused) + " may not be evicted" + why(refused), refused);
        }
    }

    private static List<PodBlock> hopeless(List<PodBlock> pods) {
        return pods.stream().filter(pod -> pod.reason().hopeless()).toList();
    }

    private static String names(List<PodBlock> pods) {
        PodBlock first = pods.get(0);
        String name = "pod " + first.namespace() + "/" + first.name();
        return pods.size() == 1 ? name : name + " (and " + (pods.size() - 1) + " more)";
    }

    private static String why(List<PodBlock> pods) {
        PodBlock first = pods.get(0);
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
