package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counters and conditions of a Deployment, from its ReplicaSets. */
final class DeploymentStatus {
    private static final String PROGRESSING = "Progressing";
    private static final int NO_DEADLINE = Integer.MAX_VALUE;

    private final ObjectNode d;
    private final @Nullable ObjectNode current;
    private final DeploymentScale scale;
    private final Instant now;
    private final ObjectNode counts = JsonNodes.object();

    DeploymentStatus(ObjectNode d, List<ObjectNode> all, @Nullable ObjectNode current, Instant now) {
        this.d = d;
        this.current = current;
        this.scale = new DeploymentScale(d, all);
        this.now = now;
        int asked = sum(all, "spec", "replicas");
        int available = sum(all, "status", "availableReplicas");
        counts.put(
                "observedGeneration", JsonNodes.at(d, "metadata", "generation").asLong());
        JsonNodes.putUnlessZero(counts, "replicas", sum(all, "status", "replicas"));
        JsonNodes.putUnlessZero(
                counts, "updatedReplicas", current == null ? 0 : JsonNodes.integer(current, 0, "status", "replicas"));
        JsonNodes.putUnlessZero(counts, "readyReplicas", sum(all, "status", "readyReplicas"));
        JsonNodes.putUnlessZero(counts, "availableReplicas", available);
        JsonNodes.putUnlessZero(counts, "unavailableReplicas", Math.max(0, asked - available));
        counts.put("terminatingReplicas", sum(all, "status", "terminatingReplicas"));
    }

    private static int sum(List<ObjectNode> all, String... path) {
        return all.stream().mapToInt(rs -> JsonNodes.integer(rs, 0, path)).sum();
    }

    private int count(String field) {
        return JsonNodes.integer(counts, 0, field);
    }

    /** Whether all pods are of the current template and available. */
    boolean complete() {
        return count("updatedReplicas") == scale.replicas()
                && count("replicas") == scale.replicas()
                && count("availableReplicas") == scale.replicas();
    }

    /** When the rollout counts as stuck; null where that does not apply. */
    @Nullable Instant progressDeadline() {
        int seconds = JsonNodes.integer(d, NO_DEADLINE, "spec", "progressDeadlineSeconds");
        JsonNode progressing = Conditions.find(d, PROGRESSING);
        Instant last = JsonNodes.instant(progressing, "lastUpdateTime");
        boolean waits = !complete()
                && current != null
                && JsonNodes.text(progressing, "status").equals("True");
        return waits && last != null && seconds != NO_DEADLINE ? last.plusSeconds(seconds) : null;
    }

    void write(ObjectNode deployment) {
        ObjectNode old = JsonNodes.child(deployment, "status");
        ObjectNode status = counts.deepCopy();
        ArrayNode conditions = JsonNodes.array(old, "conditions").deepCopy();
        if (!conditions.isEmpty()) {
            status.set("conditions", conditions);
        }
        deployment.set("status", status);
        boolean enough = count("availableReplicas") >= scale.replicas() - scale.maxUnavailable();
        set(
                deployment,
                "Available",
                enough ? "True" : "False",
                enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                enough ? "Deployment has minimum availability." : "Deployment does not have minimum availability.");
        progress(deployment, old);
    }

    private void progress(ObjectNode deployment, ObjectNode old) {
        JsonNode condition = Conditions.find(deployment, PROGRESSING);
        String reason = JsonNodes.text(condition, "reason");
        ObjectNode rs = current;
        if (JsonNodes.bool(d, "spec", "paused")) {
            if (!reason.equals("DeploymentPaused")) {
                progressing(deployment, "Unknown", "DeploymentPaused", "Deployment is paused", now);
            }
            return;
        }
        if (reason.equals("DeploymentPaused")) {
            progressing(deployment, "Unknown", "DeploymentResumed", "Deployment is resumed", now);
            return;
        }
        boolean settled = count("replicas") == count("updatedReplicas") && reason.equals("NewReplicaSetAvailable");
        if (rs == null || settled) {
            return;
        }
        String name = "ReplicaSet \"" + JsonNodes.name(rs) + "\" ";
        Instant deadline = progressDeadline();
        if (complete()) {
            progressing(deployment, "True", "NewReplicaSetAvailable", name + "has successfully progressed.", now);
        } else if (advanced(old)) {
            progressing(deployment, "True", "ReplicaSetUpdated", name + "is progressing.", now);
        } else if (deadline != null && !deadline.isAfter(now)) {
            progressing(deployment, "False", "ProgressDeadlineExceeded", name + "has timed out progressing.", now);
        }
    }

    /** Whether the rollout has come further than the status before says. */
    private boolean advanced(ObjectNode old) {
        int oldOfOthers = JsonNodes.integer(old, 0, "replicas") - JsonNodes.integer(old, 0, "updatedReplicas");
        return count("updatedReplicas") > JsonNodes.integer(old, 0, "updatedReplicas")
                || count("replicas") - count("updatedReplicas") < oldOfOthers
                || count("readyReplicas") > JsonNodes.integer(old, 0, "readyReplicas")
                || count("availableReplicas") > JsonNodes.integer(old, 0, "availableReplicas");
    }

    /** Sets the Progressing condition, with a new update time even where the status stays. */
    static void progressing(ObjectNode deployment, String status, String reason, String message, Instant now) {
        JsonNode old = Conditions.find(deployment, PROGRESSING);
        put(deployment, old, PROGRESSING, status, reason, message, now);
    }

    private void set(ObjectNode deployment, String type, String status, String reason, String message) {
        JsonNode old = Conditions.find(deployment, type);
        if (!JsonNodes.text(old, "status").equals(status)
                || !JsonNodes.text(old, "reason").equals(reason)) {
            put(deployment, old, type, status, reason, message, now);
        }
    }

    /** A condition that changes moves to the end of the list, as in the real controller. */
    private static void put(
            ObjectNode deployment,
            JsonNode old,
            String type,
            String status,
            String reason,
            String message,
            Instant now) {
        ArrayNode kept = deployment.arrayNode();
        for (JsonNode c : JsonNodes.at(deployment, "status", "conditions")) {
            if (!JsonNodes.text(c, "type").equals(type)) {
                kept.add(c);
            }
        }
        boolean same = JsonNodes.text(old, "status").equals(status);
        kept.addObject()
                .put("type", type)
                .put("status", status)
                .put("lastUpdateTime", JsonNodes.time(now))
                .put("lastTransitionTime", same ? JsonNodes.text(old, "lastTransitionTime") : JsonNodes.time(now))
                .put("reason", reason)
                .put("message", message);
        JsonNodes.child(deployment, "status").set("conditions", kept);
    }
}
