package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.FieldError;
import dev.sro.testkit.schema.GoText;
import dev.sro.testkit.schema.TypeFault;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
            ResourceType type,
            ObjectNode next,
            Function<ResourceType, TypeRules> rules,
            WriteCall call,
            Supplier<ObjectNode> whole) {
        for (String field : List.of("apiVersion", "kind")) {
            JsonNode given = next.path(field);
            if (!given.isMissingNode() && !given.isNull() && !given.isTextual()) {
                throw explain(
                        whole.get(),
                        touched(call.patch),
                        "couldn't get version/kind; json parse error: json: cannot unmarshal " + Bodies.goType(given)
                                + " into Go struct field ." + field + " of type string");
            }
        }
        String kind = Json.text(next, "kind");
        String apiVersion = Json.text(next, "apiVersion");
        boolean own = kind.equals(type.kind()) && apiVersion.equals(type.apiVersion());
        if (own || (kind.isEmpty() && apiVersion.isEmpty())) {
            return;
        }
        if (!next.has("kind") && apiVersion.equals(type.apiVersion())) {
            next.put("kind", type.kind());
            return;
        }
        if (!next.has("apiVersion") && kind.equals(type.kind())) {
            versionless(next, call);
        }
        ResourceType other = ResourceRegistry.kubernetes().all().stream()
                .filter(t -> t.kind().equals(kind) && t.apiVersion().equals(apiVersion))
                .findFirst()
                .orElse(null);
        if (other == null) {
            throw explain(
                    whole.get(),
                    touched(call.patch),
                    "no kind \"" + kind + "\" is registered for version \"" + apiVersion
                            + "\" in scheme \"pkg/api/legacyscheme/scheme.go:30\"");
        }
        try {
            rules.apply(other).decode(next.deepCopy());
        } catch (TypeFault e) {
            throw explain(whole.get(), touched(call.patch), e.text());
        }
        throw explain(
                whole.get(),
                touched(call.patch),
                "converting (" + type.gvr().version() + "." + kind + ") to (" + type.kind() + "): unknown conversion");
    }

    /** Without a version it is read as the internal type, which knows none of its fields by these names. */
    private static void versionless(ObjectNode next, WriteCall call) {
        if (call.validation == WriteCall.FieldValidation.WARN) {
            next.fieldNames().forEachRemaining(field -> {
                if (!field.equals("kind")) {
                    call.warnings.add("unknown field \"" + field + "\"");
                }
            });
        }
        throw Errors.badRequest(
                "the name of the object (" + call.name + " based on URL) was undeterminable: name must be provided");
    }

    /** The refusal of a result; of a strategic merge patch the patch itself is shown instead. */
    static ApiException explain(WriteCall call, ObjectNode result, TypeFault fault) {
        JsonNode patch = call.patch;
        if (patch != null && call.patchType.equals("application/strategic-merge-patch+json")) {
            return refusal(GoText.write(patch), fault.restored());
        }
        return call.type.custom()
                ? refusal(quoted(sortedAll(result)), fault.text())
                : explain(result, touched(patch), fault.text());
    }

    private static ApiException refusal(String value, String fault) {
        FieldError error = new FieldError("FieldValueInvalid", "Invalid value: \"" + value + "\": " + fault, "patch");
        return Errors.invalid("", "", "", List.of(error));
    }

    /**
     * The refusal.
     *
     * @param result of the patch, with managedFields
     */
    static ApiException explain(ObjectNode result, JsonNode touched, String fault) {
        ObjectNode sorted = Json.object();
        result.properties().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> sorted.set(e.getKey(), e.getValue()));
        if (result.get("metadata") instanceof ObjectNode metadata) {
            sorted.set("metadata", inOrder(metadata));
        }
        sortTouched(sorted, touched);
        return refusal(quoted(sorted), fault);
    }

    /** Custom resources are told by their own kinds. */
    static void checkCustomKind(WriteCall call, ObjectNode next) {
        String kind = Json.text(next, "kind");
        if (!kind.isEmpty() && !kind.equals(call.type.kind())) {
            throw Errors.invalid(
                    call.gvr().group(),
                    kind,
                    call.name,
                    List.of(MetadataRules.invalid("kind", "\"" + kind + "\"", "must be " + call.type.kind())));
        }
    }

    private static String quoted(JsonNode value) {
        return value.toString().replace("\\", "\\\\").replace("\"", "\\\"");
    }

    /** Custom resources are maps through and through. */
    private static JsonNode sortedAll(JsonNode value) {
        if (!value.isObject()) {
            return value;
        }
        ObjectNode sorted = Json.object();
        value.properties().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> sorted.set(e.getKey(), sortedAll(e.getValue())));
        return sorted;
    }

    /** What a patch touches, in the form of a merge patch. */
    private static JsonNode touched(@Nullable JsonNode patch) {
        if (patch == null || patch.isObject()) {
            return patch == null ? Json.object() : patch;
        }
        ObjectNode all = Json.object();
        for (JsonNode operation : patch) {
            for (String field : new String[] {"path", "from"}) {
                ObjectNode at = all;
                String[] steps = Json.text(operation, field).split("/", -1);
                for (int i = 1; i < steps.length - 1; i++) {
                    at = at.withObjectProperty(steps[i]);
                }
            }
        }
        return all;
    }

    /** Maps that a patch goes into are written again in the order of their keys; what it leaves alone stays as it was. */
    private static void sortTouched(ObjectNode result, JsonNode touched) {
        for (Map.Entry<String, JsonNode> e : touched.properties()) {
            if (e.getValue().isObject() && result.get(e.getKey()) instanceof ObjectNode below) {
                ObjectNode sorted = Json.object();
                below.properties().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .forEach(entry -> sorted.set(entry.getKey(), entry.getValue()));
                sortTouched(sorted, e.getValue());
                result.set(e.getKey(), sorted);
            }
        }
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
