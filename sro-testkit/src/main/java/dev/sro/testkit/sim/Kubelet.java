package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The kubelets of all nodes: run the containers of bound pods, write their status when something visible changes, and take
 * deleted pods away. Keys are those of pods. A pod whose status somebody else sets to a final phase is let go.
 */
final class Kubelet implements SimLoop.Reconciler {
    /** After a driver failed; kubelets ask again when they look at the pod the next time. */
    private static final Duration DRIVER_RETRY = Duration.ofSeconds(10);

    private final ClusterApi api;
    private final SimLoop loop;
    private final SimTimings timings;
    private final SimRegistry registry;
    private final Behaviors behaviors;
    private final Machines machines;
    private final NodeFiles files;
    private final SimDra dra;
    private final SimLogs logs;
    private final IpPool ips = new IpPool();
    private final Map<String, PodMachine> pods = new HashMap<>();
    private final Map<String, Set<String>> byNode = new HashMap<>();
    private final Map<String, Set<String>> byMissingImage = new HashMap<>();

    Kubelet(
            ClusterApi api,
            SimLoop loop,
            SimTimings timings,
            SimRegistry registry,
            Behaviors behaviors,
            Machines machines,
            NodeFiles files,
            SimDra dra,
            SimLogs logs) {
        this.api = api;
        this.loop = loop;
        this.timings = timings;
        this.registry = registry;
        this.behaviors = behaviors;
        this.machines = machines;
        this.files = files;
        this.dra = dra;
        this.logs = logs;
    }

    @Override
    public int rank() {
        return 0;
    }

    @Override
    public void observe(Change change) {
        if (change.type().equals(Gvr.NODES) && change.kind() == Change.Kind.DELETED) {
            dra.nodeGone(JsonNodes.name(change.object()));
        } else if (change.type().equals(Gvr.NODES) && change.before() == null) {
            // Pods may name a node before it exists.
            api.podsOnNode(JsonNodes.name(change.object())).forEach(p -> loop.enqueue(this, JsonNodes.key(p)));
        }
        if (!change.type().equals(Gvr.PODS)) {
            return;
        }
        JsonNode pod = change.object();
        String key = JsonNodes.key(pod);
        if (change.kind() == Change.Kind.DELETED) {
            forget(key, JsonNodes.uid(pod));
        } else if (!JsonNodes.text(pod, "spec", "nodeName").isEmpty()) {
            PodMachine known = pods.get(key);
            boolean news = known == null || JsonNodes.deleting(pod) || Pods.finished(pod);
            if (news) {
                loop.enqueue(this, key);
            }
        }
    }

    @Override
    public void reconcile(String key) {
        ObjectNode pod = api.get(Gvr.PODS, JsonNodes.keyNamespace(key), JsonNodes.keyName(key))
                .orElse(null);
        if (pod == null) {
            return;
        }
        String node = JsonNodes.text(pod, "spec", "nodeName");
        if (node.isEmpty() || !machines.up(node)) {
            byNode.computeIfAbsent(node, n -> new LinkedHashSet<>()).add(key);
            return;
        }
        PodMachine machine = pods.get(key);
        if (machine != null && !machine.uid.equals(JsonNodes.uid(pod))) {
            forget(key, machine.uid);
            machine = null;
        }
        if (JsonNodes.deleting(pod)) {
            terminate(key, pod, machine);
        } else if (Pods.finished(pod)) {
            if (machine != null) {
                machine.stop(loop.now());
            }
            done(dra.unprepare(pod, node), key);
        } else {
            if (machine == null) {
                machine = accept(key, pod, node);
            }
            if (machine != null) {
                run(key, pod, machine);
            }
        }
    }

