package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.FieldError;
import dev.sro.testkit.schema.TypeFault;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** What is said of a patch whose result cannot be read: with the whole result. Stateless. */
final class PatchFaults {
    /** The order in which the server writes metadata. */
    private static final List<String> METADATA = List.of(
            "name",
            "generateName",
            "namespace",
            "selfLink",
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "labels",
            "annotations",
            "ownerReferences",
            "finalizers",
            "managedFields");

    private PatchFaults() {}

    /** A patch may not make something else of an object: the result is read as what it says it is. */
    static void checkKind(
            ResourceType type, ObjectNode next, Function<ResourceType, TypeRules> rules, Supplier<ObjectNode> whole) {
        String kind = Json.text(next, "kind");
        String apiVersion = Json.text(next, "apiVersion");
        boolean own = kind.equals(type.kind()) && apiVersion.equals(type.apiVersion());
        if (own || (kind.isEmpty() && apiVersion.isEmpty())) {
            return;
        }
        ResourceType other = ResourceRegistry.kubernetes().all().stream()
                .filter(t -> t.kind().equals(kind) && t.apiVersion().equals(apiVersion))
                .findFirst()
                .orElse(null);
        if (other == null) {
            throw of(
                    whole.get(),
                    "no kind \"" + kind + "\" is registered for version \"" + apiVersion
                            + "\" in scheme \"pkg/api/legacyscheme/scheme.go:30\"");
        }
        try {
            rules.apply(other).decode(next.deepCopy());
        } catch (TypeFault e) {
            throw of(whole.get(), e.text());
        }
        throw of(
                whole.get(),
                "converting (" + type.gvr().version() + "." + kind + ") to (" + type.kind() + "): unknown conversion");
    }

    /**
     * The refusal.
     *
     * @param result of the patch, with managedFields
     */
    static ApiException of(ObjectNode result, String fault) {
        ObjectNode sorted = Json.object();
        result.properties().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> sorted.set(e.getKey(), e.getValue()));
        if (result.get("metadata") instanceof ObjectNode metadata) {
            sorted.set("metadata", inOrder(metadata));
        }
        String quoted = sorted.toString().replace("\\", "\\\\").replace("\"", "\\\"");
        FieldError error = new FieldError("FieldValueInvalid", "Invalid value: \"" + quoted + "\": " + fault, "patch");
        return Errors.invalid("", "", "", List.of(error));
    }

    private static ObjectNode inOrder(ObjectNode metadata) {
        ObjectNode ordered = Json.object();
        for (String field : METADATA) {
            JsonNode value = metadata.get(field);
            if (value != null) {
                ordered.set(field, value);
            }
        }
        return ordered;
    }
}
