package dev.sro.core.engine;

import dev.sro.core.cel.Re2;
import dev.sro.core.probe.LogQuery;
import dev.sro.core.probe.LogRule;
import dev.sro.core.probe.LogState;
import dev.sro.core.probe.LogState.Kind;
import dev.sro.core.probe.PodFacts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * What is known of the logs that the objects of one special resource wait for. A log in which the text was found is not read
 * again; one in which it was not is read again after a while, which grows. A container that was started again has another log.
 *
 * <p>Whoever was ready with a pod when this process saw it first, stays so without a read: the text may have left the end of the
 * log long ago. Thread-safe: results come from other threads.
 */
final class LogBook {

    /** Reads of one task, so that thousands of pods do not keep a worker from everything else. */
    private static final int BATCH = 16;

    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration LAST_RETRY = Duration.ofMinutes(1);

    /** What of the end of a log is kept for a message. */
    private static final int END_LINES = 15;

    private static final int END_LENGTH = 1_000;

    /** Doublings after which {@link #LAST_RETRY} is exceeded. */
    private static final int MAX_DOUBLINGS = 6;

    private record Log(String pod, String container, int restarts, LogRule rule) {
        /** Whether it is the log of the same container before it was started again. */
        boolean isFormer(Log later) {
            return pod.equals(later.pod) && container.equals(later.container) && restarts != later.restarts;
        }
    }

    private static final class Entry {
        private final String namespace;
        private final String podName;
        private LogState state;
        private int reads;
        private Instant due = Instant.MIN;
        private boolean asked = true;
        private boolean reading;

        Entry(PodFacts pod, Kind kind) {
            this.namespace = pod.namespace();
            this.podName = pod.name();
            this.state = LogState.of(kind);
        }

        boolean found() {
            return state.kind() == Kind.FOUND;
        }
    }

    private record ObjectLogs(String owner, Map<Log, Entry> entries) {}

    private final LogAccess access;
    private final String specialResource;
    private final Map<String, ObjectLogs> objects = new HashMap<>();
    private final Deque<Map.Entry<Log, Entry>> queue = new ArrayDeque<>();
    /** Objects that are asked about for the first time in this trip. */
    private final Set<String> fresh = new HashSet<>();

    /** Whether there is a task: never two, however long a read may take. */
    private boolean working;

    LogBook(LogAccess access, String specialResource) {
        this.access = access;
        this.specialResource = specialResource;
    }

    /** What is known of the logs of a pod: the best of its containers. */
    synchronized LogState state(LogQuery query) {
        PodFacts pod = query.pod();
        ObjectLogs known = objects.get(query.object());
        if (known == null) {
            known = new ObjectLogs(query.owner(), new HashMap<>());
            objects.put(query.object(), known);
            fresh.add(query.object());
        }
        Kind first = query.reached() && fresh.contains(query.object()) ? Kind.FOUND : Kind.UNREAD;
        LogState best = LogState.of(Kind.UNREAD);
        for (PodFacts.Container container : pod.containers()) {
            String only = query.rule().container();
            if (only.isEmpty() ? !container.speaks() : !container.name().equals(only)) {
                continue;
            }
            Log log = new Log(pod.uid(), container.name(), container.restarts(), query.rule());
            if (!container.started() && !known.entries.containsKey(log)) {
                continue;
            }
            Entry entry = known.entries.get(log);
            if (entry == null) {
                known.entries.keySet().removeIf(other -> other.isFormer(log));
                entry = new Entry(pod, first);
                known.entries.put(log, entry);
            }
            entry.asked = true;
            if (entry.found()) {
                return entry.state;
            }
            best = entry.state.kind() == Kind.UNREAD ? best : entry.state;
        }
        return best;
    }

