package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The StatefulSet controller: pods with ordinals, one after the other or in parallel, rolling update with partition, OnDelete.
 * Volume claims are not simulated.
 */
final class StatefulSetController implements SimLoop.Reconciler {
    private final ClusterApi api;
    private final SimLoop loop;
    private final Revisions revisions;

    StatefulSetController(ClusterApi api, SimLoop loop, Revisions revisions) {
        this.api = api;
        this.loop = loop;
        this.revisions = revisions;
    }

    @Override
    public int rank() {
        return 1;
    }

    @Override
    public void observe(Change change) {
        OwnedPods.observe(change, Gvr.STATEFULSETS, "StatefulSet", key -> loop.enqueue(this, key));
    }

    @Override
    public void reconcile(String key) {
        ObjectNode set = api.get(Gvr.STATEFULSETS, JsonNodes.keyNamespace(key), JsonNodes.keyName(key))
                .orElse(null);
        if (set == null) {
            return;
        }
        boolean active = !JsonNodes.deleting(set);
        String revision = active
                ? JsonNodes.name(set) + "-" + revisions.current(set, "StatefulSet")
                : JsonNodes.text(set, "status", "updateRevision");
        NavigableMap<Integer, ObjectNode> pods = pods(set);
        writeStatus(key, set, pods, revision);
        if (active) {
            step(key, set, pods, revision);
            Set<String> used = pods.values().stream()
                    .map(p -> JsonNodes.label(p, Revisions.HASH)
                            .substring(JsonNodes.name(set).length() + 1))
                    .collect(Collectors.toSet());
            revisions.trim(set, () -> used);
        }
    }

    private NavigableMap<Integer, ObjectNode> pods(ObjectNode set) {
        NavigableMap<Integer, ObjectNode> pods = new TreeMap<>();
        for (ObjectNode pod : api.ownedBy(Gvr.PODS, JsonNodes.uid(set))) {
            pods.put(ordinal(pod), pod);
        }
        return pods;
    }

    private static int ordinal(ObjectNode pod) {
        String name = JsonNodes.name(pod);
        return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
    }

    /** Creates, deletes or replaces what may be touched now; in the ordered policy that is one pod. */
    private void step(String key, ObjectNode set, NavigableMap<Integer, ObjectNode> pods, String revision) {
        boolean parallel = JsonNodes.text(set, "spec", "podManagementPolicy").equals("Parallel");
        int replicas = JsonNodes.integer(set, 1, "spec", "replicas");
        int first = JsonNodes.integer(set, 0, "spec", "ordinals", "start");
        for (int i = first; i < first + replicas; i++) {
            ObjectNode pod = pods.get(i);
            if (pod == null) {
                create(key, set, i, revision);
            } else if (Pods.finished(pod) && !JsonNodes.deleting(pod)) {
                Pods.delete(api, pod);
            }
            boolean settled = pod != null && available(set, pod) && !JsonNodes.deleting(pod);
            if (!settled && !parallel) {
                return;
            }
        }
        for (ObjectNode pod : pods.descendingMap().values()) {
            int i = ordinal(pod);
            if (i < first || i >= first + replicas) {
                delete(pod);
                if (!parallel) {
                    return;
                }
            }
        }
        update(set, pods, revision);
    }

    private void update(ObjectNode set, NavigableMap<Integer, ObjectNode> pods, String revision) {
        if (JsonNodes.text(set, "spec", "updateStrategy", "type").equals("OnDelete")) {
            return;
        }
        int partition = JsonNodes.integer(set, 0, "spec", "updateStrategy", "rollingUpdate", "partition");
        for (ObjectNode pod : pods.descendingMap().values()) {
            boolean old = !JsonNodes.label(pod, Revisions.HASH).equals(revision);
            if (ordinal(pod) >= partition && old && !JsonNodes.deleting(pod)) {
                Pods.delete(api, pod);
                return;
            }
            if (JsonNodes.deleting(pod) || !available(set, pod)) {
                return;
            }
        }
    }

    private void delete(ObjectNode pod) {
        if (!JsonNodes.deleting(pod)) {
            Pods.delete(api, pod);
        }
    }

    private boolean available(ObjectNode set, ObjectNode pod) {
        return Pods.available(pod, JsonNodes.integer(set, 0, "spec", "minReadySeconds"), loop.now());
    }

    private void create(String key, ObjectNode set, int i, String revision) {
        ObjectNode pod = PodTemplates.pod(set, "apps/v1", "StatefulSet", JsonNodes.name(set) + "-");
        String name = JsonNodes.name(set) + "-" + i;
        JsonNodes.child(pod, "metadata").put("name", name);
        JsonNodes.child(pod, "metadata", "labels")
                .put("apps.kubernetes.io/pod-index", String.valueOf(i))
                .put(Revisions.HASH, revision)
                .put("statefulset.kubernetes.io/pod-name", name);
        ObjectNode spec = JsonNodes.child(pod, "spec").put("hostname", name);
        String service = JsonNodes.text(set, "spec", "serviceName");
        if (!service.isEmpty()) {
            spec.put("subdomain", service);
        }
        try {
            api.create(Gvr.PODS, pod);
        } catch (ApiException refused) {
            loop.retry(this, key);
        }
    }

    private void writeStatus(String key, ObjectNode set, NavigableMap<Integer, ObjectNode> pods, String revision) {
        int ready = 0;
        int available = 0;
        int updated = 0;
        int minReady = JsonNodes.integer(set, 0, "spec", "minReadySeconds");
        for (ObjectNode pod : pods.values()) {
            ready += Pods.ready(pod) ? 1 : 0;
            available += available(set, pod) ? 1 : 0;
            updated += JsonNodes.label(pod, Revisions.HASH).equals(revision) && !JsonNodes.deleting(pod) ? 1 : 0;
            var later = minReady == 0 ? null : Pods.availableAt(pod, minReady);
            if (later != null && later.isAfter(loop.now())) {
                loop.at(later, this, key);
            }
        }
        int all = pods.size();
        String before = JsonNodes.text(set, "status", "currentRevision");
        boolean done = updated == all && ready == all && all == JsonNodes.integer(set, 1, "spec", "replicas");
        String current = before.isEmpty() || done ? revision : before;
        int currents = (int) pods.values().stream()
                .filter(p -> JsonNodes.label(p, Revisions.HASH).equals(current) && !JsonNodes.deleting(p))
                .count();
        ObjectNode status = JsonNodes.object()
                .put(
                        "observedGeneration",
                        JsonNodes.at(set, "metadata", "generation").asLong());
        status.put("replicas", all);
        JsonNodes.putUnlessZero(status, "readyReplicas", ready);
        JsonNodes.putUnlessZero(status, "currentReplicas", currents);
        JsonNodes.putUnlessZero(status, "updatedReplicas", updated);
        status.put("currentRevision", current).put("updateRevision", revision).put("collisionCount", 0);
        status.put("availableReplicas", available);
        write(set, status);
    }

    private void write(ObjectNode set, ObjectNode status) {
        try {
            api.update(Gvr.STATEFULSETS, JsonNodes.namespace(set), JsonNodes.name(set), "status", s -> {
                s.set("status", status);
                return s;
            });
        } catch (ApiException gone) {
            Pods.ignoreMissing(gone);
        }
    }
}
