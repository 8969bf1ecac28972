package dev.sro.testkit.sim;

import java.time.Duration;

/**
 * Durations in the simulated cluster, all on the virtual clock. {@link #DEFAULTS} keeps the proportions of a real
 * cluster but is quick; back-off times are those of Kubernetes, because callers must live with them. Immutable.
 *
 * @param nodeReady from the creation of a node to its first Ready
 * @param nfdLag from a node getting Ready to its hardware labels (NFD's worker: up to 60 s)
 * @param reboot how long a rebooting node is gone
 * @param podStart from binding to running, when the image is there
 * @param podStop from the deletion mark to the end of the containers, when they obey SIGTERM
 * @param initContainer how long an init container runs
 * @param completion how long a container that is meant to end runs (Jobs, pods with restartPolicy other than Always)
 * @param build how long a build (OpenShift Build, or a Job that pushes an image) runs
 * @param pullBackoff first wait after a failed image pull, doubled each time (kubelet: 10 s)
 * @param pullBackoffMax longest such wait (kubelet: 5 min)
 * @param crashBackoff first wait after the second crash of a container, doubled each time (kubelet: 10 s)
 * @param crashBackoffMax longest such wait (kubelet: 5 min)
 * @param jobBatch how long the Job controller gathers changes of pods (kube-controller-manager: 1 s)
 * @param jobBackoff first wait before a failed Job pod is replaced, doubled each time (kube-controller-manager: 10 s)
 * @param orphanedPods how long pods of a deleted node stay (kube-controller-manager: 40 to 60 s)
 */
public record SimTimings(
        Duration nodeReady,
        Duration nfdLag,
        Duration reboot,
        Duration podStart,
        Duration podStop,
        Duration initContainer,
        Duration completion,
        Duration build,
        Duration pullBackoff,
        Duration pullBackoffMax,
        Duration crashBackoff,
        Duration crashBackoffMax,
        Duration jobBatch,
        Duration jobBackoff,
        Duration orphanedPods) {
    /** What an embedded cluster has when nothing else is asked for. */
    public static final SimTimings DEFAULTS = new SimTimings(
            Duration.ofMillis(200),
            Duration.ofSeconds(2),
            Duration.ofSeconds(30),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofSeconds(40));

    /** The same with another lag of the hardware labels. */
    public SimTimings withNfdLag(Duration lag) {
        return copy(nodeReady, lag, reboot, podStart, build);
    }

    /** The same with another length of a reboot. */
    public SimTimings withReboot(Duration time) {
        return copy(nodeReady, nfdLag, time, podStart, build);
    }

    /** The same with another start time of pods. */
    public SimTimings withPodStart(Duration time) {
        return copy(nodeReady, nfdLag, reboot, time, build);
    }

    /** The same with another length of image builds. */
    public SimTimings withBuild(Duration time) {
        return copy(nodeReady, nfdLag, reboot, podStart, time);
    }

    /** The same with another time until a new node is Ready. */
    public SimTimings withNodeReady(Duration time) {
        return copy(time, nfdLag, reboot, podStart, build);
    }

    private SimTimings copy(Duration ready, Duration nfd, Duration boot, Duration start, Duration builds) {
        return new SimTimings(
                ready,
                nfd,
                boot,
                start,
                podStop,
                initContainer,
                completion,
                builds,
                pullBackoff,
                pullBackoffMax,
                crashBackoff,
                crashBackoffMax,
                jobBatch,
                jobBackoff,
                orphanedPods);
    }

    /** The wait before attempt number {@code failures + 1}: doubled each time, up to {@code max}. */
    static Duration backoff(Duration first, Duration max, int failures) {
        Duration wait = first;
        for (int i = 1; i < failures && wait.compareTo(max) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(max) > 0 ? max : wait;
    }
}
