package dev.sro.core.client.cache;

import dev.sro.core.probe.LogCause;
import dev.sro.core.probe.SteadyTime;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a pod waits for, or ended with, in the words of what failed. The kubelet's words about a container that broke are about its own
 * pause, which changes with each try; those of the container stay, and say why. Immutable.
 *
 * @param reason of the kubelet for the container that waits; {@link #CRASHED} from the moment at which one broke until it runs again;
 *     empty when none waits
 * @param message may be empty
 */
record PodTrouble(String reason, String message) {

    static final PodTrouble NONE = new PodTrouble("", "");

    static final String CRASHED = "CrashLoopBackOff";

    /** Reasons for a wait that is nobody's fault. */
    private static final Set<String> STARTING = Set.of("", "ContainerCreating", "PodInitializing");

    /**
     * Reads it.
     *
     * @param again whether a container that ended is started again
     */
    static PodTrouble of(PodStatus status, boolean again) {
        List<ContainerStatus> containers = Stream.concat(
                        status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream())
                .toList();
        // A kubelet says some seconds later that a pod failed than that its container did.
        boolean over = "Failed".equals(status.getPhase())
                || "Succeeded".equals(status.getPhase())
                || (!again && haveEnded(status.getContainerStatuses()));
        for (ContainerStatus container : containers) {
            Optional<PodTrouble> trouble = over ? end(container) : now(container);
            if (trouble.isPresent()) {
                return trouble.get();
            }
        }
        if (over) {
            // Of a pod that was evicted, for instance, no container says anything.
            return new PodTrouble("", orEmpty(status.getMessage()));
        }
        return containers.stream()
                .flatMap(container -> Stream.ofNullable(waiting(container)))
                .findFirst()
                .map(waiting -> new PodTrouble(orEmpty(waiting.getReason()), words(waiting)))
                .orElse(NONE);
    }

    private static boolean haveEnded(List<ContainerStatus> containers) {
        return !containers.isEmpty() && containers.stream().allMatch(container -> ended(container.getState()) != null);
    }

    private static Optional<PodTrouble> end(ContainerStatus container) {
        ContainerStateTerminated ended = ended(container.getState());
        return ended != null && last(ended).isBroken()
                ? Optional.of(new PodTrouble("", describe(container, ended)))
                : Optional.empty();
    }

    private static Optional<PodTrouble> now(ContainerStatus container) {
        ContainerStateWaiting waiting = waiting(container);
        ContainerStateTerminated before = ended(container.getLastState());
        if (waiting == null) {
            ContainerStateTerminated ended = ended(container.getState());
            return crashed(container, ended);
        }
        String reason = orEmpty(waiting.getReason());
        if (reason.equals(CRASHED) && before != null) {
            return Optional.of(new PodTrouble(CRASHED, describe(container, before)));
        }
        if (!STARTING.contains(reason)) {
            return Optional.of(new PodTrouble(reason, words(waiting)));
        }
        return crashed(container, before);
    }

    /** How a container ended, and what it said. */
    static String describe(ContainerStatus container, ContainerStateTerminated ended) {
        String reason = orEmpty(ended.getReason());
        int code = ended.getExitCode() == null ? 0 : ended.getExitCode();
        // Error and Completed say no more than the exit code does.
        boolean plain = reason.isEmpty() || reason.equals("Error") || reason.equals("Completed");
        String words = LogCause.of(orEmpty(ended.getMessage())).line();
        String how = (plain ? "" : reason + ", ") + "exit code " + code;
        // A status has room for the beginning of a message alone: what it said comes before how it ended.
        return "container " + container.getName()
                + (words.isEmpty() ? " ended with " + how : ": " + words + " (" + how + ")");
    }

    /** What is known of how a container ran. */
    static SteadyTime.Ended last(ContainerStateTerminated ended) {
        return new SteadyTime.Ended(
                orEmpty(ended.getReason()),
                ended.getExitCode() == null ? 0 : ended.getExitCode(),
                Duration.between(PodProjector.time(ended.getStartedAt()), PodProjector.time(ended.getFinishedAt())));
    }

    private static Optional<PodTrouble> crashed(ContainerStatus container, @Nullable ContainerStateTerminated ended) {
        return ended != null && last(ended).isBroken()
                ? Optional.of(new PodTrouble(CRASHED, describe(container, ended)))
                : Optional.empty();
    }

    private static @Nullable ContainerStateTerminated ended(@Nullable ContainerState state) {
        return state == null ? null : state.getTerminated();
    }

    private static @Nullable ContainerStateWaiting waiting(ContainerStatus container) {
        return container.getState() == null ? null : container.getState().getWaiting();
    }

    private static String words(ContainerStateWaiting waiting) {
        return WaitingWords.of(orEmpty(waiting.getMessage()));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
