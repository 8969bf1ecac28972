package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The machines of the simulated cluster: adds them, reboots them, breaks them. What a call writes at once is visible at once;
 * what follows (taints, pods, NFD's labels) happens when the cluster works and its clock advances. Nodes that are created
 * through the API are taken on as well, without a profile. Thread-safe.
 *
 * <p>All methods that name a node throw {@link dev.sro.testkit.server.ApiException} (404) if it does not exist.
 */
public final class SimNodes {
    private final ClusterApi api;
    private final SimLoop loop;
    private final SimTimings timings;
    private final Machines machines;
    private final Consumer<String> back;
    private final NodeLifecycle lifecycle;
    private final AtomicInteger count = new AtomicInteger();

    SimNodes(
            ClusterApi api,
            SimLoop loop,
            SimTimings timings,
            Machines machines,
            NodeLifecycle lifecycle,
            Consumer<String> back) {
        this.api = api;
        this.loop = loop;
        this.timings = timings;
        this.machines = machines;
        this.lifecycle = lifecycle;
        this.back = back;
    }

    /** Adds a Ready node. NFD's labels come {@link SimTimings#nfdLag} later, or at once where that is zero. */
    public SimNodes create(String name, NodeProfile profile) {
        boolean labelled = timings.nfdLag().isZero();
        ObjectNode node = NodeObjects.create(name, profile, count.incrementAndGet(), loop.now());
        if (labelled && profile.nfd()) {
            NodeLifecycle.writeNfd(node, NfdLabels.derive(profile));
        }
        api.create(Gvr.NODES, node);
        loop.post(() -> {
            Machines.Machine machine = machines.of(name, loop.now());
            machine.profile = profile;
            machine.nfdAt = labelled ? null : loop.now().plus(timings.nfdLag());
            loop.enqueue(lifecycle, name);
        });
        return this;
    }

    /**
     * Adds a node as {@code kubectl get node -o json} prints it, of whatever cluster: it is Ready {@link SimTimings#nodeReady} later,
     * with its labels, taints and the kernel that it names.
     */
    public SimNodes add(ObjectNode node) {
        api.create(Gvr.NODES, NodeObjects.foreign(node));
        return this;
    }

    /** Adds {@code n} nodes whose names are the prefix and a number from 0 on. Returns the names. */
    public List<String> createMany(String prefix, int n, NodeProfile profile) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            names.add(prefix + i);
            create(prefix + i, profile);
        }
        return names;
    }

    /** Reboots a node as it is. */
    public SimNodes reboot(String name) {
        return reboot(name, p -> p);
    }

    /** Reboots a node into another kernel, given as {@code uname -r} prints it. */
    public SimNodes reboot(String name, String kernel) {
        return reboot(name, p -> p.withKernel(kernel));
    }

    /** Reboots a node into another operating system with the kernel that comes with it. */
    public SimNodes reboot(String name, OsRelease os) {
        return reboot(name, p -> p.withOs(os));
    }

    /**
     * Reboots a node into a changed machine: it is not ready for {@link SimTimings#reboot}, gets a new boot id, starts its pods
     * again, and its NFD labels follow later.
     */
    public SimNodes reboot(String name, UnaryOperator<NodeProfile> change) {
        loop.post(() -> {
            Machines.Machine machine = machines.of(name, loop.now());
            machine.profile = change.apply(profile(name, machine));
            machine.up = false;
            machine.bootAt = loop.now().plus(timings.reboot());
            loop.enqueue(lifecycle, name);
        });
        status(name, "False", "KubeletNotReady", "node is shutting down");
        return this;
    }

    /** Changes the machine while it runs (a card is plugged in, NFD is removed); its labels follow after NFD's lag. */
    public SimNodes change(String name, UnaryOperator<NodeProfile> change) {
        loop.post(() -> {
            Machines.Machine machine = machines.of(name, loop.now());
            machine.profile = change.apply(profile(name, machine));
            machine.nfdAt = loop.now().plus(timings.nfdLag());
            loop.enqueue(lifecycle, name);
        });
        return this;
    }

    /** The kubelet of a node stops answering: the node is NotReady, its pods are neither started nor stopped. */
    public SimNodes notReady(String name) {
        loop.post(() -> machines.of(name, loop.now()).up = false);
        status(name, "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.");
        return this;
    }

    /** The kubelet of a node answers again. */
    public SimNodes ready(String name) {
        loop.post(() -> {
            machines.of(name, loop.now()).up = true;
            back.accept(name);
        });
        status(name, "True", "KubeletReady", "kubelet is posting ready status");
        return this;
    }

    /** Marks a node as unschedulable. */
    public SimNodes cordon(String name) {
        update(name, n -> JsonNodes.child(n, "spec").put("unschedulable", true));
        return this;
    }

    /** Makes a node schedulable again. */
    public SimNodes uncordon(String name) {
        update(name, n -> JsonNodes.child(n, "spec").remove("unschedulable"));
        return this;
    }

    /** Deletes the Node object; its pods are collected {@link SimTimings#orphanedPods} later. False if there is none. */
    public boolean delete(String name) {
        return api.delete(Gvr.NODES, null, name, DeleteOptions.DEFAULT);
    }

    /** Adds a taint, in the place of one with the same key and effect. */
    public SimNodes taint(String name, String key, String value, String effect) {
        update(name, n -> {
            ArrayNode taints = keptTaints(
                    n,
                    t -> !(JsonNodes.text(t, "key").equals(key)
                            && JsonNodes.text(t, "effect").equals(effect)));
            ObjectNode taint = taints.addObject().put("key", key).put("effect", effect);
            if (!value.isEmpty()) {
                taint.put("value", value);
            }
            JsonNodes.child(n, "spec").set("taints", taints);
        });
        return this;
    }

    /** Removes all taints with this key. */
    public SimNodes untaint(String name, String key) {
        update(name, n -> {
            ArrayNode taints = keptTaints(n, t -> !JsonNodes.text(t, "key").equals(key));
            JsonNodes.child(n, "spec").set("taints", taints);
            if (taints.isEmpty()) {
                JsonNodes.child(n, "spec").remove("taints");
            }
        });
        return this;
    }

    /** Sets a label, or removes it where the value is null. */
    public SimNodes label(String name, String key, @Nullable String value) {
        update(name, n -> {
            ObjectNode labels = JsonNodes.child(n, "metadata", "labels");
            if (value == null) {
                labels.remove(key);
            } else {
                labels.put(key, value);
            }
        });
        return this;
    }

    /** The node as it is stored. The object is shared: do not modify it. */
    public ObjectNode get(String name) {
        return api.get(Gvr.NODES, null, name)
                .orElseThrow(() -> new IllegalArgumentException("there is no node " + name));
    }

    private NodeProfile profile(String name, Machines.Machine machine) {
        NodeProfile known = machine.profile;
        return known != null
                ? known
                : NodeObjects.profileOf(api.get(Gvr.NODES, null, name).orElse(JsonNodes.object()));
    }

    private static ArrayNode keptTaints(ObjectNode node, java.util.function.Predicate<JsonNode> keep) {
        ArrayNode kept = node.arrayNode();
        for (JsonNode t : JsonNodes.at(node, "spec", "taints")) {
            if (keep.test(t)) {
                kept.add(t);
            }
        }
        return kept;
    }

    private void status(String name, String ready, String reason, String message) {
        api.update(Gvr.NODES, null, name, "status", n -> {
            NodeObjects.ready(n, ready, reason, message, loop.now());
            return n;
        });
    }

    private void update(String name, Consumer<ObjectNode> change) {
        api.update(Gvr.NODES, null, name, null, n -> {
            change.accept(n);
            return n;
        });
    }
}
