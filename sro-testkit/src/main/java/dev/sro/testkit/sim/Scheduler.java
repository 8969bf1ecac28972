package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A small kube-scheduler: binds pods to the emptiest node that fits (cordon, taints, node selector and affinity, resources).
 * Pods that fit nowhere wait, and are tried again when the node they name changes, or any node or room for those that name none.
 */
final class Scheduler implements SimLoop.Reconciler {
    private static final Set<String> BLOCKING = Set.of(Placement.NO_SCHEDULE, Placement.NO_EXECUTE);
    private static final String UNSCHEDULABLE_TAINT = "node.kubernetes.io/unschedulable";

    private final ClusterApi api;
    private final SimLoop loop;
    private final Preemption preemption;
    private final boolean devicesOptional;
    private final NodeUsage usage = new NodeUsage();
    private final Map<String, ObjectNode> nodes = new TreeMap<>();
    /** Pods that wait, by the node they are pinned to; the empty name stands for any node. */
    private final Map<String, Set<String>> waiting = new HashMap<>();
    /** Those that wait for devices or claims. */
    private final Set<String> waitingForDevices = new LinkedHashSet<>();

    Scheduler(ClusterApi api, SimLoop loop, boolean devicesOptional) {
        this.devicesOptional = devicesOptional;
        this.api = api;
        this.loop = loop;
        this.preemption = new Preemption(api);
    }

    @Override
    public int rank() {
        return 0;
    }

    @Override
    public void observe(Change change) {
        if (change.type().equals(Gvr.PODS)) {
            observePod(change);
        } else if (change.type().equals(Gvr.NODES)) {
            observeNode(change);
        } else if (change.type().group().equals(Gvr.RESOURCECLAIMS.group())) {
            observeDevices(change);
        }
    }

    /** Pods that wait for devices are tried again when there may be others, or when a claim of theirs has changed. */
    private void observeDevices(Change change) {
        boolean claim = change.type().equals(Gvr.RESOURCECLAIMS);
        ObjectNode before = change.before();
        boolean freed = claim
                && (change.kind() == Change.Kind.DELETED || (before != null && ClaimNames.allocated(before)))
                && !(change.kind() != Change.Kind.DELETED && ClaimNames.allocated(change.object()));
        String namespace = JsonNodes.namespace(change.object());
        for (String key : List.copyOf(waitingForDevices)) {
            if (!claim || freed || JsonNodes.keyNamespace(key).equals(namespace)) {
                waitingForDevices.remove(key);
                loop.enqueue(this, key);
            }
        }
    }

    private void observePod(Change change) {
        String freed = usage.observe(change);
        if (freed != null) {
            retry(freed);
        }
        JsonNode pod = change.object();
        if (change.kind() != Change.Kind.DELETED
                && JsonNodes.text(pod, "spec", "nodeName").isEmpty()) {
            loop.enqueue(this, JsonNodes.key(pod));
        }
    }

    private void observeNode(Change change) {
        ObjectNode node = change.object();
        if (change.kind() == Change.Kind.DELETED) {
            nodes.remove(JsonNodes.name(node));
            return;
        }
        nodes.put(JsonNodes.name(node), node);
        ObjectNode before = change.before();
        boolean relevant = before == null
                || !JsonNodes.same(before.path("spec"), node.path("spec"))
                || !JsonNodes.same(JsonNodes.at(before, "metadata", "labels"), JsonNodes.at(node, "metadata", "labels"))
                || !JsonNodes.same(
                        JsonNodes.at(before, "status", "allocatable"), JsonNodes.at(node, "status", "allocatable"));
        if (relevant) {
            retry(JsonNodes.name(node));
        }
    }

    private void retry(String node) {
        for (String pin : List.of(node, "")) {
            Set<String> keys = waiting.remove(pin);
            if (keys != null) {
                keys.forEach(k -> loop.enqueue(this, k));
            }
        }
    }

