package dev.sro.runtime.waiting;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which pods a scheduler has looked at and found no place for. Stateless. */
final class WaitingPods {
    private WaitingPods() {}

    /** Since when a pod waits; empty for one that does not, or waits at a gate, where no scheduler looks at it. */
    static Optional<Instant> since(Pod pod) {
        boolean bound = pod.getSpec().getNodeName() != null
                && !pod.getSpec().getNodeName().isEmpty();
        if (pod.getStatus() == null || bound || pod.getMetadata().getDeletionTimestamp() != null) {
            return Optional.empty();
        }
        return pod.getStatus().getConditions().stream()
                .filter(condition -> "PodScheduled".equals(condition.getType())
                        && "False".equals(condition.getStatus())
                        && "Unschedulable".equals(condition.getReason()))
                .findFirst()
                .flatMap(condition -> since(pod, condition));
    }

    private static Optional<Instant> since(Pod pod, PodCondition condition) {
        return time(condition.getLastTransitionTime())
                .or(() -> time(pod.getMetadata().getCreationTimestamp()));
    }

    private static Optional<Instant> time(@Nullable String text) {
        try {
            return Optional.ofNullable(text).filter(given -> !given.isEmpty()).map(Instant::parse);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
