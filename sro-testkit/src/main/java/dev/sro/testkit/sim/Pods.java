package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the controllers ask of pods, and the few ways in which they write them. */
final class Pods {
    private static final int NAME_ATTEMPTS = 8;
    /** A generated name must fit a label value of 63 characters. */
    private static final int LONGEST_PREFIX = 58;

    private Pods() {}

    static String phase(JsonNode pod) {
        return JsonNodes.text(pod, "status", "phase");
    }

    static boolean finished(JsonNode pod) {
        String phase = phase(pod);
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    static boolean ready(JsonNode pod) {
        return Conditions.isTrue(pod, "Ready");
    }

    /** When the pod has been ready for {@code minReady}; null while it is not ready. */
    static @Nullable Instant availableAt(JsonNode pod, int minReadySeconds) {
        JsonNode ready = Conditions.find(pod, "Ready");
        if (!JsonNodes.text(ready, "status").equals("True")) {
            return null;
        }
        Instant since = JsonNodes.instant(ready, "lastTransitionTime");
        return since == null ? null : since.plus(Duration.ofSeconds(minReadySeconds));
    }

    static boolean available(JsonNode pod, int minReadySeconds, Instant now) {
        if (minReadySeconds == 0) {
            return ready(pod);
        }
        Instant at = availableAt(pod, minReadySeconds);
        return at != null && !at.isAfter(now);
    }

    /** Whether a change of a pod is one that its workload has to look at. */
    static boolean changed(Change change) {
        ObjectNode before = change.before();
        ObjectNode pod = change.object();
        return before == null
                || change.kind() == Change.Kind.DELETED
                || !phase(before).equals(phase(pod))
                || ready(before) != ready(pod)
                || JsonNodes.deleting(before) != JsonNodes.deleting(pod)
                || !JsonNodes.label(before, Revisions.HASH).equals(JsonNodes.label(pod, Revisions.HASH));
    }

    /** The node that a pod is bound to or, before that, the one its affinity names. */
    static String targetNode(JsonNode pod) {
        String bound = JsonNodes.text(pod, "spec", "nodeName");
        return bound.isEmpty() ? Placement.pinnedTo(pod.path("spec")) : bound;
    }

    /** Marks a pod as disrupted, for the reason that its deletion has. */
    static void disrupt(ClusterApi api, JsonNode pod, String reason, String message, boolean fail, Instant now) {
        updateStatus(api, pod, status -> {
            ObjectNode c = Conditions.ofPod("DisruptionTarget", true, reason, message);
            c.put(
                    "observedGeneration",
                    JsonNodes.at(pod, "metadata", "generation").asInt(1));
            if (fail) {
                status.put("phase", "Failed");
                status.put(
                        "observedGeneration",
                        JsonNodes.at(pod, "metadata", "generation").asInt(1));
            }
            Conditions.set(status, c, now);
        });
    }

    /** Changes the status of a pod that may be gone by now. */
    static void updateStatus(ClusterApi api, JsonNode pod, java.util.function.Consumer<ObjectNode> change) {
        String uid = JsonNodes.uid(pod);
        try {
            api.update(Gvr.PODS, JsonNodes.namespace(pod), JsonNodes.name(pod), "status", p -> {
                if (JsonNodes.uid(p).equals(uid)) {
                    change.accept(JsonNodes.child(p, "status"));
                }
                return p;
            });
        } catch (ApiException gone) {
            ignoreMissing(gone);
        }
    }

    /** Creates a pod with a name made of its generateName; null where the API refuses it. */
    static @Nullable ObjectNode create(ClusterApi api, ObjectNode pod, Hashes hashes) {
        ObjectNode meta = JsonNodes.child(pod, "metadata");
        String prefix = JsonNodes.text(meta, "generateName");
        String base = prefix.length() > LONGEST_PREFIX ? prefix.substring(0, LONGEST_PREFIX) : prefix;
        for (int attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
            meta.put("name", base + hashes.suffix());
            try {
                return api.create(Gvr.PODS, pod);
            } catch (ApiException refused) {
                if (!refused.reason().equals("AlreadyExists")) {
                    return null;
                }
            }
        }
        return null;
    }

    static void delete(ClusterApi api, JsonNode pod) {
        delete(api, pod, null);
    }

    /** Deletes this very pod, with its own grace period or ({@code grace} 0) at once. */
    static void delete(ClusterApi api, JsonNode pod, @Nullable Long grace) {
        try {
            api.delete(
                    Gvr.PODS,
                    JsonNodes.namespace(pod),
                    JsonNodes.name(pod),
                    new DeleteOptions(DeleteOptions.Propagation.BACKGROUND, grace, JsonNodes.uid(pod), null));
        } catch (ApiException gone) {
            ignoreMissing(gone);
        }
    }

    static void ignoreMissing(ApiException e) {
        if (e.code() != 404 && e.code() != 409) {
            throw e;
        }
    }
}
