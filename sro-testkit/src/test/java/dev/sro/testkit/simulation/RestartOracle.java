package dev.sro.testkit.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.Recording;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The judge of a history that has ended: left alone without a restart, the operator comes to rest, and a fresh one on the same
 * objects has nothing to write and says the same. What a restart would mend is what somebody would have waited for, for ever.
 */
final class RestartOracle {

    private static final Duration REST = Duration.ofHours(3);
    /** After which it is counted what was requested, so that what goes on for ever is not looked at for ever. */
    private static final Duration STEP = Duration.ofMinutes(20);

    private static final Duration QUIET = Duration.ofHours(1);

    /** Longer than anything that a fresh operator puts off. */
    private static final Duration FRESH = Duration.ofMinutes(30);

    /** Far more than the nine special resources that are looked at again every minute or ten; once a second is more. */
    private static final int MAX_WORK = 1_500;

    /** A look whether something is needed any more takes two minutes, and its timers are not counted. */
    private static final int LOOKS_AT_TIMERS = 4;

    /** Far more requests than nine special resources need in the hours after a history, whose refused writes are tried once a minute. */
    private static final int MAX_REQUESTS = 4_000;

    private static final int SHOWN = 12;

    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");

    private final OracleWorld world;
    private final List<String> findings = new ArrayList<>();

    RestartOracle(OracleWorld world) {
        this.world = world;
    }

    /** What is wrong, one line each; empty if nothing is. */
    List<String> judge() {
        try {
            comesToRest();
            isQuiet();
            comparedWithFresh();
        } catch (IllegalStateException e) {
            findings.add("no rest: " + e.getMessage() + " " + most(world.requests()));
        }
        return findings;
    }

    private void comesToRest() {
        record();
        Duration rested = Duration.ZERO;
        while (rested.compareTo(REST) < 0) {
            world.sandbox.run(STEP);
            rested = rested.plus(STEP);
            // What is served is asked for again and again where a kind is missing that somebody needs.
            long requests = world.requests().stream()
                    .filter(request -> !request.resource().startsWith("/"))
                    .count();
            if (requests > MAX_REQUESTS) {
                throw new IllegalStateException(requests + " requests in " + rested);
            }
        }
    }

    private void isQuiet() {
        record();
        long before = world.sandbox.workDone();
        world.sandbox.run(QUIET);
        long work = world.sandbox.workDone() - before;
        if (work > MAX_WORK) {
            findings.add("busy: " + work + " tasks in an hour after " + REST + " of rest");
        }
        List<Recording.Entry> writes = writes();
        if (!writes.isEmpty()) {
            throw new IllegalStateException(writes.size() + " writes in an hour after " + REST + " of rest");
        }
    }

    private void comparedWithFresh() {
        List<Duration> timers = fewestTimers();
        Map<String, String> before = state();
        Map<String, Integer> watches = world.sandbox.cluster().server().openWatchesByType();
        world.sandbox.kill();
        record();
        world.restart();
        world.sandbox.run(FRESH);
        List<Recording.Entry> writes = writes();
        if (!writes.isEmpty()) {
            findings.add("a fresh operator writes " + last(writes));
        }
        Map<String, String> after = state();
        differences(before, after);
        Map<String, Integer> fresh = world.sandbox.cluster().server().openWatchesByType();
        List<Duration> freshTimers = timers();
        if (timers.size() > freshTimers.size()) {
            findings.add("timers: they wait for " + timers + ", those of a fresh operator for " + freshTimers);
        }
        watches.forEach((type, open) -> {
            if (open > fresh.getOrDefault(type, 0)) {
                findings.add("watches of " + type + ": " + open + " open, " + fresh.getOrDefault(type, 0)
                        + " of a fresh operator");
            }
        });
    }

    private List<Duration> fewestTimers() {
        List<Duration> fewest = timers();
        for (int i = 1; i < LOOKS_AT_TIMERS; i++) {
            world.sandbox.run(Duration.ofMinutes(1));
            List<Duration> now = timers();
            fewest = now.size() < fewest.size() ? now : fewest;
        }
        return fewest;
    }

    private List<Duration> timers() {
        Instant now = world.sandbox.cluster().clock().instant();
        return world.sandbox.pendingTimers().stream()
                .map(due -> Duration.between(now, due))
                .toList();
    }

    private void differences(Map<String, String> before, Map<String, String> after) {
        TreeSet<String> all = new TreeSet<>(before.keySet());
        all.addAll(after.keySet());
        Set<String> told = new HashSet<>();
        for (String key : all) {
            String was = before.get(key);
            String is = after.get(key);
            // The first field of a status that differs, which is its line of text, says it all.
            if (!Objects.equals(was, is) && told.add(key.substring(0, key.lastIndexOf(' ')))) {
                findings.add("differs: " + key + "\n    before: " + was + "\n    fresh:  " + is);
            }
        }
    }

    private void record() {
        world.sandbox.cluster().recording().start();
    }

    private List<Recording.Entry> writes() {
        return world.requests().stream().filter(Recording.Entry::isWrite).toList();
    }

    /** What is asked for most, with how often. */
    private static List<String> most(List<Recording.Entry> entries) {
        Map<String, Integer> counts = new TreeMap<>();
        entries.forEach(e -> counts.merge(e.verb() + " " + e.resource() + " " + e.name(), 1, Integer::sum));
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(SHOWN)
                .map(count -> count.getValue() + " x " + count.getKey())
                .toList();
    }

    private static List<String> last(List<Recording.Entry> entries) {
        return entries.subList(Math.max(0, entries.size() - SHOWN), entries.size()).stream()
                .map(e -> e.verb() + " " + e.resource() + " " + (e.namespace().isEmpty() ? "" : e.namespace() + "/")
                        + e.name() + " " + e.status())
                .toList();
    }

    /** Statuses of special resources, and what is marked on nodes. */
    private Map<String, String> state() {
        ClusterApi api = world.sandbox.cluster().api();
        Map<String, String> state = new TreeMap<>();
        for (ObjectNode resource : api.list(OracleWorld.SPECIAL_RESOURCES)) {
            String name = "special resource " + resource.at("/metadata/name").asText();
            state.put(
                    name + " deleted",
                    String.valueOf(!resource.at("/metadata/deletionTimestamp").isMissingNode()));
            resource.at("/status")
                    .properties()
                    .forEach(field -> state.put(
                            name + " " + (field.getKey().equals("state") ? " state" : field.getKey()),
                            timeless(field.getValue().toString())));
        }
        for (Gvr type : OracleFeatureSteps.COMPANIONS) {
            for (ObjectNode object : world.isWide() ? api.list(type) : List.<ObjectNode>of()) {
                String name = type.plural() + " " + object.at("/metadata/name").asText();
                state.put(name + " status", timeless(object.at("/status").toString()));
            }
        }
        for (ObjectNode node : api.list(Gvr.NODES)) {
            String name = "node " + node.at("/metadata/name").asText();
            each(state, name + " label ", node.at("/metadata/labels"));
            each(state, name + " annotation ", node.at("/metadata/annotations"));
            state.put(name + " taints", timeless(node.at("/spec/taints").toString()));
            state.put(
                    name + " unschedulable",
                    timeless(node.at("/spec/unschedulable").toString()));
        }
        return state;
    }

    private static void each(Map<String, String> state, String name, JsonNode map) {
        map.properties()
                .forEach(entry -> state.put(
                        name + entry.getKey(), timeless(entry.getValue().toString())));
    }

    static String timeless(String json) {
        return TIME.matcher(json).replaceAll("T");
    }
}