    @Override
    public void reconcile(String key) {
        ObjectNode pod = api.get(Gvr.PODS, JsonNodes.keyNamespace(key), JsonNodes.keyName(key))
                .orElse(null);
        if (pod == null || !mine(pod)) {
            return;
        }
        if (!pod.path("spec").path("schedulingGates").isEmpty()) {
            report(pod, "", "SchedulingGated", "Scheduling is blocked due to non-empty scheduling gates");
            return;
        }
        ClaimScheduling claims = new ClaimScheduling(api, pod, devicesOptional);
        if (claims.any()) {
            waitingForDevices.add(key);
        }
        if (claims.waits()) {
            return;
        }
        if (!claims.fault().isEmpty()) {
            report(pod, "", "Unschedulable", impossible(claims.fault()));
            return;
        }
        try {
            place(key, pod, claims);
        } catch (DeviceAllocator.FaultException fault) {
            report(pod, "", "SchedulerError", "running \"DynamicResources\" filter plugin: " + fault.getMessage());
        }
    }

    private void place(String key, ObjectNode pod, ClaimScheduling claims) {
        JsonNode spec = pod.path("spec");
        String pin = Placement.pinnedTo(spec);
        Map<String, Long> requests = Quantities.requests(spec);
        Map<String, Integer> refusals = new TreeMap<>();
        String best = null;
        for (ObjectNode node : candidates(pin)) {
            String refusal = refusal(spec, requests, node, claims);
            if (refusal != null) {
                refusals.merge(refusal, 1, Integer::sum);
            } else if (best == null || better(JsonNodes.name(node), best, claims)) {
                best = JsonNodes.name(node);
            }
        }
        if (best != null) {
            bind(key, pod, best, claims);
        } else {
            waiting.computeIfAbsent(pin, p -> new LinkedHashSet<>()).add(key);
            makeRoom(pod, requests, pin, refusals, claims);
        }
    }

    /** With better alternatives for its claims, or with fewer pods. */
    private boolean better(String node, String best, ClaimScheduling claims) {
        int order = Integer.compare(claims.score(node), claims.score(best));
        return order > 0 || (order == 0 && usage.pods(node) < usage.pods(best));
    }

    /** Pushes pods of lower priority away where that helps; otherwise says why the pod has to wait. */
    private void makeRoom(
            ObjectNode pod,
            Map<String, Long> requests,
            String pin,
            Map<String, Integer> refusals,
            ClaimScheduling claims) {
        if (preemption.isUnderWay(pod)) {
            return;
        }
        JsonNode spec = pod.path("spec");
        List<ObjectNode> full = new ArrayList<>();
        for (ObjectNode node : candidates(pin)) {
            String refusal = refusal(spec, claims.withoutDevices(requests, node), node);
            if (refusal != null && (refusal.startsWith("Ins") || refusal.startsWith("Too"))) {
                full.add(node);
            }
        }
        Preemption.Victims victims = preemption.find(pod, requests, full);
        if (victims == null) {
            String devices = !claims.any() || candidatesNone(pin)
                    ? "no new claims to deallocate"
                    : claims.giveUpDevices() ? "deallocation of ResourceClaim completed" : "still not schedulable";
            report(pod, "", "Unschedulable", message(spec, requests, pin, refusals, devices));
            return;
        }
        preemption.evict(victims, loop.now());
        report(pod, victims.node(), "Unschedulable", refused(pin, refusals) + ".");
    }

    private static boolean mine(JsonNode pod) {
        return JsonNodes.text(pod, "spec", "nodeName").isEmpty()
                && !JsonNodes.deleting(pod)
                && !Pods.finished(pod)
                && JsonNodes.text(pod, "spec", "schedulerName").matches("(default-scheduler)?");
    }

    private Iterable<ObjectNode> candidates(String pin) {
        if (pin.isEmpty()) {
            return nodes.values();
        }
        ObjectNode only = nodes.get(pin);
        return only == null ? List.of() : List.of(only);
    }

    private boolean candidatesNone(String pin) {
        return !candidates(pin).iterator().hasNext();
    }

    private @Nullable String refusal(
            JsonNode spec, Map<String, Long> requests, ObjectNode node, ClaimScheduling claims) {
        String refusal = refusal(spec, claims.withoutDevices(requests, node), node);
        return refusal == null && claims.any() ? claims.refusal(node) : refusal;
    }

    private @Nullable String refusal(JsonNode spec, Map<String, Long> requests, ObjectNode node) {
        if (JsonNodes.bool(node, "spec", "unschedulable") && !toleratesCordon(spec)) {
            return "node(s) were unschedulable";
        }
        if (!Placement.tolerates(spec.path("tolerations"), node, BLOCKING)) {
            return "node(s) had untolerated taint(s)";
        }
        if (!Placement.selects(spec, node)) {
            return "node(s) didn't match Pod's node affinity/selector";
        }
        String missing = usage.missing(requests, node);
        if (missing == null) {
            return null;
        }
        return missing.equals("pods") ? "Too many pods" : "Insufficient " + missing;
    }

