package dev.sro.core.client.cache;

import dev.sro.core.probe.SteadyTime;
import io.fabric8.kubernetes.api.model.ContainerStateRunning;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Duration;
import java.time.Instant;

/**
 * Of the containers of a pod that broke and run again, the one that is steady last. Immutable.
 *
 * @param steadyFrom when it is
 * @param message how it broke
 */
record RestartedContainer(Instant steadyFrom, String message) {

    static final RestartedContainer NONE = new RestartedContainer(Instant.EPOCH, "");

    static RestartedContainer of(PodStatus status) {
        RestartedContainer last = NONE;
        for (ContainerStatus container : status.getContainerStatuses()) {
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
        int exitCode = ended.getExitCode() == null ? 0 : ended.getExitCode();
        String reason = ended.getReason() == null ? "" : ended.getReason();
        Duration ran =
                Duration.between(PodProjector.time(ended.getStartedAt()), PodProjector.time(ended.getFinishedAt()));
        Duration wanted = SteadyTime.compute(restarts, new SteadyTime.Ended(reason, exitCode, ran));
        return wanted.isZero()
                ? NONE
                : new RestartedContainer(
                        PodProjector.time(running.getStartedAt()).plus(wanted),
                        "container " + container.getName() + " was started again " + restarts + " times, it ended with "
                                + (reason.isEmpty() ? "" : reason + ", ") + "exit code " + exitCode);
    }
}
