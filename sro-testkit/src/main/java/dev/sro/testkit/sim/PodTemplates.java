package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Makes pods of the templates of workloads. */
final class PodTemplates {
    private PodTemplates() {}

    /** A pod of the template in {@code spec.template} of its owner, without a name: {@link Pods#create} makes one of the prefix. */
    static ObjectNode pod(JsonNode owner, String apiVersion, String kind, String prefix) {
        JsonNode template = JsonNodes.at(owner, "spec", "template");
        ObjectNode pod = JsonNodes.object().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode meta = pod.putObject("metadata");
        meta.put("generateName", prefix).put("namespace", JsonNodes.namespace(owner));
        for (String part : new String[] {"labels", "annotations", "finalizers"}) {
            JsonNode value = JsonNodes.at(template, "metadata", part);
            if (!value.isEmpty()) {
                meta.set(part, value.deepCopy());
            }
        }
        meta.putArray("ownerReferences").add(JsonNodes.ownerReference(owner, apiVersion, kind));
        pod.set("spec", template.path("spec").deepCopy());
        return pod;
    }

    /** Pins a pod to one node in the way of the DaemonSet controller, which leaves the binding to the scheduler. */
    static void pin(ObjectNode pod, String node) {
        ObjectNode required = JsonNodes.child(
                JsonNodes.child(pod, "spec"),
                "affinity",
                "nodeAffinity",
                "requiredDuringSchedulingIgnoredDuringExecution");
        ArrayNode terms = required.putArray("nodeSelectorTerms");
        ObjectNode field = terms.addObject().putArray("matchFields").addObject();
        field.put("key", "metadata.name")
                .put("operator", "In")
                .putArray("values")
                .add(node);
    }

    /** The tolerations that every DaemonSet pod gets. */
    static void daemonTolerations(ObjectNode spec) {
        ArrayNode all = JsonNodes.array(spec, "tolerations");
        tolerate(all, "not-ready", Placement.NO_EXECUTE);
        tolerate(all, "unreachable", Placement.NO_EXECUTE);
        tolerate(all, "disk-pressure", Placement.NO_SCHEDULE);
        tolerate(all, "memory-pressure", Placement.NO_SCHEDULE);
        tolerate(all, "pid-pressure", Placement.NO_SCHEDULE);
        tolerate(all, "unschedulable", Placement.NO_SCHEDULE);
        if (JsonNodes.bool(spec, "hostNetwork")) {
            tolerate(all, "network-unavailable", Placement.NO_SCHEDULE);
        }
    }

    private static void tolerate(ArrayNode all, String condition, String effect) {
        ObjectNode t = JsonNodes.object()
                .put("key", "node.kubernetes.io/" + condition)
                .put("operator", "Exists")
                .put("effect", effect);
        for (JsonNode old : all) {
            if (old.equals(t)) {
                return;
            }
        }
        all.add(t);
    }
}
