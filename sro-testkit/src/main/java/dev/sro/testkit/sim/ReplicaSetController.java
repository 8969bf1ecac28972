package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** The ReplicaSet controller: keeps the number of pods, and counts them. */
final class ReplicaSetController implements SimLoop.Reconciler {
    private final ClusterApi api;
    private final SimLoop loop;
    private final Hashes hashes;

    ReplicaSetController(ClusterApi api, SimLoop loop, Hashes hashes) {
        this.api = api;
        this.loop = loop;
        this.hashes = hashes;
    }

    @Override
    public int rank() {
        return 1;
    }

    @Override
    public void observe(Change change) {
        OwnedPods.observe(change, Gvr.REPLICASETS, "ReplicaSet", key -> loop.enqueue(this, key));
    }

    @Override
    public void reconcile(String key) {
        ObjectNode rs = api.get(Gvr.REPLICASETS, JsonNodes.keyNamespace(key), JsonNodes.keyName(key))
                .orElse(null);
        if (rs == null) {
            return;
        }
        List<ObjectNode> active = new ArrayList<>();
        int terminating = 0;
        for (ObjectNode pod : api.ownedBy(Gvr.PODS, JsonNodes.uid(rs))) {
            if (!Pods.finished(pod)) {
                terminating += JsonNodes.deleting(pod) ? 1 : 0;
                if (!JsonNodes.deleting(pod)) {
                    active.add(pod);
                }
            }
        }
        // The status tells of the pods as they were found; what scaling makes of them is seen at the next turn.
        List<ObjectNode> found = List.copyOf(active);
        if (!JsonNodes.deleting(rs)) {
            scale(key, rs, active);
        }
        writeStatus(key, rs, found, terminating);
    }

    /** Brings the number of active pods to what is asked for. */
    private void scale(String key, ObjectNode rs, List<ObjectNode> active) {
        int missing = JsonNodes.integer(rs, 1, "spec", "replicas") - active.size();
        for (int i = 0; i < missing; i++) {
            ObjectNode pod =
                    Pods.create(api, PodTemplates.pod(rs, "apps/v1", "ReplicaSet", JsonNodes.name(rs) + "-"), hashes);
            if (pod == null) {
                loop.retry(this, key);
                return;
            }
        }
        if (missing >= 0) {
            return;
        }
        Collections.reverse(active); // of equally good pods the newest go first
        active.sort(Comparator.comparing((ObjectNode p) -> JsonNodes.has(p, "spec", "nodeName"))
                .thenComparing(p -> Pods.phase(p).equals("Running"))
                .thenComparing(Pods::ready));
        active.subList(0, -missing).forEach(p -> Pods.delete(api, p));
    }

    private void writeStatus(String key, ObjectNode rs, List<ObjectNode> active, int terminating) {
        int minReady = JsonNodes.integer(rs, 0, "spec", "minReadySeconds");
        int ready = 0;
        int available = 0;
        for (ObjectNode pod : active) {
            ready += Pods.ready(pod) ? 1 : 0;
            available += Pods.available(pod, minReady, loop.now()) ? 1 : 0;
            Instant later = minReady == 0 ? null : Pods.availableAt(pod, minReady);
            if (later != null && later.isAfter(loop.now())) {
                loop.at(later, this, key);
            }
        }
        ObjectNode status = JsonNodes.object().put("replicas", active.size());
        JsonNodes.putUnlessZero(status, "fullyLabeledReplicas", active.size());
        JsonNodes.putUnlessZero(status, "readyReplicas", ready);
        JsonNodes.putUnlessZero(status, "availableReplicas", available);
        status.put("terminatingReplicas", terminating);
        status.put(
                "observedGeneration", JsonNodes.at(rs, "metadata", "generation").asLong());
        try {
            api.update(Gvr.REPLICASETS, JsonNodes.namespace(rs), JsonNodes.name(rs), "status", r -> {
                r.set("status", status);
                return r;
            });
        } catch (ApiException gone) {
            Pods.ignoreMissing(gone);
        }
    }
}
