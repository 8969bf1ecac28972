package dev.sro.core.build;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The places for builds of all special resources of an operator. The cluster says which builds run; this only remembers what was
 * allowed a moment ago and is not seen there yet, and who waits. Thread-safe.
 */
public final class BuildSlots {

    /** After this time a build that was allowed and is still not seen was not made after all. */
    private static final Duration UNSEEN = Duration.ofMinutes(1);

    private final int places;
    private final Map<String, Instant> allowed = new LinkedHashMap<>();
    private final Set<String> waiting = new LinkedHashSet<>();

    /** Without anything in it. */
    public BuildSlots(int places) {
        this.places = places;
    }

    /**
     * Takes a place, if there is one; whoever has one keeps it until the build is seen.
     *
     * @param specialResource who asks; it waits if there is none
     * @param build its name, unique in the cluster
     * @param running names of the builds that run in the cluster now
     */
    public synchronized boolean take(String specialResource, String build, Supplier<Set<String>> running, Instant now) {
        Set<String> seen = running.get();
        allowed.entrySet().removeIf(entry -> !isUnseen(entry, seen, now));
        if (seen.contains(build) || allowed.containsKey(build)) {
            return true;
        }
        if (seen.size() + allowed.size() >= places) {
            waiting.add(specialResource);
            return false;
        }
        allowed.put(build, now);
        return true;
    }

    /** What {@link #take} would say. Nothing is taken, and nobody waits. */
    public synchronized boolean wouldTake(String build, Supplier<Set<String>> running, Instant now) {
        Set<String> seen = running.get();
        Set<String> unseen = new LinkedHashSet<>();
        allowed.entrySet().stream()
                .filter(entry -> isUnseen(entry, seen, now))
                .forEach(entry -> unseen.add(entry.getKey()));
        return seen.contains(build) || unseen.contains(build) || seen.size() + unseen.size() < places;
    }

    private static boolean isUnseen(Map.Entry<String, Instant> entry, Set<String> seen, Instant now) {
        return !seen.contains(entry.getKey()) && now.isBefore(entry.getValue().plus(UNSEEN));
    }

    /** Who waits, in the order in which they began to; they wait no more after that, and have to ask again. */
    public synchronized Set<String> released() {
        Set<String> names = new LinkedHashSet<>(waiting);
        waiting.clear();
        return names;
    }
}
