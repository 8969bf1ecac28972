package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Eviction: a delete that PodDisruptionBudgets may refuse. */
final class Eviction {
    private final ServerParts parts;
    private final ResourceVerbs verbs;

    Eviction(ServerParts parts, ResourceVerbs verbs) {
        this.parts = parts;
        this.verbs = verbs;
    }

    ApiResponse answer(ApiRequest request, ResourceType type, RequestPath path) {
        if (!request.method().equals("POST")) {
            throw Errors.methodNotAllowed();
        }
        ObjectNode body = SubresourceBodies.eviction(parts, request, path);
        JsonNode options = body.path("deleteOptions");
        ApiRequest delete = new ApiRequest(
                "DELETE",
                request.path(),
                request.query(),
                "application/json",
                request.accept(),
                request.userAgent(),
                request.identity(),
                options.isObject() ? Json.bytes(options) : null);
        DeleteBody how = DeleteBody.read(delete);
        RequestPath podPath = new RequestPath(type.gvr(), path.namespace(), path.name(), "");
        WriteCall call = verbs.call(request, type, podPath, "CreateOptions").dry(how.dryRun());
        review(verbs.call(request, type, path, "CreateOptions").dry(how.dryRun()), body);
        parts.store.locked(() -> {
            Stored pod = parts.reader.get(type, path.namespace(), path.name(), null);
            if (!ended(pod.object())) {
                consultBudgets(pod.object(), call);
            }
            return parts.deleter.delete(call, how.options());
        });
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return ApiResponse.json(201, status.put("status", "Success").put("code", 201));
    }

    /** Webhooks see the eviction, not the delete that it becomes. */
    private void review(WriteCall call, ObjectNode eviction) {
        AdmissionAttributes.Kind kind = new AdmissionAttributes.Kind("policy", "v1", "Eviction");
        parts.writes.run(call, () -> parts.admission.subresource(call, kind, eviction, null, "CREATE"));
    }

    private static boolean ended(JsonNode pod) {
        String phase = Json.text(pod, "status", "phase");
        return phase.equals("Succeeded") || phase.equals("Failed") || phase.equals("Pending") || Json.terminating(pod);
    }

    private void consultBudgets(ObjectNode pod, WriteCall call) {
        List<Stored> budgets = new ArrayList<>();
        for (Stored budget : parts.store.table(Gvr.PODDISRUPTIONBUDGETS).in(Json.namespace(pod))) {
            JsonNode selector = budget.object().path("spec").get("selector");
            if (selector != null && LabelSelector.of(selector).matchesObject(pod)) {
                budgets.add(budget);
            }
        }
        if (budgets.isEmpty()) {
            return;
        }
        if (budgets.size() > 1) {
            throw Errors.internal(
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
        }
        ObjectNode budget = budgets.get(0).object();
        if (budget.path("status").path("disruptionsAllowed").asLong() <= 0) {
            throw refused(budget);
        }
        if (!call.dryRun) {
            spend(budget, Json.name(pod));
        }
    }

    private void spend(ObjectNode budget, String pod) {
        new LocalClusterApi(parts, "kube-apiserver")
                .update(Gvr.PODDISRUPTIONBUDGETS, Json.namespace(budget), Json.name(budget), "status", b -> {
                    ObjectNode status = KindHooks.own(b, "status");
                    status.put(
                            "disruptionsAllowed",
                            status.path("disruptionsAllowed").asLong() - 1);
                    KindHooks.own(status, "disruptedPods")
                            .put(
                                    pod,
                                    parts.clock
                                            .instant()
                                            .truncatedTo(java.time.temporal.ChronoUnit.SECONDS)
                                            .toString());
                    return b;
                });
    }

    private static ApiException refused(ObjectNode budget) {
        ObjectNode details = Json.object();
        String name = Json.name(budget);
        JsonNode status = budget.path("status");
        details.putArray("causes")
                .addObject()
                .put("reason", "DisruptionBudget")
                .put(
                        "message",
                        "The disruption budget " + name + " needs "
                                + status.path("desiredHealthy").asLong() + " healthy pods and has "
                                + status.path("currentHealthy").asLong() + " currently");
        return new ApiException(
                429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", details);
    }
}
