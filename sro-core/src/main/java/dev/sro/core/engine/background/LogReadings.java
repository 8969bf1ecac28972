package dev.sro.core.engine.background;

import dev.sro.core.cel.Re2;
import dev.sro.core.engine.port.LogReader;
import dev.sro.core.lookup.BackgroundLookups;
import dev.sro.core.lookup.Lookup;
import dev.sro.core.lookup.LookupOptions;
import dev.sro.core.lookup.LookupPace;
import dev.sro.core.probe.LogCause;
import dev.sro.core.probe.LogQuery;
import dev.sro.core.probe.LogSnapshot;
import dev.sro.core.probe.LogSnapshot.Log;
import dev.sro.core.probe.LogState;
import dev.sro.core.probe.LogState.Kind;
import dev.sro.core.probe.PodFacts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the logs that the objects of one special resource wait for. A log in which the text was found is not read
 * again; one in which it was not is read again after a while, which grows. A container that was started again has another log.
 *
 * <p>Whoever was ready with a pod when this process saw it first, stays so without a read: the text may have left the end of the
 * log long ago. Thread-safe: results come from other threads.
 */
public final class LogReadings {

    /** Reads of one task, so that thousands of pods do not keep a worker from everything else. */
    private static final int BATCH = 16;

    /** Clients have shorter limits for a request than this deadline. */
    private static final LookupPace PACE = new LookupPace(
            Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofMinutes(5), 1, BATCH, Duration.ofDays(1));

    /** What of the end of a log is kept for a message. */
    private static final int END_LINES = 15;

    private static final int END_LENGTH = 1_000;

    private final LogAccess access;
    private final String specialResource;
    private final BackgroundLookups<Log, LogState> lookups;
    /** By what the pods of each object are found that was asked about. */
    private final Map<String, String> owners = new HashMap<>();
    /** Objects that are asked about for the first time in this trip. */
    private final Set<String> fresh = new HashSet<>();

    public LogReadings(LogAccess access, String specialResource) {
        this.access = access;
        this.specialResource = specialResource;
        this.lookups =
                new BackgroundLookups<>(new Reading(), access.executor(), PACE, access.clock(), access.changed());
    }

    /** Asks for the logs of a pod. What is known of them: the best of its containers. */
    public synchronized LogState state(LogQuery query) {
        if (owners.put(query.object(), query.owner()) == null) {
            fresh.add(query.object());
        }
        Optional<LogState> first = LogSnapshot.first(query, fresh.contains(query.object()));
        return LogSnapshot.best(
                query,
                lookups::contains,
                log -> lookups.ask(log, specialResource, LookupOptions.ONCE, () -> first)
                        .answer());
    }

    /** All that is known. */
    public synchronized LogSnapshot known() {
        return new LogSnapshot(lookups.known(), owners.keySet());
    }

    private static boolean isFound(LogState state) {
        return state.kind() == Kind.FOUND;
    }

    /**
     * Ends a trip: forgets pods that are gone, and has the logs read that were asked for and are due.
     *
     * @param pods the pods of an owner
     * @return when to look again; {@link Instant#MAX} when there is no need to
     */
    public Instant settle(Function<String, List<PodFacts>> pods) {
        Map<String, PodFacts> present = new HashMap<>();
        synchronized (this) {
            fresh.clear();
            // An object with pods stays known, even if its logs were not asked for: it is not new the next time.
            owners.values().removeIf(owner -> {
                List<PodFacts> all = pods.apply(owner);
                all.forEach(pod -> present.put(pod.uid(), pod));
                return all.isEmpty();
            });
        }
        lookups.retain((log, asked) -> isPresent(log, present.get(log.pod())));
        return lookups.settle(specialResource, log -> !isFoundElsewhere(log, present.get(log.pod())));
    }

    /** A container that was started again has another log. */
    private static boolean isPresent(Log log, @Nullable PodFacts pod) {
        return pod != null
                && pod.containers().stream()
                        .noneMatch(container ->
                                container.name().equals(log.container()) && container.restarts() > log.restarts());
    }

    /** One container that says it is enough. */
    private boolean isFoundElsewhere(Log log, @Nullable PodFacts pod) {
        return pod != null
                && pod.containers().stream()
                        .anyMatch(container -> lookups.peek(Log.of(pod, container, log.rule()))
                                .filter(LogReadings::isFound)
                                .isPresent());
    }

    /** A builder says at its end which step failed; what the compiler said in it is before that. */
    private static String withCause(String text, String end) {
        LogCause cause = LogCause.of(text);
        return cause.fault() == LogCause.Fault.COMPILER && LogCause.of(end).fault() != LogCause.Fault.COMPILER
                ? cause.line() + "\n" + end
                : end;
    }

    /** As much as fits a message: whole lines, the last ones. */
    static String end(String log) {
        String text = log.stripTrailing();
        List<String> lines = text.lines().toList();
        int from = lines.size();
        int length = 0;
        while (from > 0
                && lines.size() - from < END_LINES
                && length + lines.get(from - 1).length() < END_LENGTH) {
            from--;
            length += lines.get(from).length() + 1;
        }
        return from == lines.size() && !lines.isEmpty()
                ? text.substring(Math.max(0, text.length() - END_LENGTH))
                : String.join("\n", lines.subList(from, lines.size()));
    }

    /** Reads one. */
    private final class Reading implements Lookup<Log, LogState> {

        @Override
        public LogState look(Log log) throws IOException {
            try {
                String text = access.reader().tail(log.namespace(), log.podName(), log.container());
                if (log.rule().regexp().equals(LogQuery.END)) {
                    return new LogState(Kind.FOUND, withCause(text, end(text)));
                }
                boolean found = Re2.compile(log.rule().regexp()).matcher(text).find();
                return LogState.of(found ? Kind.FOUND : Kind.NOT_THERE);
            } catch (LogReader.ForbiddenException e) {
                return new LogState(Kind.FORBIDDEN, String.valueOf(e.getMessage()));
            } catch (RuntimeException e) {
                return failed(log, e);
            }
        }

        @Override
        public LogState failed(Log log, Throwable cause) {
            String why = cause instanceof RejectedExecutionException
                    ? "SRO is stopping"
                    : cause instanceof Error ? cause.toString() : String.valueOf(cause.getMessage());
            return new LogState(Kind.UNREADABLE, why);
        }

        @Override
        public boolean isSuccess(Log log, LogState state) {
            return isFound(state);
        }
    }
}
