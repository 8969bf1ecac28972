package dev.sro.agent.node;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Tells people what matters: a line of the log, and an event of the Node. The same is told once in ten minutes, and no more than so many
 * events in that time, so that nothing that goes wrong again and again fills the API server. Thread-safe.
 */
public final class NodeEvents {
    private static final Duration SAME = Duration.ofMinutes(10);
    private static final int MOST = 30;
    private static final int LONGEST = 1000;

    private final ApiNode node;
    private final String name;
    private final Executor executor;
    private final Clock clock;
    private final Consumer<String> log;
    private final Map<String, Instant> told = new HashMap<>();
    private boolean failed;

    /**
     * Tells nothing yet.
     *
     * @param name of the node
     * @param executor where the API server is asked
     * @param log takes a sentence at a time
     */
    public NodeEvents(ApiNode node, String name, Executor executor, Clock clock, Consumer<String> log) {
        this.node = node;
        this.name = name;
        this.executor = executor;
        this.clock = clock;
        this.log = log;
    }

    /** Where sentences of one reason go. */
    public Consumer<String> as(String reason, boolean warning) {
        return text -> tell(reason, warning, text);
    }

    private void tell(String reason, boolean warning, String text) {
        log.accept(text);
        Instant now = clock.instant();
        if (!due(reason + text, now)) {
            return;
        }
        String shortened = text.length() > LONGEST ? text.substring(0, LONGEST) : text;
        try {
            executor.execute(() -> send(reason, warning, shortened, now));
        } catch (RejectedExecutionException e) {
            // The agent ends.
        }
    }

    private synchronized boolean due(String what, Instant now) {
        told.values().removeIf(at -> !now.isBefore(at.plus(SAME)));
        return told.size() < MOST && told.putIfAbsent(what, now) == null;
    }

    private void send(String reason, boolean warning, String text, Instant now) {
        try {
            String id = Long.toHexString(now.toEpochMilli()) + Integer.toHexString((reason + text).hashCode());
            node.event(
                    name + "." + id,
                    reason,
                    warning,
                    text,
                    now.truncatedTo(java.time.temporal.ChronoUnit.SECONDS).toString());
            failed = false;
        } catch (IOException e) {
            if (!failed) {
                log.accept(e.getMessage() + "; events are in this log alone");
            }
            failed = true;
        }
    }
}
