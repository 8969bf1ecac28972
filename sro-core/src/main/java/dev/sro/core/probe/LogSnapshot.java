package dev.sro.core.probe;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** What is known of logs at one moment. Immutable. */
public final class LogSnapshot {

    /** Nothing is. */
    public static final LogSnapshot NONE = new LogSnapshot(Map.of(), Set.of());

    /**
     * The log of a container between two of its starts.
     *
     * @param pod its uid
     */
    public record Log(String namespace, String podName, String pod, String container, int restarts, LogRule rule) {
        /** That of a container of a pod. */
        public static Log of(PodFacts pod, PodFacts.Container container, LogRule rule) {
            return new Log(pod.namespace(), pod.name(), pod.uid(), container.name(), container.restarts(), rule);
        }
    }

    private final Map<Log, Optional<LogState>> logs;
    private final Set<String> objects;

    /**
     * @param logs that are asked for; empty where nobody looked yet
     * @param objects that were asked about before, by their uids
     */
    public LogSnapshot(Map<Log, Optional<LogState>> logs, Set<String> objects) {
        this.logs = Map.copyOf(logs);
        this.objects = Set.copyOf(objects);
    }

    /** What is known of the logs of a pod: the best of its containers. */
    public LogState of(LogQuery query) {
        Optional<LogState> first = first(query, !objects.contains(query.object()));
        return best(query, logs::containsKey, log -> logs.containsKey(log) ? logs.get(log) : first);
    }

    /**
     * What counts for a log that was never asked for. Whoever was ready with a pod when its object is asked about first, stays so without a read: the
     * text may have left the end of the log long ago.
     *
     * @param fresh whether the object is asked about for the first time
     */
    public static Optional<LogState> first(LogQuery query, boolean fresh) {
        return query.reached() && fresh ? Optional.of(LogState.of(LogState.Kind.FOUND)) : Optional.empty();
    }

    /**
     * The best of the containers that are meant.
     *
     * @param asked whether somebody asked for the log of a container that did not start yet
     * @param known what is known of one
     */
    public static LogState best(LogQuery query, Predicate<Log> asked, Function<Log, Optional<LogState>> known) {
        LogState best = LogState.of(LogState.Kind.UNREAD);
        String only = query.rule().container();
        for (PodFacts.Container container : query.pod().containers()) {
            Log log = Log.of(query.pod(), container, query.rule());
            boolean meant =
                    only.isEmpty() ? container.speaks() : container.name().equals(only);
            if (!meant || (!container.started() && !asked.test(log))) {
                continue;
            }
            Optional<LogState> state = known.apply(log);
            if (state.isPresent() && state.get().kind() == LogState.Kind.FOUND) {
                return state.get();
            }
            best = state.orElse(best);
        }
        return best;
    }
}
