package dev.sro.testkit.node;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where a pod stands, in a line of a message. Stateless. */
final class PodLine {
    private PodLine() {}

    static String of(Pod pod) {
        String leaves = pod.getMetadata().getDeletionTimestamp();
        return "Pod " + pod.getMetadata().getNamespace() + "/"
                + pod.getMetadata().getName() + ": "
                + pod.getStatus().getPhase() + (leaves == null ? "" : ", deleted by " + leaves)
                + Stream.concat(
                                pod.getStatus().getInitContainerStatuses().stream(),
                                pod.getStatus().getContainerStatuses().stream())
                        .map(PodLine::of)
                        .collect(Collectors.joining());
    }

    private static String of(ContainerStatus container) {
        return "; " + container.getName() + " " + state(container.getState())
                + (Boolean.TRUE.equals(container.getReady()) ? ", ready" : "")
                + (container.getRestartCount() > 0 ? ", restarts: " + container.getRestartCount() : "");
    }

    private static String state(ContainerState state) {
        if (state.getRunning() != null) {
            return "runs since " + state.getRunning().getStartedAt();
        }
        if (state.getTerminated() != null) {
            return "ended with " + state.getTerminated().getExitCode() + " at "
                    + state.getTerminated().getFinishedAt();
        }
        return state.getWaiting() == null
                ? "has no state"
                : "waits: " + state.getWaiting().getReason() + " "
                        + Objects.toString(state.getWaiting().getMessage(), "");
    }
}
