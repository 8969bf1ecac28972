package dev.sro.testkit.sim;

import java.util.List;

/** What kubelets keep of a log for {@code terminationMessagePolicy: FallbackToLogsOnError}. Stateless. */
final class TerminationMessages {
    private static final int KEPT_LINES = 80;
    private static final int KEPT_LENGTH = 2048;

    private TerminationMessages() {}

    /** As much of a log as becomes a termination message, where the container has none of its own. */
    static String of(String log) {
        List<String> lines = log.lines().toList();
        String text = String.join("\n", lines.subList(Math.max(0, lines.size() - KEPT_LINES), lines.size()));
        return text.substring(Math.max(0, text.length() - KEPT_LENGTH));
    }
}
