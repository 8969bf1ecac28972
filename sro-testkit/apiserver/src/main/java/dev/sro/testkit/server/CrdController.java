package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Establishes CustomResourceDefinitions, serves what they define, and removes the instances when one is deleted. */
final class CrdController implements Controller {
    static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

    private final ServerParts parts;
    private final ClusterApi api;
    private final NameQueue queue;

    CrdController(ServerParts parts, ClusterApi api) {
        this.parts = parts;
        this.queue = new NameQueue(parts.clock);
        this.api = api.as("kube-apiserver");
        api.subscribe(null, this::observe);
    }

    private void observe(Change change) {
        if (change.type().equals(Gvr.CUSTOMRESOURCEDEFINITIONS)) {
            if (change.kind() == Change.Kind.DELETED) {
                parts.customTypes.withdraw(Json.name(change.object()));
                // The storage of the type is torn down, and nobody can watch what has none.
                new OpenWatches(parts.store).endOfDefinition(Json.name(change.object()));
            } else {
                queue.add(Json.name(change.object()));
            }
        } else if (change.kind() == Change.Kind.DELETED
                && !change.type().group().isEmpty()) {
            String definition = change.type().plural() + "." + change.type().group();
            if (parts.store.get(Gvr.CUSTOMRESOURCEDEFINITIONS, Key.of(null, definition)) != null) {
                queue.add(definition);
            }
        }
    }

    @Override
    public boolean work() {
        return queue.drain(this::handle);
    }

    private void handle(String name) {
        Optional<ObjectNode> found = api.get(Gvr.CUSTOMRESOURCEDEFINITIONS, null, name);
        if (found.isEmpty()) {
            return;
        }
        ObjectNode definition = found.get();
        if (Json.terminating(definition)) {
            cleanUp(definition);
            return;
        }
        parts.customTypes.serve(definition);
        if (!isEstablished(definition)) {
            api.update(Gvr.CUSTOMRESOURCEDEFINITIONS, null, name, "status", this::establish);
        }
    }

    static boolean isEstablished(JsonNode definition) {
        for (JsonNode condition : definition.path("status").path("conditions")) {
            if (Json.text(condition, "type").equals("Established")) {
                return Json.text(condition, "status").equals("True");
            }
        }
        return false;
    }

    /** Sets the condition Terminating on a definition whose status belongs to the caller. */
    static void terminating(ObjectNode definition, String now, String reason, String message) {
        ObjectNode status = KindHooks.own(definition, "status");
        ArrayNode conditions = status.arrayNode();
        for (JsonNode condition : status.path("conditions")) {
            if (!Json.text(condition, "type").equals("Terminating")) {
                conditions.add(condition);
            }
        }
        condition(conditions, now, "Terminating", reason, message);
        status.set("conditions", conditions);
    }

    private ObjectNode establish(ObjectNode definition) {
        String now = parts.clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        ObjectNode status = KindHooks.own(definition, "status");
        ArrayNode conditions = status.putArray("conditions");
        condition(conditions, now, "NamesAccepted", "NoConflicts", "no conflicts found");
        condition(conditions, now, "Established", "InitialNamesAccepted", "the initial names have been accepted");
        status.set("acceptedNames", definition.path("spec").path("names").deepCopy());
        if (!status.has("storedVersions") || status.get("storedVersions").isEmpty()) {
            ArrayNode stored = status.putArray("storedVersions");
            for (JsonNode version : definition.path("spec").path("versions")) {
                if (version.path("storage").asBoolean()) {
                    stored.add(version.path("name").asText());
                }
            }
        }
        return definition;
    }

    private static void condition(ArrayNode conditions, String now, String type, String reason, String message) {
        conditions
                .addObject()
                .put("type", type)
                .put("status", "True")
                .put("lastTransitionTime", now)
                .put("reason", reason)
                .put("message", message);
    }

    private void inProgress(ObjectNode definition) {
        if (definition.path("status").toString().contains("InstanceDeletionInProgress")) {
            return;
        }
        String now = parts.clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        api.update(Gvr.CUSTOMRESOURCEDEFINITIONS, null, Json.name(definition), "status", crd -> {
            terminating(crd, now, "InstanceDeletionInProgress", "CustomResource deletion is in progress");
            return crd;
        });
    }

    private void cleanUp(ObjectNode definition) {
        JsonNode spec = definition.path("spec");
        String group = Json.text(spec, "group");
        String plural = Json.text(spec.path("names"), "plural");
        ResourceType type = parts.registry.all().stream()
                .filter(t -> t.custom()
                        && t.gvr().group().equals(group)
                        && t.gvr().plural().equals(plural))
                .findFirst()
                .orElse(null);
        boolean left = false;
        if (type != null) {
            left = parts.store.locked(() -> {
                Table table = parts.store.table(type.storage());
                for (Stored stored : List.copyOf(table.objects.values())) {
                    if (!Json.terminating(stored.object())) {
                        api.delete(
                                type.gvr(),
                                Json.textOrNull(stored.object(), "metadata", "namespace"),
                                Json.name(stored.object()),
                                DeleteOptions.with(DeleteOptions.Propagation.BACKGROUND));
                    }
                }
                return !table.objects.isEmpty();
            });
        }
        if (left) {
            inProgress(definition);
        }
        if (!left && Finalizers.has(definition, CLEANUP)) {
            api.update(Gvr.CUSTOMRESOURCEDEFINITIONS, null, Json.name(definition), null, crd -> {
                List<String> finalizers = Finalizers.read(crd);
                finalizers.remove(CLEANUP);
                Finalizers.set(crd, finalizers);
                return crd;
            });
        }
    }
}
