package dev.sro.runtime.demo;

import dev.sro.testkit.server.Recording;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a phase did. Immutable.
 *
 * @param phase which one
 * @param writes requests of SRO that could change something
 * @param requests number of SRO's requests by verb
 * @param clusterTime how long it took in the cluster's time
 * @param wallTime how long it took
 * @param checks what was looked at in the end
 */
record PhaseResult(
        Phase phase,
        List<Recording.Entry> writes,
        SortedMap<String, Long> requests,
        Duration clusterTime,
        Duration wallTime,
        List<Check> checks) {

    /**
     * Something that has to be true.
     *
     * @param ok whether it is
     * @param text what it says when it is true
     * @param detail what was found when it is not
     */
    record Check(boolean ok, String text, String detail) {}

    static PhaseResult of(
            Phase phase, List<Recording.Entry> entries, Duration clusterTime, Duration wallTime, List<Check> checks) {
        SortedMap<String, Long> requests = new TreeMap<>();
        entries.forEach(entry -> requests.merge(entry.verb(), 1L, Long::sum));
        return new PhaseResult(
                phase,
                entries.stream().filter(PhaseResult::isChange).toList(),
                requests,
                clusterTime,
                wallTime,
                List.copyOf(checks));
    }

    /** Whether it could change something; an event only reports. */
    static boolean isChange(Recording.Entry entry) {
        return entry.isWrite() && !entry.resource().equals("events.events.k8s.io");
    }

    /** The objects that were written to, without doubles; a status is no object of its own. */
    Set<String> objects() {
        Set<String> objects = new LinkedHashSet<>();
        for (Recording.Entry write : writes) {
            String resource = write.resource().replaceFirst("/.*", "");
            objects.add(resource + " " + (write.namespace().isEmpty() ? "" : write.namespace() + "/") + write.name());
        }
        return objects;
    }

    boolean ok() {
        return checks.stream().allMatch(Check::ok);
    }

    long total() {
        return requests.values().stream().mapToLong(Long::longValue).sum();
    }
}
