package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.DaemonSetState.Progress;
import dev.sro.testkit.sim.DaemonSetState.Tally;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The DaemonSet controller: one pod for each eligible node, rolling updates, ControllerRevisions, status. A reconcile costs what
 * changed: the nodes and pods that were touched since the last one.
 */
final class DaemonSetController implements SimLoop.Reconciler {
    private static final Set<String> BLOCKING = Set.of(Placement.NO_SCHEDULE, Placement.NO_EXECUTE);
    private static final Set<String> EVICTING = Set.of(Placement.NO_EXECUTE);

    private final ClusterApi api;
    private final SimLoop loop;
    private final Hashes hashes;
    private final Revisions revisions;
    private final Map<String, DaemonSetState> byUid = new HashMap<>();
    private final TreeSet<String> nodes = new TreeSet<>();

    DaemonSetController(ClusterApi api, SimLoop loop, Hashes hashes, Revisions revisions) {
        this.api = api;
        this.loop = loop;
        this.hashes = hashes;
        this.revisions = revisions;
    }

    @Override
    public int rank() {
        return 1;
    }

    @Override
    public void observe(Change change) {
        if (change.type().equals(Gvr.DAEMONSETS)) {
            observeDaemonSet(change);
        } else if (change.type().equals(Gvr.PODS)) {
            observePod(change);
        } else if (change.type().equals(Gvr.NODES)) {
            observeNode(change);
        }
    }

    private void observeDaemonSet(Change change) {
        ObjectNode ds = change.object();
        if (change.kind() == Change.Kind.DELETED) {
            byUid.remove(JsonNodes.uid(ds));
            return;
        }
        ObjectNode before = change.before();
        boolean fresh = before == null || !byUid.containsKey(JsonNodes.uid(ds));
        DaemonSetState state = byUid.computeIfAbsent(JsonNodes.uid(ds), u -> new DaemonSetState(JsonNodes.key(ds)));
        if (fresh || JsonNodes.revised(before, ds)) {
            state.eligibility = eligibility(ds);
            state.everythingChanged();
            loop.enqueue(this, state.key);
        }
    }

    private void observePod(Change change) {
        ObjectNode pod = change.object();
        JsonNode owner = JsonNodes.controllerOf(pod);
        DaemonSetState state = byUid.get(JsonNodes.text(owner, "uid"));
        if (state == null) {
            return;
        }
        String node = Pods.targetNode(pod);
        if (change.kind() == Change.Kind.DELETED) {
            state.podGone(node, JsonNodes.key(pod));
        } else if (Pods.changed(change)) {
            state.podSeen(node, JsonNodes.key(pod));
        } else {
            return;
        }
        loop.enqueue(this, state.key);
    }

    private void observeNode(Change change) {
        ObjectNode node = change.object();
        String name = JsonNodes.name(node);
        ObjectNode before = change.before();
        if (change.kind() == Change.Kind.DELETED) {
            nodes.remove(name);
            return; // as in a real cluster, counters follow when the pods are collected
        }
        nodes.add(name);
        boolean relevant = before == null
                || !JsonNodes.same(JsonNodes.at(before, "metadata", "labels"), JsonNodes.at(node, "metadata", "labels"))
                || !JsonNodes.same(JsonNodes.at(before, "spec", "taints"), JsonNodes.at(node, "spec", "taints"));
        if (!relevant) {
            return;
        }
        byUid.values().forEach(state -> {
            if (!state.isAllDirty() && (state.knows(name) || shouldRun(state, node))) {
                state.nodeChanged(name);
                loop.enqueue(this, state.key);
            }
        });
    }

    @Override
    public void reconcile(String key) {
        ObjectNode ds = api.get(Gvr.DAEMONSETS, JsonNodes.keyNamespace(key), JsonNodes.keyName(key))
                .orElse(null);
        DaemonSetState state = ds == null ? null : byUid.get(JsonNodes.uid(ds));
        if (ds == null || state == null) {
            return;
        }
        boolean active = !JsonNodes.deleting(ds);
        long generation = JsonNodes.at(ds, "metadata", "generation").asLong();
        if (active && state.generation != generation) {
            state.hash = revisions.current(ds, "DaemonSet");
            state.generation = generation;
            state.everythingChanged();
            revisions.trim(ds, () -> usedHashes(ds));
        }
        visit(ds, state, state.takeDirty(nodes, loop.now()), active);
        if (active && JsonNodes.text(ds, "spec", "updateStrategy", "type").equals("RollingUpdate")) {
            visit(ds, state, new DaemonSetRollout(ds, state).step(p -> deletePod(p), n -> create(ds, state, n)), false);
        }
        writeStatus(ds, state);
    }