    /**
     * Ends a trip: forgets pods that are gone, and has the logs read that were asked for and are due.
     *
     * @param pods the pods of an owner
     * @return when to look again; {@link Instant#MAX} when there is no need to
     */
    Instant settle(Function<String, List<PodFacts>> pods, Instant now) {
        boolean start;
        Instant next = Instant.MAX;
        synchronized (this) {
            fresh.clear();
            for (ObjectLogs object : objects.values()) {
                Set<String> present = present(object, pods);
                object.entries.keySet().removeIf(log -> !present.contains(log.pod()));
                Instant due = enqueue(object, now);
                next = due.isBefore(next) ? due : next;
            }
            // An object with pods stays known, even if its logs were not asked for: it is not new the next time.
            objects.values()
                    .removeIf(object ->
                            object.entries.isEmpty() && present(object, pods).isEmpty());
            start = !working && !queue.isEmpty();
            working |= start;
        }
        if (start) {
            later(now);
        }
        return next;
    }

    /** Has the logs of an object read that are due; says when the next one is. */
    private Instant enqueue(ObjectLogs object, Instant now) {
        Set<String> found = new HashSet<>();
        object.entries.forEach((log, entry) -> {
            if (entry.found()) {
                found.add(log.pod() + "/" + log.rule());
            }
        });
        Instant next = Instant.MAX;
        for (Map.Entry<Log, Entry> log : object.entries.entrySet()) {
            Entry entry = log.getValue();
            boolean needed = entry.asked
                    && !entry.reading
                    && !found.contains(log.getKey().pod() + "/" + log.getKey().rule());
            entry.asked = false;
            if (needed && !entry.due.isAfter(now)) {
                entry.reading = true;
                queue.add(Map.entry(log.getKey(), entry));
            } else if (needed && entry.due.isBefore(next)) {
                next = entry.due;
            }
        }
        return next;
    }

    private static Set<String> present(ObjectLogs object, Function<String, List<PodFacts>> pods) {
        Set<String> uids = new HashSet<>();
        pods.apply(object.owner).forEach(pod -> uids.add(pod.uid()));
        return uids;
    }

    private void later(Instant now) {
        try {
            access.executor().execute(this::work);
        } catch (RejectedExecutionException e) {
            synchronized (this) {
                queue.forEach(log -> ended(log.getValue(), new LogState(Kind.UNREADABLE, "SRO is stopping"), now));
                queue.clear();
                working = false;
            }
        }
    }

    private void work() {
        List<Map.Entry<Log, Entry>> batch = new ArrayList<>();
        synchronized (this) {
            while (batch.size() < BATCH && !queue.isEmpty()) {
                batch.add(queue.remove());
            }
        }
        for (Map.Entry<Log, Entry> log : batch) {
            LogState state = read(log.getKey(), log.getValue());
            synchronized (this) {
                ended(log.getValue(), state, access.clock().instant());
            }
        }
        boolean more;
        synchronized (this) {
            more = !queue.isEmpty();
            working = more;
        }
        if (more) {
            later(access.clock().instant());
        }
        access.changed().accept(specialResource);
    }

    private static void ended(Entry entry, LogState state, Instant now) {
        entry.reading = false;
        entry.state = state;
        long factor = 1L << Math.min(entry.reads, MAX_DOUBLINGS);
        Duration wait = FIRST_RETRY.multipliedBy(factor);
        entry.due = now.plus(wait.compareTo(LAST_RETRY) > 0 ? LAST_RETRY : wait);
        entry.reads++;
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

    private LogState read(Log log, Entry entry) {
        try {
            String text = access.reader().tail(entry.namespace, entry.podName, log.container());
            if (log.rule().regexp().equals(LogQuery.END)) {
                return new LogState(Kind.FOUND, end(text));
            }
            boolean found = Re2.compile(log.rule().regexp()).matcher(text).find();
            return LogState.of(found ? Kind.FOUND : Kind.NOT_THERE);
        } catch (LogReader.ForbiddenException e) {
            return new LogState(Kind.FORBIDDEN, String.valueOf(e.getMessage()));
        } catch (IOException | RuntimeException e) {
            return new LogState(Kind.UNREADABLE, String.valueOf(e.getMessage()));
        }
    }
}
