package dev.sro.core.probe;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.model.Code;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Judges one pod of a DaemonSet. Stateless. */
public final class PodOutcomes {

    /** Reasons of the kubelet for an image that cannot be had. */
    private static final Set<String> IMAGE_REASONS =
            Set.of("ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull", "RegistryUnavailable");

    /** Reasons of the kubelet for a container that does not come up by itself. */
    private static final Set<String> CRASH_REASONS = Set.of(
            "CrashLoopBackOff",
            "RunContainerError",
            "CreateContainerConfigError",
            "CreateContainerError",
            "PostStartHookError");

    private PodOutcomes() {}

    /**
     * How far the pod is.
     *
     * @param templateGeneration that it has to be of; empty for any
     */
    public static Outcome judge(PodFacts pod, String templateGeneration, Instant now) {
        String name = "pod " + pod.namespace() + "/" + pod.name();
        if (pod.terminating()) {
            return Outcome.waiting(Code.POD_TERMINATING.text(), now, name + " is going away");
        }
        if (!templateGeneration.isEmpty()
                && !pod.templateGeneration().isEmpty()
                && !templateGeneration.equals(pod.templateGeneration())) {
            return Outcome.waiting(Code.POD_OUTDATED.text(), now, name + " still runs the former version");
        }
        if (now.isBefore(pod.steadyFrom())) {
            return Outcome.failed(Problem.vendor(
                    Code.CONTAINER_FAILED.text(),
                    name + " on node " + pod.node() + ": " + pod.message() + "; counts as ready if it still runs at "
                            + pod.steadyFrom()));
        }
        if (pod.ready()) {
            return Outcome.ready();
        }
        Optional<Problem> obstacle = obstacle(pod);
        return obstacle.isPresent()
                ? Outcome.failed(obstacle.get())
                : Outcome.waiting(
                        Code.POD_STARTING.text(),
                        now,
                        name + " is " + (pod.phase().isEmpty() ? "not bound yet" : pod.phase()));
    }

    /** Why its containers do not come up, if that is known not to be a matter of time alone. */
    public static Optional<Problem> obstacle(PodFacts pod) {
        String reason = pod.waitingReason();
        String at = "pod " + pod.namespace() + "/" + pod.name() + " on node " + pod.node() + ": ";
        if (IMAGE_REASONS.contains(reason)) {
            return Optional.of(Problem.platform(
                    Code.IMAGE_PULL_FAILED.text(),
                    at + reason + (pod.message().isEmpty() ? "" : ": " + pod.message())));
        }
        // What broke comes first: the kubelet's word for it is the same for all.
        return CRASH_REASONS.contains(reason)
                ? Optional.of(Problem.vendor(
                        Code.CONTAINER_FAILED.text(),
                        at + (pod.message().isEmpty() ? reason : pod.message() + " (" + reason + ")")))
                : Optional.empty();
    }
}