    private Set<String> usedHashes(ObjectNode ds) {
        Set<String> used = new HashSet<>();
        api.ownedBy(Gvr.PODS, JsonNodes.uid(ds)).forEach(p -> used.add(JsonNodes.label(p, Revisions.HASH)));
        return used;
    }

    private void visit(ObjectNode ds, DaemonSetState state, Set<String> names, boolean manage) {
        for (String name : names) {
            ObjectNode node = api.get(Gvr.NODES, null, name).orElse(null);
            if (manage) {
                manage(ds, state, name, node);
            }
            state.tally(name, tally(ds, state, name, node));
        }
    }

    private void manage(ObjectNode ds, DaemonSetState state, String name, @Nullable ObjectNode node) {
        List<ObjectNode> pods = pods(ds, state, name);
        boolean shouldRun = node != null && shouldRun(state, node);
        if (shouldRun && pods.isEmpty()) {
            create(ds, state, name);
            return;
        }
        if (node == null) {
            return; // the pod garbage collector takes care of them
        }
        if (!shouldContinue(state, node)) {
            pods.forEach(this::deletePod);
            return;
        }
        List<ObjectNode> living = new ArrayList<>();
        for (ObjectNode pod : pods) {
            if (!JsonNodes.deleting(pod) && Pods.finished(pod)) {
                replaceFailed(state, name, pod);
            } else if (!JsonNodes.deleting(pod)) {
                living.add(pod);
            }
        }
        boolean surging = living.size() == 2 && new DaemonSetRollout(ds, state).surge() > 0;
        if (living.size() > 1 && !surging) {
            living.subList(1, living.size()).forEach(this::deletePod);
        }
    }

    private void replaceFailed(DaemonSetState state, String node, ObjectNode pod) {
        Instant may = state.mayReplaceAt(node);
        if (may.isAfter(loop.now())) {
            state.availableAt(may, node);
            loop.at(may, this, state.key);
            return;
        }
        state.replaced(node, loop.now());
        deletePod(pod);
    }

    private void deletePod(ObjectNode pod) {
        if (!JsonNodes.deleting(pod)) {
            Pods.delete(api, pod);
        }
    }

    private void deletePod(String key) {
        api.get(Gvr.PODS, JsonNodes.keyNamespace(key), JsonNodes.keyName(key)).ifPresent(this::deletePod);
    }

    private void create(ObjectNode ds, DaemonSetState state, String node) {
        ObjectNode pod = PodTemplates.pod(ds, "apps/v1", "DaemonSet", JsonNodes.name(ds) + "-");
        PodTemplates.pin(pod, node);
        PodTemplates.daemonTolerations(JsonNodes.child(pod, "spec"));
        ObjectNode labels = JsonNodes.child(pod, "metadata", "labels");
        labels.put(Revisions.HASH, state.hash);
        labels.put(
                "pod-template-generation",
                JsonNodes.text(ds, "metadata", "annotations", "deprecated.daemonset.template.generation"));
        ObjectNode made = Pods.create(api, pod, hashes);
        if (made != null) {
            state.podSeen(node, JsonNodes.key(made));
        } else {
            state.nodeChanged(node);
            loop.retry(this, state.key);
        }
    }

    private List<ObjectNode> pods(ObjectNode ds, DaemonSetState state, String node) {
        List<ObjectNode> out = new ArrayList<>();
        for (String key : state.pods(node)) {
            api.get(Gvr.PODS, JsonNodes.keyNamespace(key), JsonNodes.keyName(key))
                    .filter(p ->
                            JsonNodes.text(JsonNodes.controllerOf(p), "uid").equals(JsonNodes.uid(ds)))
                    .ifPresent(out::add);
        }
        return out;
    }

