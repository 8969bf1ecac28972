package dev.sro.core.probe;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * How long a container that broke and was started again has to run before its pod counts as ready. Kubernetes calls a container without
 * a readiness probe ready as soon as it runs, so that one that breaks again and again is ready for moments, and all that hangs on it
 * comes and goes with it. Here it has to outlive its last run, and the time that the kubelet waited for before it started it: a
 * container that always breaks after the same time is never ready, and one that never broke is ready at once. Stateless.
 */
public final class SteadyTime {

    /** The kubelet's first pause between two starts; it doubles with each. */
    private static final Duration FIRST = Duration.ofSeconds(10);

    /** The kubelet's longest pause. Nobody waits longer for a container that came up in the end. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /** After so long the kubelet forgets what was before. */
    private static final Duration FORGOTTEN = Duration.ofMinutes(10);

    /** How containers end that did not break: by themselves, or because their node was started again. */
    private static final Set<String> NOT_BROKEN = Set.of("Completed", "Unknown", "ContainerStatusUnknown");

    /** LONGEST is reached before. */
    private static final int MOST_DOUBLINGS = 5;

    private SteadyTime() {}

    /**
     * How a container ran the last time.
     *
     * @param reason why it ended, as the kubelet has it
     * @param exitCode of its process
     * @param ran how long it ran
     */
    public record Ended(String reason, int exitCode, Duration ran) {
        /** Whether it broke: neither by itself with success, nor with its node. */
        public boolean isBroken() {
            return exitCode != 0 && !NOT_BROKEN.contains(reason);
        }
    }

    /**
     * How long the container has to run now; zero if it did not break.
     *
     * @param restarts how often it was started again
     */
    public static Duration compute(int restarts, Ended last) {
        if (restarts < 1 || !last.isBroken()) {
            return Duration.ZERO;
        }
        if (last.ran().compareTo(FORGOTTEN) >= 0) {
            return FIRST;
        }
        Duration pause = FIRST.multipliedBy(1L << Math.min(restarts - 1, MOST_DOUBLINGS));
        Duration outlived = last.ran().plus(FIRST);
        Duration longer = pause.compareTo(outlived) > 0 ? pause : outlived;
        return longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
    }

    /** When the first of these pods that is not steady yet may be. */
    public static Instant next(Iterable<PodFacts> pods, Instant now) {
        Instant next = Instant.MAX;
        for (PodFacts pod : pods) {
            if (now.isBefore(pod.steadyFrom()) && pod.steadyFrom().isBefore(next)) {
                next = pod.steadyFrom();
            }
        }
        return next;
    }
}
