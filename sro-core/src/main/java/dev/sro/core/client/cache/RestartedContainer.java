package dev.sro.core.client.cache;

import dev.sro.core.probe.SteadyTime;
import io.fabric8.kubernetes.api.model.ContainerStateRunning;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/**
 * Of the containers of a pod that broke and run again, the one that is steady last. Immutable.
 *
 * @param steadyFrom when it is
 * @param message how it broke
 */
record RestartedContainer(Instant steadyFrom, String message) {

    static final RestartedContainer NONE = new RestartedContainer(Instant.EPOCH, "");

    /** Init containers that run again count as well: their pod is not ready anyway, and so goes on to say why. */
    static RestartedContainer of(PodStatus status) {
        RestartedContainer last = NONE;
        for (ContainerStatus container : Stream.concat(
                        status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream())
                .toList()) {
            RestartedContainer one = of(container);
            last = one.steadyFrom.isAfter(last.steadyFrom) ? one : last;
        }
        return last;
    }

    private static RestartedContainer of(ContainerStatus container) {
        ContainerStateRunning running =
                container.getState() == null ? null : container.getState().getRunning();
        ContainerStateTerminated ended = container.getLastState() == null
                ? null
                : container.getLastState().getTerminated();
        if (running == null || ended == null || running.getStartedAt() == null) {
            return NONE;
        }
        int restarts = container.getRestartCount() == null ? 0 : container.getRestartCount();
        Duration wanted = SteadyTime.compute(restarts, PodTrouble.last(ended));
        return wanted.isZero()
                ? NONE
                : new RestartedContainer(
                        PodProjector.time(running.getStartedAt()).plus(wanted),
                        PodTrouble.describe(container, ended) + ", and was started again");
    }
}