    private @Nullable PodMachine accept(String key, ObjectNode pod, String nodeName) {
        ObjectNode node = api.get(Gvr.NODES, null, nodeName).orElse(null);
        if (node == null) {
            return null;
        }
        String restartPolicy = JsonNodes.text(pod, "spec", "restartPolicy");
        boolean builds = !ImagePushes.find(pod).isEmpty()
                || JsonNodes.has(pod, "metadata", "annotations", Builds.POD_ANNOTATION);
        Duration runTime = builds ? timings.build() : timings.completion();
        ContainerEnv env = new ContainerEnv(
                JsonNodes.name(pod) + "_" + JsonNodes.namespace(pod) + "(" + JsonNodes.uid(pod) + ")",
                timings,
                registry,
                behaviors,
                files,
                nodeName,
                workload(pod),
                restartPolicy.isEmpty() ? "Always" : restartPolicy,
                !restartPolicy.isEmpty() && !restartPolicy.equals("Always"),
                runTime,
                container -> machines.said(nodeName, container),
                container -> logs.read(pod, container));
        String hostIp = hostIp(node);
        boolean hostNetwork = JsonNodes.bool(pod, "spec", "hostNetwork");
        boolean kwok = JsonNodes.has(node, "metadata", "annotations", NodeObjects.KWOK);
        PodMachine machine = new PodMachine(pod, env, kwok, hostIp, hostNetwork ? hostIp : ips.take(), loop.now());
        pods.put(key, machine);
        byNode.computeIfAbsent(nodeName, n -> new LinkedHashSet<>()).add(key);
        return machine;
    }

    private static String hostIp(JsonNode node) {
        for (JsonNode address : JsonNodes.at(node, "status", "addresses")) {
            if (JsonNodes.text(address, "type").equals("InternalIP")) {
                return JsonNodes.text(address, "address");
            }
        }
        return "127.0.0.1";
    }

    /** The name of the workload that a pod belongs to: for pods of a ReplicaSet that of the Deployment. */
    static String workload(JsonNode pod) {
        JsonNode owner = JsonNodes.controllerOf(pod);
        String name = owner.isMissingNode() ? JsonNodes.name(pod) : JsonNodes.text(owner, "name");
        String hash = "-" + JsonNodes.label(pod, "pod-template-hash");
        boolean ofDeployment = JsonNodes.text(owner, "kind").equals("ReplicaSet") && name.endsWith(hash);
        return ofDeployment ? name.substring(0, name.length() - hash.length()) : name;
    }

    /** Whether the drivers of a pod's claims have done what was asked; if not, the pod comes up again. */
    private boolean done(SimDra.Step step, String key) {
        if (step == SimDra.Step.FAILED) {
            loop.after(DRIVER_RETRY, this, key);
        }
        return step == SimDra.Step.DONE;
    }

    private void run(String key, ObjectNode pod, PodMachine machine) {
        boolean prepared = done(dra.prepare(pod, machine.node), key);
        if (prepared) {
            machine.advance(loop.now());
        }
        boolean changed =
                machine.takeChanged() || (machine.delayed() && !JsonNodes.has(pod, "status", "containerStatuses"));
        if (changed) {
            Pods.updateStatus(api, pod, status -> machine.write(status, loop.now()));
            if (machine.phase().equals("Succeeded")) {
                ImagePushes.find(pod).forEach(registry::push);
            }
        }
        machine.missingImages()
                .forEach(i ->
                        byMissingImage.computeIfAbsent(i, x -> new TreeSet<>()).add(key));
        Instant due = prepared ? machine.nextDue() : null;
        if (due != null) {
            loop.at(due, this, key);
        }
    }

    private void terminate(String key, ObjectNode pod, @Nullable PodMachine machine) {
        if (machine == null || Pods.finished(pod) || !machine.hasRun()) {
            finish(key, pod, machine);
            return;
        }
        Instant now = loop.now();
        if (machine.killSeen == null) {
            machine.killSeen = now;
        }
        Instant deadline = deadline(pod, now);
        Instant stop = machine.killSeen.plus(timings.podStop()).plus(preStop(pod));
        Instant end = machine.stubborn() || stop.isAfter(deadline) ? deadline : stop;
        if (end.isAfter(now)) {
            loop.at(end, this, key);
        } else {
            finish(key, pod, machine);
        }
    }

    /** When the grace period of a deleted pod is over. */
    private static Instant deadline(ObjectNode pod, Instant now) {
        Instant at = JsonNodes.instant(pod, "metadata", "deletionTimestamp");
        return at == null ? now : at;
    }