    private static boolean toleratesCordon(JsonNode spec) {
        ObjectNode taint = JsonNodes.object().put("key", UNSCHEDULABLE_TAINT).put("effect", Placement.NO_SCHEDULE);
        return Placement.toleratesTaint(spec.path("tolerations"), taint);
    }

    /** The text that kube-scheduler writes; counts are sorted as text, as it does. */
    private String message(
            JsonNode spec, Map<String, Long> requests, String pin, Map<String, Integer> refusals, String devices) {
        int total = nodes.size();
        int helpful = 0;
        for (ObjectNode node : candidates(pin)) {
            String refusal = refusal(spec, requests, node);
            boolean resources = refusal != null && (refusal.startsWith("Ins") || refusal.startsWith("Too"));
            helpful += resources && NodeUsage.couldHold(requests, node) ? 1 : 0;
        }
        List<String> preemption = new ArrayList<>();
        if (helpful > 0) {
            preemption.add(helpful + " No preemption victims found for incoming pod");
        }
        if (total > helpful) {
            preemption.add((total - helpful) + " Preemption is not helpful for scheduling");
        }
        String head = "0/" + total + " nodes are available";
        return total == 0
                ? "no nodes available to schedule pods"
                : refused(pin, refusals) + ". " + devices + ", preemption: " + head + ": "
                        + String.join(", ", preemption) + ".";
    }

    /** The text for what no node can help with. */
    private String impossible(String why) {
        String head = "0/" + nodes.size() + " nodes are available: ";
        return nodes.isEmpty()
                ? "no nodes available to schedule pods"
                : head + why + ". no new claims to deallocate, preemption: " + head + nodes.size()
                        + " Preemption is not helpful for scheduling.";
    }

    private String refused(String pin, Map<String, Integer> refusals) {
        int total = nodes.size();
        if (!pin.isEmpty()) {
            refusals.merge("node(s) didn't satisfy plugin(s) [NodeAffinity]", total - candidatesOf(pin), Integer::sum);
        }
        Set<String> parts = new TreeSet<>();
        refusals.forEach((text, n) -> {
            if (n > 0) {
                parts.add(n + " " + text);
            }
        });
        return "0/" + total + " nodes are available: " + String.join(", ", parts);
    }

    private int candidatesOf(String pin) {
        return nodes.containsKey(pin) ? 1 : 0;
    }

    private void report(ObjectNode pod, String nominated, String reason, String message) {
        JsonNode old = Conditions.find(pod, "PodScheduled");
        if (JsonNodes.text(old, "status").equals("False")
                && JsonNodes.text(old, "message").equals(message)) {
            return;
        }
        ObjectNode condition = Conditions.ofPod("PodScheduled", false, reason, message);
        if (reason.equals("Unschedulable")) {
            condition.put(
                    "observedGeneration",
                    JsonNodes.at(pod, "metadata", "generation").asInt(1));
        }
        Pods.updateStatus(api, pod, status -> {
            if (!nominated.isEmpty()) {
                status.put("nominatedNodeName", nominated);
            }
            Conditions.set(status, condition, loop.now());
        });
    }

    private void bind(String key, ObjectNode pod, String node, ClaimScheduling claims) {
        waitingForDevices.remove(key);
        if (claims.any()) {
            Pods.updateStatus(api, pod, status -> status.put("nominatedNodeName", node));
            if (!claims.bind(node, loop.now())) {
                waitingForDevices.add(key);
                loop.retry(this, key);
                return;
            }
        }
        ObjectNode scheduled = Conditions.ofPod("PodScheduled", true, "", "");
        try {
            api.update(Gvr.PODS, JsonNodes.namespace(pod), JsonNodes.name(pod), "binding", p -> {
                JsonNodes.child(p, "spec").put("nodeName", node);
                ObjectNode status = JsonNodes.child(p, "status");
                status.remove("nominatedNodeName");
                Conditions.set(status, scheduled, loop.now());
                return p;
            });
        } catch (ApiException gone) {
            Pods.ignoreMissing(gone);
        }
    }
}
