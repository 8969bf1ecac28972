package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the DaemonSet controller remembers of one DaemonSet: which pods are meant for which node, what each node adds to the
 * counters of the status, and which nodes have to be looked at again. Only what changed is computed anew.
 */
final class DaemonSetState {
    /** How far a node is in an update. */
    enum Progress {
        /** No pod, or its pod is up to date and available. */
        DONE,
        /** Its pods are going, or the new pod is not available: counts against maxUnavailable. */
        BUSY,
        OLD_AVAILABLE,
        OLD_UNAVAILABLE,
        /** An old pod and a new one that is not available yet (surge). */
        SURGING,
        /** An old pod and a new one that is available (surge). */
        SURGED
    }

    /** What one node adds to the status. */
    record Tally(
            boolean desired,
            boolean scheduled,
            boolean ready,
            boolean available,
            boolean updated,
            boolean misscheduled,
            Progress progress) {
        static final Tally NOTHING = new Tally(false, false, false, false, false, false, Progress.DONE);
    }

    private record Failures(int count, Instant notBefore) {}

    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration MAX_BACKOFF = Duration.ofMinutes(15);

    final String key;
    int desired;
    int scheduled;
    int ready;
    int available;
    int updated;
    int misscheduled;
    /** The generation whose template {@link #hash} belongs to. */
    long generation = -1;

    String hash = "";
    /** The parts of the template's pod spec that decide where a pod may run. */
    ObjectNode eligibility = JsonNodes.object();

    private final Map<String, Set<String>> podsByNode = new HashMap<>();
    private final Map<String, Tally> tallies = new HashMap<>();
    private final Map<Progress, TreeSet<String>> byProgress = new EnumMap<>(Progress.class);
    private final Map<String, Failures> failures = new HashMap<>();
    private final NavigableMap<Instant, Set<String>> availableLater = new TreeMap<>();
    private Set<String> dirty = new LinkedHashSet<>();
    private boolean allDirty = true;

    DaemonSetState(String key) {
        this.key = key;
    }

    void podSeen(String node, String podKey) {
        podsByNode.computeIfAbsent(node, n -> new LinkedHashSet<>()).add(podKey);
        dirty.add(node);
    }

    void podGone(String node, String podKey) {
        Set<String> pods = podsByNode.get(node);
        if (pods != null) {
            pods.remove(podKey);
            if (pods.isEmpty()) {
                podsByNode.remove(node);
            }
        }
        dirty.add(node);
    }

    /** The pods meant for a node, oldest first. */
    Set<String> pods(String node) {
        return podsByNode.getOrDefault(node, Set.of());
    }

    void nodeChanged(String node) {
        dirty.add(node);
    }

    boolean knows(String node) {
        return tallies.containsKey(node) || podsByNode.containsKey(node);
    }

    void everythingChanged() {
        allDirty = true;
    }

    boolean isAllDirty() {
        return allDirty;
    }

    /** The nodes to look at, sorted; they count as seen from now on. {@code all} stands for every node of the cluster. */
    Set<String> takeDirty(Iterable<String> all, Instant now) {
        Set<String> out = new TreeSet<>(dirty);
        if (allDirty) {
            all.forEach(out::add);
            out.addAll(tallies.keySet());
            out.addAll(podsByNode.keySet());
        }
        NavigableMap<Instant, Set<String>> due = availableLater.headMap(now, true);
        due.values().forEach(out::addAll);
        due.clear();
        dirty = new LinkedHashSet<>();
        allDirty = false;
        return out;
    }

    void availableAt(Instant at, String node) {
        availableLater.computeIfAbsent(at, t -> new TreeSet<>()).add(node);
    }

    /** Puts the new share of a node in the place of the old one. */
    void tally(String node, Tally now) {
        Tally old = tallies.getOrDefault(node, Tally.NOTHING);
        if (old.equals(now)) {
            return;
        }
        add(old, -1);
        add(now, 1);
        of(old.progress()).remove(node);
        if (now.equals(Tally.NOTHING)) {
            tallies.remove(node);
        } else {
            tallies.put(node, now);
            of(now.progress()).add(node);
        }
    }

    private void add(Tally t, int sign) {
        desired += t.desired() ? sign : 0;
        scheduled += t.scheduled() ? sign : 0;
        ready += t.ready() ? sign : 0;
        available += t.available() ? sign : 0;
        updated += t.updated() ? sign : 0;
        misscheduled += t.misscheduled() ? sign : 0;
    }

    /** The nodes that are this far in an update, sorted by name. */
    Set<String> of(Progress progress) {
        return byProgress.computeIfAbsent(progress, p -> new TreeSet<>());
    }

    /** When a failed pod of this node may be replaced. */
    Instant mayReplaceAt(String node) {
        Failures f = failures.get(node);
        return f == null ? Instant.MIN : f.notBefore();
    }

    void replaced(String node, Instant now) {
        Failures f = failures.get(node);
        int count = f == null ? 1 : f.count() + 1;
        failures.put(node, new Failures(count, now.plus(SimTimings.backoff(FIRST_BACKOFF, MAX_BACKOFF, count))));
    }
}
