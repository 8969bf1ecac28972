package dev.sro.runtime.gather;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A container's log. It is asked for again where kubelet has done away with the container that the pod's status still names, as when the
 * next one has broken, too: a second later the status names that one. Stateless.
 */
final class ContainerLog {
    /** Kubelet's words, which it sends as if they were the log ({@code GetContainerLogs} of its runtime manager). */
    private static final String GONE = "unable to retrieve container logs for ";

    private static final int TRIES = 5;

    private ContainerLog() {}

    /**
     * Reads it.
     *
     * @param pause between two requests
     * @return what was answered last
     */
    static @Nullable String read(Supplier<@Nullable String> request, Runnable pause) {
        String log = request.get();
        for (int tried = 1; tried < TRIES && log != null && log.startsWith(GONE); tried++) {
            pause.run();
            log = request.get();
        }
        return log;
    }
}
