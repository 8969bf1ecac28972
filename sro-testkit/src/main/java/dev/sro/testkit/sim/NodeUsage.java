package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.server.Change;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the running pods of each node have reserved. Kept up to date change by change. */
final class NodeUsage {
    private record Reserved(String node, Map<String, Long> requests) {}

    private final Map<String, Reserved> byPod = new HashMap<>();
    private final Map<String, Map<String, Long>> byNode = new HashMap<>();

    /** Takes in a change of a pod. Returns the node where room was made, or null. */
    @Nullable String observe(Change change) {
        String uid = JsonNodes.uid(change.object());
        String node = JsonNodes.text(change.object(), "spec", "nodeName");
        boolean counts = change.kind() != Change.Kind.DELETED && !node.isEmpty() && !Pods.finished(change.object());
        if (counts && !byPod.containsKey(uid)) {
            Reserved r = new Reserved(node, Quantities.requests(change.object().path("spec")));
            byPod.put(uid, r);
            Map<String, Long> sum = byNode.computeIfAbsent(node, n -> new TreeMap<>());
            r.requests().forEach((k, v) -> sum.merge(k, v, Long::sum));
        } else if (!counts && byPod.containsKey(uid)) {
            Reserved r = byPod.remove(uid);
            Map<String, Long> sum = byNode.computeIfAbsent(r.node(), n -> new TreeMap<>());
            r.requests().forEach((k, v) -> sum.merge(k, -v, Long::sum));
            return r.node();
        }
        return null;
    }

    long pods(String node) {
        return byNode.getOrDefault(node, Map.of()).getOrDefault("pods", 0L);
    }

    /** The first resource of which this node has too little for these requests, or null where they fit. */
    @Nullable String missing(Map<String, Long> requests, JsonNode node) {
        Map<String, Long> used = byNode.getOrDefault(JsonNodes.name(node), Map.of());
        for (Map.Entry<String, Long> want : requests.entrySet()) {
            long total = Quantities.milli(JsonNodes.text(node, "status", "allocatable", want.getKey()));
            if (want.getValue() > 0 && used.getOrDefault(want.getKey(), 0L) + want.getValue() > total) {
                return want.getKey();
            }
        }
        return null;
    }

    /** Whether the node could hold these requests if it were empty. */
    static boolean couldHold(Map<String, Long> requests, JsonNode node) {
        for (Map.Entry<String, Long> want : requests.entrySet()) {
            if (want.getValue() > Quantities.milli(JsonNodes.text(node, "status", "allocatable", want.getKey()))) {
                return false;
            }
        }
        return true;
    }
}