    private static boolean shouldRun(DaemonSetState state, ObjectNode node) {
        ObjectNode spec = state.eligibility;
        return Placement.selects(spec, node) && Placement.tolerates(spec.path("tolerations"), node, BLOCKING);
    }

    private static boolean shouldContinue(DaemonSetState state, ObjectNode node) {
        ObjectNode spec = state.eligibility;
        return Placement.selects(spec, node) && Placement.tolerates(spec.path("tolerations"), node, EVICTING);
    }

    /** The parts of a pod's spec that decide where it may run. */
    private static ObjectNode eligibility(ObjectNode ds) {
        JsonNode spec = JsonNodes.at(ds, "spec", "template", "spec");
        ObjectNode view = JsonNodes.object();
        view.set("nodeSelector", spec.path("nodeSelector"));
        view.set("affinity", spec.path("affinity"));
        view.set(
                "tolerations",
                spec.path("tolerations").isArray() ? spec.path("tolerations").deepCopy() : null);
        view.set("hostNetwork", spec.path("hostNetwork"));
        PodTemplates.daemonTolerations(view);
        return view;
    }

    private Tally tally(ObjectNode ds, DaemonSetState state, String name, @Nullable ObjectNode node) {
        List<ObjectNode> pods = pods(ds, state, name);
        boolean desired = node != null && shouldRun(state, node);
        if (pods.isEmpty()) {
            return new Tally(desired, false, false, false, false, false, Progress.DONE);
        }
        ObjectNode first = pods.get(0);
        boolean ready = desired && Pods.ready(first);
        return new Tally(
                desired,
                desired,
                ready,
                ready && available(ds, state, name, first),
                desired && JsonNodes.label(first, Revisions.HASH).equals(state.hash),
                !desired,
                progress(ds, state, name, pods));
    }

    private boolean available(ObjectNode ds, DaemonSetState state, String node, ObjectNode pod) {
        int seconds = JsonNodes.integer(ds, 0, "spec", "minReadySeconds");
        Instant at = seconds == 0 ? null : Pods.availableAt(pod, seconds);
        if (at != null && at.isAfter(loop.now())) {
            state.availableAt(at, node);
            loop.at(at, this, state.key);
        }
        return Pods.available(pod, seconds, loop.now());
    }

    private Progress progress(ObjectNode ds, DaemonSetState state, String name, List<ObjectNode> pods) {
        ObjectNode old = null;
        ObjectNode fresh = null;
        for (ObjectNode pod : pods) {
            if (!JsonNodes.deleting(pod)) {
                boolean current = JsonNodes.label(pod, Revisions.HASH).equals(state.hash);
                fresh = current ? pod : fresh;
                old = current ? old : pod;
            }
        }
        if (old == null) {
            return fresh != null && available(ds, state, name, fresh) ? Progress.DONE : Progress.BUSY;
        }
        if (fresh == null) {
            return available(ds, state, name, old) ? Progress.OLD_AVAILABLE : Progress.OLD_UNAVAILABLE;
        }
        return available(ds, state, name, fresh) ? Progress.SURGED : Progress.SURGING;
    }

    private void writeStatus(ObjectNode ds, DaemonSetState state) {
        ObjectNode want = JsonNodes.object();
        want.put("currentNumberScheduled", state.scheduled);
        want.put("numberMisscheduled", state.misscheduled);
        want.put("desiredNumberScheduled", state.desired);
        want.put("numberReady", state.ready);
        want.put(
                "observedGeneration", JsonNodes.at(ds, "metadata", "generation").asLong());
        JsonNodes.putUnlessZero(want, "updatedNumberScheduled", state.updated);
        JsonNodes.putUnlessZero(want, "numberAvailable", state.available);
        JsonNodes.putUnlessZero(want, "numberUnavailable", state.desired - state.available);
        try {
            api.update(Gvr.DAEMONSETS, JsonNodes.namespace(ds), JsonNodes.name(ds), "status", d -> {
                if (JsonNodes.uid(d).equals(JsonNodes.uid(ds))) {
                    d.set("status", want);
                }
                return d;
            });
        } catch (ApiException gone) {
            Pods.ignoreMissing(gone);
        }
    }
}
