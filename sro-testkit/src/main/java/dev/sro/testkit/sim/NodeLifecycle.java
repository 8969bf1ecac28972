package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The life of a node: its kubelet registers (also for a node that somebody else created), it gets the taints that follow from
 * its conditions and from a cordon, its pods get unready with it, it comes back from a reboot, and NFD labels it some time later.
 */
final class NodeLifecycle implements SimLoop.Reconciler {
    private static final String NOT_READY = "node.kubernetes.io/not-ready";
    private static final String UNREACHABLE = "node.kubernetes.io/unreachable";
    private static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";
    private static final String TTL = "node.alpha.kubernetes.io/ttl";

    private final ClusterApi api;
    private final SimLoop loop;
    private final SimTimings timings;
    private final Machines machines;
    private final Consumer<String> rebooted;

    /** @param rebooted told the name of a node whose machine has started again */
    NodeLifecycle(ClusterApi api, SimLoop loop, SimTimings timings, Machines machines, Consumer<String> rebooted) {
        this.api = api;
        this.loop = loop;
        this.timings = timings;
        this.machines = machines;
        this.rebooted = rebooted;
    }

    @Override
    public int rank() {
        return 0;
    }

    @Override
    public void observe(Change change) {
        if (!change.type().equals(Gvr.NODES)) {
            return;
        }
        if (change.kind() == Change.Kind.DELETED) {
            machines.forget(JsonNodes.name(change.object()));
        } else {
            loop.enqueue(this, JsonNodes.name(change.object()));
        }
    }

    @Override
    public void reconcile(String name) {
        ObjectNode node = api.get(Gvr.NODES, null, name).orElse(null);
        if (node == null) {
            return;
        }
        Machines.Machine machine = machines.of(name, loop.now());
        if (!JsonNodes.has(node, "metadata", "annotations", TTL)) {
            update(name, null, n -> {
                JsonNodes.child(n, "metadata", "annotations").put(TTL, "0");
                return n;
            });
        }
        start(node, machine);
        taint(node);
        unreadyPods(node);
        nfd(node, machine);
    }

    private void start(ObjectNode node, Machines.Machine machine) {
        String name = JsonNodes.name(node);
        Instant bootAt = machine.bootAt;
        boolean registered = !Conditions.find(node, "Ready").isMissingNode();
        if (bootAt != null && bootAt.isAfter(loop.now())) {
            loop.at(bootAt, this, name);
        } else if (bootAt != null) {
            machine.bootAt = null;
            machine.up = true;
            machine.boots++;
            machine.nfdAt = loop.now().plus(timings.nfdLag());
            writeKubelet(name, machine);
            rebooted.accept(name);
        } else if (!registered && machine.up) {
            Instant due = machine.seen.plus(timings.nodeReady());
            if (due.isAfter(loop.now())) {
                loop.at(due, this, name);
            } else {
                writeKubelet(name, machine);
            }
        }
    }

    private void writeKubelet(String name, Machines.Machine machine) {
        update(name, "status", n -> {
            NodeObjects.kubelet(n, machine.profile, machine.boots, loop.now());
            return n;
        });
    }

    private void taint(ObjectNode node) {
        List<JsonNode> want = new ArrayList<>();
        String ready = JsonNodes.text(Conditions.find(node, "Ready"), "status");
        for (JsonNode t : JsonNodes.at(node, "spec", "taints")) {
            String key = JsonNodes.text(t, "key");
            boolean ofReadiness = key.equals(NOT_READY) || key.equals(UNREACHABLE);
            if (ofReadiness ? ready.isEmpty() : !key.equals(UNSCHEDULABLE)) {
                want.add(t);
            }
        }
        if (ready.equals("False")) {
            wantTaint(node, want, NOT_READY, Placement.NO_SCHEDULE);
            wantTaint(node, want, NOT_READY, Placement.NO_EXECUTE);
        } else if (ready.equals("Unknown")) {
            wantTaint(node, want, UNREACHABLE, Placement.NO_SCHEDULE);
            wantTaint(node, want, UNREACHABLE, Placement.NO_EXECUTE);
        }
        if (JsonNodes.bool(node, "spec", "unschedulable")) {
            wantTaint(node, want, UNSCHEDULABLE, Placement.NO_SCHEDULE);
        }
        List<JsonNode> have = new ArrayList<>();
        JsonNodes.at(node, "spec", "taints").forEach(have::add);
        if (!have.equals(want)) {
            update(JsonNodes.name(node), null, n -> {
                writeTaints(n, want);
                return n;
            });
        }
    }

    private static void writeTaints(ObjectNode node, List<JsonNode> taints) {
        ObjectNode spec = JsonNodes.child(node, "spec");
        if (taints.isEmpty()) {
            spec.remove("taints");
        } else {
            ArrayNode array = spec.putArray("taints");
            taints.forEach(t -> array.add(t.deepCopy()));
        }
    }

    /** The taint as it is on the node already, or a new one with the time. */
    private void wantTaint(ObjectNode node, List<JsonNode> want, String key, String effect) {
        for (JsonNode t : JsonNodes.at(node, "spec", "taints")) {
            if (JsonNodes.text(t, "key").equals(key)
                    && JsonNodes.text(t, "effect").equals(effect)) {
                want.add(t);
                return;
            }
        }
        want.add(JsonNodes.object().put("key", key).put("effect", effect).put("timeAdded", JsonNodes.time(loop.now())));
    }

    private void unreadyPods(ObjectNode node) {
        String ready = JsonNodes.text(Conditions.find(node, "Ready"), "status");
        if (ready.isEmpty() || ready.equals("True")) {
            return;
        }
        for (ObjectNode pod : api.podsOnNode(JsonNodes.name(node))) {
            if (Pods.ready(pod)) {
                ObjectNode c = Conditions.ofPod("Ready", false, "NodeNotReady", "");
                Pods.updateStatus(api, pod, status -> Conditions.set(status, c, loop.now()));
            }
        }
    }

    private void nfd(ObjectNode node, Machines.Machine machine) {
        NodeProfile profile = machine.profile;
        Instant due = machine.nfdAt;
        if (profile == null || due == null || !machine.up) {
            return;
        }
        if (due.isAfter(loop.now())) {
            loop.at(due, this, JsonNodes.name(node));
            return;
        }
        machine.nfdAt = null;
        Map<String, String> want = profile.nfd() ? NfdLabels.derive(profile) : Map.of();
        update(JsonNodes.name(node), null, n -> {
            writeNfd(n, want);
            return n;
        });
    }

    /** Replaces the labels that NFD has written before; labels of other origin under the same prefix stay. */
    static void writeNfd(ObjectNode node, Map<String, String> want) {
        ObjectNode labels = JsonNodes.child(node, "metadata", "labels");
        ObjectNode annotations = JsonNodes.child(node, "metadata", "annotations");
        for (String own : JsonNodes.text(annotations, NfdLabels.ANNOTATION).split(",", -1)) {
            labels.remove(NfdLabels.key(own));
        }
        if (want.isEmpty()) {
            annotations.remove(NfdLabels.ANNOTATION);
            return;
        }
        want.forEach(labels::put);
        List<String> names = new ArrayList<>();
        want.keySet().forEach(k -> names.add(NfdLabels.listed(k)));
        annotations.put(NfdLabels.ANNOTATION, String.join(",", names));
    }

    private void update(
            String name, @org.jspecify.annotations.Nullable String subresource, UnaryOperator<ObjectNode> change) {
        try {
            api.update(Gvr.NODES, null, name, subresource, change);
        } catch (ApiException gone) {
            Pods.ignoreMissing(gone);
        }
    }
}
