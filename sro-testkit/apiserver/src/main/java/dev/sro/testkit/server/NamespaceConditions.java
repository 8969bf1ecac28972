package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a namespace that is being deleted says about it: what is left in it, and which finalizers hold that. */
final class NamespaceConditions {
    private final String now;
    private final Map<String, Integer> resources = new TreeMap<>();
    private final Map<String, Integer> finalizers = new TreeMap<>();

    NamespaceConditions(String now) {
        this.now = now;
    }

    void remains(Gvr type, ObjectNode object) {
        resources.merge(type.plural() + "." + type.group(), 1, Integer::sum);
        object.path("metadata").path("finalizers").forEach(f -> finalizers.merge(f.asText(), 1, Integer::sum));
    }

    boolean nothingLeft() {
        return resources.isEmpty();
    }

    /** Sets the conditions on a namespace whose status belongs to the caller. */
    ObjectNode write(ObjectNode namespace) {
        ObjectNode status = KindHooks.own(namespace, "status");
        JsonNode before = status.path("conditions");
        ArrayNode conditions = status.arrayNode();
        add(
                conditions,
                before,
                "NamespaceDeletionDiscoveryFailure",
                "ResourcesDiscovered",
                "All resources successfully discovered");
        add(
                conditions,
                before,
                "NamespaceDeletionGroupVersionParsingFailure",
                "ParsedGroupVersions",
                "All legacy kube types successfully parsed");
        add(
                conditions,
                before,
                "NamespaceDeletionContentFailure",
                "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization");
        if (resources.isEmpty()) {
            add(conditions, before, "NamespaceContentRemaining", "ContentRemoved", "All content successfully removed");
        } else {
            hold(
                    conditions,
                    before,
                    "NamespaceContentRemaining",
                    "SomeResourcesRemain",
                    "Some resources are remaining: " + texts(resources, " has "));
        }
        if (finalizers.isEmpty()) {
            add(
                    conditions,
                    before,
                    "NamespaceFinalizersRemaining",
                    "ContentHasNoFinalizers",
                    "All content-preserving finalizers finished");
        } else {
            hold(
                    conditions,
                    before,
                    "NamespaceFinalizersRemaining",
                    "SomeFinalizersRemain",
                    "Some content in the namespace has finalizers remaining: " + texts(finalizers, " in "));
        }
        status.set("conditions", conditions);
        return namespace;
    }

    private static String texts(Map<String, Integer> counts, String between) {
        return counts.entrySet().stream()
                .map(e -> e.getKey() + between + e.getValue() + " resource instances")
                .collect(Collectors.joining(", "));
    }

    private void add(ArrayNode conditions, JsonNode before, String type, String reason, String message) {
        condition(conditions, before, type, "False", reason, message);
    }

    private void hold(ArrayNode conditions, JsonNode before, String type, String reason, String message) {
        condition(conditions, before, type, "True", reason, message);
    }

    private void condition(
            ArrayNode conditions, JsonNode before, String type, String value, String reason, String message) {
        String since = now;
        for (JsonNode known : before) {
            if (Json.text(known, "type").equals(type)
                    && Json.text(known, "status").equals(value)) {
                since = Json.text(known, "lastTransitionTime");
            }
        }
        conditions
                .addObject()
                .put("type", type)
                .put("status", value)
                .put("lastTransitionTime", since)
                .put("reason", reason)
                .put("message", message);
    }
}
