package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes pods away from nodes: those that do not tolerate a NoExecute taint (the taint manager), and those of nodes that no
 * longer exist (the pod garbage collector, after its quarantine). Keys are names of nodes.
 */
final class PodEviction implements SimLoop.Reconciler {
    private final ClusterApi api;
    private final SimLoop loop;
    private final SimTimings timings;
    /** Nodes that pods name but that do not exist, and since when. */
    private final Map<String, Instant> missing = new HashMap<>();
    /** Since when a NoExecute taint without a time of its own has been seen, by node. */
    private final Map<String, Instant> tainted = new HashMap<>();

    PodEviction(ClusterApi api, SimLoop loop, SimTimings timings) {
        this.api = api;
        this.loop = loop;
        this.timings = timings;
    }

    @Override
    public int rank() {
        return 2; // a DaemonSet that may not stay is quicker than the taint manager
    }

    @Override
    public void observe(Change change) {
        JsonNode object = change.object();
        JsonNode before = change.before();
        boolean deleted = change.kind() == Change.Kind.DELETED;
        if (change.type().equals(Gvr.NODES)) {
            if (deleted
                    || before == null
                    || !JsonNodes.same(
                            JsonNodes.at(before, "spec", "taints"), JsonNodes.at(object, "spec", "taints"))) {
                loop.enqueue(this, JsonNodes.name(object));
            }
        } else if (change.type().equals(Gvr.PODS) && !deleted) {
            String node = JsonNodes.text(object, "spec", "nodeName");
            boolean bound =
                    before == null || JsonNodes.text(before, "spec", "nodeName").isEmpty();
            boolean marked = JsonNodes.deleting(object) && (before == null || !JsonNodes.deleting(before));
            if (!node.isEmpty() && (bound || marked)) {
                observeOn(node);
            }
        }
    }

    private void observeOn(String node) {
        ObjectNode found = api.get(Gvr.NODES, null, node).orElse(null);
        if (found == null || !noExecute(found).isEmpty()) {
            loop.enqueue(this, node);
        }
    }

    @Override
    public void reconcile(String name) {
        ObjectNode node = api.get(Gvr.NODES, null, name).orElse(null);
        if (node == null) {
            collect(name);
            return;
        }
        missing.remove(name);
        List<JsonNode> taints = noExecute(node);
        if (taints.isEmpty()) {
            tainted.remove(name);
            return;
        }
        tainted.putIfAbsent(name, loop.now());
        for (ObjectNode pod : api.podsOnNode(name)) {
            if (!JsonNodes.deleting(pod) && !Pods.finished(pod)) {
                evict(name, pod, taints);
            }
        }
    }

    private void collect(String name) {
        Instant since = missing.computeIfAbsent(name, n -> loop.now());
        Instant due = since.plus(timings.orphanedPods());
        if (due.isAfter(loop.now())) {
            loop.at(due, this, name);
            return;
        }
        for (ObjectNode pod : api.podsOnNode(name)) {
            if (!Pods.finished(pod)) {
                Pods.disrupt(api, pod, "DeletionByPodGC", "PodGC: node no longer exists", true, loop.now());
            }
            Pods.delete(api, pod, 0L);
        }
        missing.remove(name);
    }

    private void evict(String name, ObjectNode pod, List<JsonNode> taints) {
        Instant due = due(name, pod, taints);
        if (due == null) {
            return;
        }
        if (due.isAfter(loop.now())) {
            loop.at(due, this, name);
            return;
        }
        Pods.disrupt(
                api,
                pod,
                "DeletionByTaintManager",
                "Taint manager: deleting due to NoExecute taint",
                false,
                loop.now());
        Pods.delete(api, pod);
    }

    /** When the pod has to go; null means never. */
    private @Nullable Instant due(String name, ObjectNode pod, List<JsonNode> taints) {
        Instant earliest = null;
        for (JsonNode taint : taints) {
            Instant added = JsonNodes.instant(taint, "timeAdded");
            Instant from = added == null ? tainted.getOrDefault(name, loop.now()) : added;
            long seconds = toleratedSeconds(pod, taint);
            if (seconds != Long.MAX_VALUE) {
                Instant end = from.plusSeconds(seconds);
                earliest = earliest == null || end.isBefore(earliest) ? end : earliest;
            }
        }
        return earliest;
    }

    /** How long a pod bears this taint: 0 without a toleration, the largest value for ever. */
    private static long toleratedSeconds(ObjectNode pod, JsonNode taint) {
        boolean any = false;
        long shortest = Long.MAX_VALUE;
        for (JsonNode t : JsonNodes.at(pod, "spec", "tolerations")) {
            if (Placement.toleration(t, taint)) {
                any = true;
                if (JsonNodes.has(t, "tolerationSeconds")) {
                    shortest = Math.min(
                            shortest, Math.max(0, t.path("tolerationSeconds").asLong()));
                }
            }
        }
        return any ? shortest : 0;
    }

    private static List<JsonNode> noExecute(JsonNode node) {
        List<JsonNode> out = new ArrayList<>();
        for (JsonNode t : JsonNodes.at(node, "spec", "taints")) {
            if (JsonNodes.text(t, "effect").equals(Placement.NO_EXECUTE)) {
                out.add(t);
            }
        }
        return out;
    }
}
