package dev.sro.runtime.gather;

/**
 * What kubelet answers when the log of the run before is asked for. Of a container that breaks again and again it keeps the last run that
 * ended; until it waits for the next start, the pod's status calls that run the present one, and names as the one before a run whose log
 * is gone. Stateless.
 */
final class ContainerLog {
    /** Kubelet's words, which it sends as if they were the log ({@code GetContainerLogs} of its runtime manager). */
    private static final String GONE = "unable to retrieve container logs for ";

    private ContainerLog() {}

    /**
     * The log, or where it is gone, kubelet's words and where the last run's is.
     *
     * @param present the name of the file with the log of the present run
     */
    static String explained(String log, String present) {
        return log.startsWith(GONE)
                ? log + "\nkubelet keeps the log of the last run that ended: see " + present + "\n"
                : log;
    }
}
