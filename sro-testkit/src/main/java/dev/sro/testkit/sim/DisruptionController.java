package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.LabelSelector;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The status of PodDisruptionBudgets: how many pods are healthy, and how many may be evicted now. */
final class DisruptionController implements SimLoop.Reconciler {
    private final ClusterApi api;
    private final SimLoop loop;
    /** Budgets by namespace, so that a pod asks only those that may concern it. */
    private final Map<String, Set<String>> byNamespace = new HashMap<>();

    DisruptionController(ClusterApi api, SimLoop loop) {
        this.api = api;
        this.loop = loop;
    }

    @Override
    public int rank() {
        return 2;
    }

    @Override
    public void observe(Change change) {
        ObjectNode object = change.object();
        String namespace = JsonNodes.namespace(object);
        if (change.type().equals(Gvr.PODDISRUPTIONBUDGETS)) {
            if (change.kind() == Change.Kind.DELETED) {
                byNamespace.getOrDefault(namespace, new TreeSet<>()).remove(JsonNodes.key(object));
            } else {
                byNamespace.computeIfAbsent(namespace, n -> new TreeSet<>()).add(JsonNodes.key(object));
                loop.enqueue(this, JsonNodes.key(object));
            }
        } else if (change.type().equals(Gvr.PODS) && Pods.changed(change)) {
            byNamespace.getOrDefault(namespace, Set.of()).forEach(key -> loop.enqueue(this, key));
        } else if (change.type().equals(Gvr.DEPLOYMENTS)) {
            byNamespace.getOrDefault(namespace, Set.of()).forEach(key -> loop.enqueue(this, key));
        }
    }

    @Override
    public void reconcile(String key) {
        ObjectNode budget = api.get(Gvr.PODDISRUPTIONBUDGETS, JsonNodes.keyNamespace(key), JsonNodes.keyName(key))
                .orElse(null);
        if (budget == null) {
            return;
        }
        LabelSelector selector = LabelSelector.of(JsonNodes.at(budget, "spec", "selector"));
        int matching = 0;
        int healthy = 0;
        Map<String, Integer> asked = new HashMap<>();
        for (ObjectNode pod : api.list(Gvr.PODS, JsonNodes.keyNamespace(key), selector)) {
            if (!Pods.finished(pod)) {
                matching++;
                healthy += Pods.ready(pod) && !JsonNodes.deleting(pod) ? 1 : 0;
                asked.computeIfAbsent(JsonNodes.text(JsonNodes.controllerOf(pod), "uid"), u -> askedFor(pod));
            }
        }
        int owned = asked.values().stream().mapToInt(Integer::intValue).sum();
        write(budget, matching, healthy, Math.max(owned, 0));
    }

    /** How many pods the controller of a pod is asked to keep. */
    private int askedFor(ObjectNode pod) {
        JsonNode owner = JsonNodes.controllerOf(pod);
        Gvr type = switch (JsonNodes.text(owner, "kind")) {
            case "ReplicaSet" -> Gvr.REPLICASETS;
            case "StatefulSet" -> Gvr.STATEFULSETS;
            default -> null;
        };
        if (type == null) {
            return 0;
        }
        ObjectNode set = api.get(type, JsonNodes.namespace(pod), JsonNodes.text(owner, "name"))
                .orElse(JsonNodes.object());
        JsonNode above = JsonNodes.controllerOf(set);
        if (JsonNodes.text(above, "kind").equals("Deployment")) {
            set = api.get(Gvr.DEPLOYMENTS, JsonNodes.namespace(pod), JsonNodes.text(above, "name"))
                    .orElse(set);
        }
        return JsonNodes.integer(set, 1, "spec", "replicas");
    }

    /** Pods whose eviction was granted are remembered until they are seen to go. */
    private void forgetDisrupted(ObjectNode status, String namespace) {
        if (!(status.get("disruptedPods") instanceof ObjectNode pods)) {
            return;
        }
        ObjectNode left = JsonNodes.object();
        for (Map.Entry<String, JsonNode> e : pods.properties()) {
            ObjectNode pod = api.get(Gvr.PODS, namespace, e.getKey()).orElse(null);
            if (pod != null && !JsonNodes.deleting(pod)) {
                left.set(e.getKey(), e.getValue());
            }
        }
        if (left.isEmpty()) {
            status.remove("disruptedPods");
        } else {
            status.set("disruptedPods", left);
        }
    }

    private void write(ObjectNode budget, int matching, int healthy, int owned) {
        JsonNode max = JsonNodes.at(budget, "spec", "maxUnavailable");
        JsonNode min = JsonNodes.at(budget, "spec", "minAvailable");
        boolean ofController = !max.isMissingNode() || min.asText().endsWith("%");
        int expected = ofController ? owned : matching;
        int desired = max.isMissingNode()
                ? DaemonSetRollout.percent(min, expected, 0, true)
                : Math.max(0, expected - DaemonSetRollout.percent(max, expected, 0, true));
        int allowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
        ObjectNode condition = Conditions.create(
                "DisruptionAllowed", allowed > 0, allowed > 0 ? "SufficientPods" : "InsufficientPods", "");
        condition.put(
                "observedGeneration",
                JsonNodes.at(budget, "metadata", "generation").asLong());
        try {
            api.update(Gvr.PODDISRUPTIONBUDGETS, JsonNodes.namespace(budget), JsonNodes.name(budget), "status", b -> {
                ObjectNode status = JsonNodes.child(b, "status");
                status.put(
                        "observedGeneration",
                        JsonNodes.at(budget, "metadata", "generation").asLong());
                status.put("disruptionsAllowed", allowed);
                status.put("currentHealthy", healthy);
                status.put("desiredHealthy", desired);
                status.put("expectedPods", expected);
                forgetDisrupted(status, JsonNodes.namespace(budget));
                Conditions.set(status, condition, loop.now());
                return b;
            });
        } catch (ApiException gone) {
            Pods.ignoreMissing(gone);
        }
    }
}
