package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ClusterApi;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds pods of lower priority that a pod without room may push away, as kube-scheduler does; budgets are not looked at. */
final class Preemption {
    /** The pods that have to go from a node. */
    record Victims(String node, List<ObjectNode> pods) {}

    private final ClusterApi api;

    Preemption(ClusterApi api) {
        this.api = api;
    }

    /** Whether pods that had to go for this pod are still going. */
    boolean isUnderWay(JsonNode pod) {
        String nominated = JsonNodes.text(pod, "status", "nominatedNodeName");
        return !nominated.isEmpty()
                && api.podsOnNode(nominated).stream()
                        .anyMatch(p -> JsonNodes.deleting(p) && priority(p) < priority(pod));
    }

    /** The best victims: those of the lowest priorities, and few of them; null if none would make room. */
    @Nullable Victims find(JsonNode pod, Map<String, Long> requests, List<ObjectNode> nodes) {
        if (JsonNodes.text(pod, "spec", "preemptionPolicy").equals("Never")) {
            return null;
        }
        List<Victims> found = new ArrayList<>();
        for (ObjectNode node : nodes) {
            List<ObjectNode> victims = victims(pod, requests, node);
            if (!victims.isEmpty()) {
                found.add(new Victims(JsonNodes.name(node), victims));
            }
        }
        found.sort(Comparator.comparingInt((Victims v) -> highest(v.pods()))
                .thenComparingInt(v -> v.pods().size())
                .thenComparing(Victims::node));
        return found.isEmpty() ? null : found.get(0);
    }

    private List<ObjectNode> victims(JsonNode pod, Map<String, Long> requests, ObjectNode node) {
        Map<String, Long> used = new TreeMap<>();
        List<ObjectNode> lower = new ArrayList<>();
        for (ObjectNode other : api.podsOnNode(JsonNodes.name(node))) {
            if (Pods.finished(other)) {
                continue;
            }
            if (priority(other) < priority(pod)) {
                lower.add(other);
            } else {
                add(used, other);
            }
        }
        if (!fits(used, requests, node)) {
            return List.of();
        }
        // The more important ones are spared first.
        lower.sort(Comparator.comparingInt(Preemption::priority).reversed().thenComparing(JsonNodes::name));
        List<ObjectNode> victims = new ArrayList<>();
        for (ObjectNode other : lower) {
            Map<String, Long> with = new TreeMap<>(used);
            add(with, other);
            if (fits(with, requests, node)) {
                used = with;
            } else {
                victims.add(other);
            }
        }
        return victims;
    }

    private static void add(Map<String, Long> used, JsonNode pod) {
        Quantities.requests(pod.path("spec")).forEach((name, amount) -> used.merge(name, amount, Long::sum));
    }

    private static boolean fits(Map<String, Long> used, Map<String, Long> requests, JsonNode node) {
        for (Map.Entry<String, Long> want : requests.entrySet()) {
            long total = Quantities.milli(JsonNodes.text(node, "status", "allocatable", want.getKey()));
            if (want.getValue() > 0 && used.getOrDefault(want.getKey(), 0L) + want.getValue() > total) {
                return false;
            }
        }
        return true;
    }

    private static int highest(List<ObjectNode> pods) {
        return pods.stream().mapToInt(Preemption::priority).max().orElse(Integer.MIN_VALUE);
    }

    private static int priority(JsonNode pod) {
        return JsonNodes.at(pod, "spec", "priority").asInt();
    }

    /** Sends them away. */
    void evict(Victims victims, Instant now) {
        for (ObjectNode victim : victims.pods()) {
            if (!JsonNodes.deleting(victim)) {
                Pods.disrupt(
                        api,
                        victim,
                        "PreemptionByScheduler",
                        "default-scheduler: preempting to accommodate a higher priority pod",
                        false,
                        now);
                Pods.delete(api, victim);
            }
        }
    }
}
