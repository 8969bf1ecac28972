package dev.sro.testkit.server;

import dev.sro.testkit.VirtualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Notes which requests reach the server: always as counts, on request one by one. Thread-safe. */
public final class Recording {
    /**
     * One request.
     *
     * @param at when, on the cluster's clock
     * @param userAgent who asked
     * @param fieldManager the field manager it named, empty if none
     * @param verb in lower case, for instance {@code watch}
     * @param resource group-qualified plural, with the subresource after a slash; the path for other requests
     * @param namespace empty if there is none
     * @param name empty if there is none
     * @param path with the query parameters left out
     * @param status the HTTP status of the answer; 0 if the answer was lost
     */
    public record Entry(
            Instant at,
            String userAgent,
            String fieldManager,
            String verb,
            String resource,
            String namespace,
            String name,
            String path,
            int status) {
        /** Whether it could change something. */
        public boolean isWrite() {
            return !verb.equals("get") && !verb.equals("list") && !verb.equals("watch");
        }
    }

    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, Long> counts = new TreeMap<>();
    private boolean detailed;

    /** Notes every request from now on. Forgets what was noted before. */
    public synchronized void start() {
        entries.clear();
        counts.clear();
        detailed = true;
    }

    /** Notes counts only. */
    public synchronized void stop() {
        detailed = false;
    }

    /** Forgets everything, and goes on as before. */
    public synchronized void reset() {
        entries.clear();
        counts.clear();
    }

    /** The requests since {@link #start}, in order. */
    public synchronized List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** The requests since {@link #start} that satisfy a condition. */
    public List<Entry> entries(Predicate<Entry> condition) {
        return entries().stream().filter(condition).toList();
    }

    /** The requests since {@link #start} that could change something. */
    public List<Entry> writes() {
        return entries(Entry::isWrite);
    }

    /** How many requests there were, by {@code verb resource}; sorted. */
    public synchronized Map<String, Long> counts() {
        return new TreeMap<>(counts);
    }

    /** How many requests there were. */
    public synchronized long total() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    synchronized void note(
            VirtualClock clock, ApiRequest request, String verb, @Nullable RequestPath path, int status) {
        String resource = path != null && !path.gvr().plural().isEmpty() ? resource(path) : request.path();
        counts.merge(verb + " " + resource, 1L, Long::sum);
        if (!detailed) {
            return;
        }
        String manager = request.param("fieldManager");
        String namespace = path == null ? null : path.namespace();
        entries.add(new Entry(
                clock.instant(),
                request.userAgent(),
                manager == null ? "" : manager,
                verb,
                resource,
                namespace == null ? "" : namespace,
                path == null ? "" : path.name(),
                request.path(),
                status));
    }

    private static String resource(RequestPath path) {
        String base = path.gvr().groupResource();
        return path.subresource().isEmpty() ? base : base + "/" + path.subresource();
    }
}
