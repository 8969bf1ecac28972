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
        String namespace = J.namespace(object);
        if (change.type().equals(Gvr.PODDISRUPTIONBUDGETS)) {
            if (change.kind() == Change.Kind.DELETED) {
                byNamespace.getOrDefault(namespace, new TreeSet<>()).remove(J.key(object));
            } else {
                byNamespace.computeIfAbsent(namespace, n -> new TreeSet<>()).add(J.key(object));
                loop.enqueue(this, J.key(object));
            }
        } else if (change.type().equals(Gvr.PODS) && Pods.changed(change)) {
            byNamespace.getOrDefault(namespace, Set.of()).forEach(key -> loop.enqueue(this, key));
        } else if (change.type().equals(Gvr.DEPLOYMENTS)) {
            byNamespace.getOrDefault(namespace, Set.of()).forEach(key -> loop.enqueue(this, key));
        }
    }

    @Override
    public void reconcile(String key) {
        ObjectNode budget = api.get(Gvr.PODDISRUPTIONBUDGETS, J.keyNamespace(key), J.keyName(key))
                .orElse(null);
        if (budget == null) {
            return;
        }
        LabelSelector selector = LabelSelector.of(J.at(budget, "spec", "selector"));
        int matching = 0;
        int healthy = 0;
        Map<String, Integer> asked = new HashMap<>();
        for (ObjectNode pod : api.list(Gvr.PODS, J.keyNamespace(key), selector)) {
            if (!Pods.finished(pod)) {
                matching++;
                healthy += Pods.ready(pod) && !J.deleting(pod) ? 1 : 0;
                asked.computeIfAbsent(J.text(J.controllerOf(pod), "uid"), u -> askedFor(pod));
            }
        }
        int owned = asked.values().stream().mapToInt(Integer::intValue).sum();
        write(budget, matching, healthy, Math.max(owned, 0));
    }

    /** How many pods the controller of a pod is asked to keep. */
    private int askedFor(ObjectNode pod) {
        JsonNode owner = J.controllerOf(pod);
        Gvr type = switch (J.text(owner, "kind")) {
            case "ReplicaSet" -> Gvr.REPLICASETS;
            case "StatefulSet" -> Gvr.STATEFULSETS;
            default -> null;
        };
        if (type == null) {
            return 0;
        }
        ObjectNode set = api.get(type, J.namespace(pod), J.text(owner, "name")).orElse(J.object());
        JsonNode above = J.controllerOf(set);
        if (J.text(above, "kind").equals("Deployment")) {
            set = api.get(Gvr.DEPLOYMENTS, J.namespace(pod), J.text(above, "name"))
                    .orElse(set);
        }
        return J.integer(set, 1, "spec", "replicas");
    }

    /** Pods whose eviction was granted are remembered until they are seen to go. */
    private void forgetDisrupted(ObjectNode status, String namespace) {
        if (!(status.get("disruptedPods") instanceof ObjectNode pods)) {
            return;
        }
        ObjectNode left = J.object();
        for (Map.Entry<String, JsonNode> e : pods.properties()) {
            ObjectNode pod = api.get(Gvr.PODS, namespace, e.getKey()).orElse(null);
            if (pod != null && !J.deleting(pod)) {
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
        JsonNode max = J.at(budget, "spec", "maxUnavailable");
        JsonNode min = J.at(budget, "spec", "minAvailable");
        boolean ofController = !max.isMissingNode() || min.asText().endsWith("%");
        int expected = ofController ? owned : matching;
        int desired = max.isMissingNode()
                ? DaemonSetRollout.percent(min, expected, 0, true)
                : Math.max(0, expected - DaemonSetRollout.percent(max, expected, 0, true));
        int allowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
        ObjectNode condition = Conditions.create(
                "DisruptionAllowed", allowed > 0, allowed > 0 ? "SufficientPods" : "InsufficientPods", "");
        condition.put(
                "observedGeneration", J.at(budget, "metadata", "generation").asLong());
        try {
            api.update(Gvr.PODDISRUPTIONBUDGETS, J.namespace(budget), J.name(budget), "status", b -> {
                ObjectNode status = J.child(b, "status");
                status.put(
                        "observedGeneration",
                        J.at(budget, "metadata", "generation").asLong());
                status.put("disruptionsAllowed", allowed);
                status.put("currentHealthy", healthy);
                status.put("desiredHealthy", desired);
                status.put("expectedPods", expected);
                forgetDisrupted(status, J.namespace(budget));
                Conditions.set(status, condition, loop.now());
                return b;
            });
        } catch (ApiException gone) {
            Pods.ignoreMissing(gone);
        }
    }
}