    private static Duration preStop(ObjectNode pod) {
        int longest = 0;
        for (JsonNode c : JsonNodes.at(pod, "spec", "containers")) {
            longest = Math.max(longest, JsonNodes.integer(c, 0, "lifecycle", "preStop", "sleep", "seconds"));
        }
        return Duration.ofSeconds(longest);
    }

    private void finish(String key, ObjectNode pod, @Nullable PodMachine machine) {
        if (!done(dra.unprepare(pod, JsonNodes.text(pod, "spec", "nodeName")), key)) {
            return;
        }
        boolean counted = JsonNodes.text(JsonNodes.controllerOf(pod), "kind").equals("Job");
        if (counted && !Pods.finished(pod)) {
            // Only Jobs count how their pods end; for others the last status would be one write nobody reads.
            Pods.updateStatus(api, pod, status -> {
                status.put("phase", "Failed");
                if (machine != null) {
                    machine.stop(loop.now());
                }
            });
        }
        Pods.delete(api, pod, 0L);
        if (machine != null) {
            forget(key, machine.uid);
        }
    }

    private void forget(String key, String uid) {
        PodMachine machine = pods.get(key);
        if (machine == null || !machine.uid.equals(uid)) {
            return;
        }
        pods.remove(key);
        machine.stop(loop.now());
        if (!machine.ip().startsWith("10.0.") && machine.ip().startsWith("10.244.")) {
            ips.give(machine.ip());
        }
        Set<String> onNode = byNode.get(machine.node);
        if (onNode != null) {
            onNode.remove(key);
        }
    }

    /** An image has been pushed: pods that wait for it try again at their next turn. */
    void imagePushed(String image) {
        Set<String> keys = byMissingImage.remove(image);
        if (keys == null) {
            return;
        }
        for (String key : keys) {
            PodMachine machine = pods.get(key);
            if (machine != null) {
                machine.imageArrived(image, loop.now());
                loop.enqueue(this, key);
            }
        }
    }

    /**
     * A machine has started again: its containers start again, unless the node is not any more what their pod asks for. Kubelets let pods
     * in anew after a boot, by the labels of that moment.
     */
    void nodeRebooted(String node) {
        dra.rebooted(node);
        ObjectNode now = api.get(Gvr.NODES, null, node).orElse(null);
        for (String key : List.copyOf(byNode.getOrDefault(node, Set.of()))) {
            PodMachine machine = pods.get(key);
            ObjectNode pod = api.get(Gvr.PODS, JsonNodes.keyNamespace(key), JsonNodes.keyName(key))
                    .orElse(null);
            if (machine != null) {
                machine.reboot(loop.now());
            }
            if (pod != null
                    && now != null
                    && !Placement.selects(pod.path("spec"), now)
                    && !Pods.finished(pod)
                    && !JsonNodes.deleting(pod)) {
                Pods.updateStatus(api, pod, Kubelet::rejected);
            }
            loop.enqueue(this, key);
        }
    }

    private static void rejected(ObjectNode status) {
        status.put("phase", "Failed")
                .put("reason", "NodeAffinity")
                .put(
                        "message",
                        "Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node"
                                + " affinity/selector");
    }

    /** What a container of a pod writes by the rule that it follows; empty where that does not say. */
    String says(String podKey, String container) {
        PodMachine machine = pods.get(podKey);
        return machine == null ? "" : machine.says(container);
    }

    /** The kubelet of a node answers again: it does what it has missed and writes the status of its pods. */
    void nodeBack(String node) {
        for (String key : byNode.getOrDefault(node, Set.of())) {
            PodMachine machine = pods.get(key);
            if (machine != null) {
                machine.touch();
            }
            loop.enqueue(this, key);
        }
    }

    /** Ends the running containers of a pod (all, or the named one); their restart policy applies. */
    void kill(String podKey, String container) {
        PodMachine machine = pods.get(podKey);
        if (machine != null) {
            machine.kill(container, loop.now());
            loop.enqueue(this, podKey);
        }
    }
}
