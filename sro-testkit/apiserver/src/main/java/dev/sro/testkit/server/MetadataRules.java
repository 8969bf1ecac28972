package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.FieldError;
import dev.sro.testkit.schema.GoText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What holds for the metadata of every object: its system fields, and what is valid in it. */
final class MetadataRules {
    private static final int MAX_ANNOTATIONS = 256 * 1024;
    private static final Set<String> SYSTEM = Set.of(
            "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "selfLink");
    private static final Set<String> KNOWN_FINALIZERS = Set.of("foregroundDeletion", "orphan", "kubernetes");

    private MetadataRules() {}

    /** Takes from a new object what only the server may set. */
    static void wipeSystemFields(ObjectNode metadata) {
        metadata.remove(
                List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"));
    }

    /** Takes from any object that is about to be made what the server sets then. */
    static void dropAllotted(ObjectNode metadata) {
        metadata.remove(List.of("uid", "creationTimestamp", "selfLink", "resourceVersion"));
    }

    /** Takes from an update what only the server may set, and puts back what it has set. */
    static void keepSystemFields(ObjectNode next, ObjectNode old) {
        ObjectNode metadata = Json.metadata(next);
        JsonNode before = old.path("metadata");
        for (String field : SYSTEM) {
            JsonNode value = before.get(field);
            if (value == null) {
                metadata.remove(field);
            } else {
                metadata.set(field, value);
            }
        }
        metadata.set("name", before.get("name"));
        if (before.has("namespace")) {
            metadata.set("namespace", before.get("namespace"));
        }
        dropEmpty(metadata);
    }

    /** What the encoder leaves out. */
    static void dropEmpty(ObjectNode metadata) {
        for (String field : new String[] {"labels", "annotations", "finalizers", "ownerReferences", "generateName"}) {
            if (metadata.has(field) && Json.isEmpty(metadata.get(field))) {
                metadata.remove(field);
            }
        }
    }

    /** An owner that is named twice counts once. */
    static void dropDoubleOwners(ObjectNode object, WriteCall call) {
        JsonNode owners = object.path("metadata").path("ownerReferences");
        if (owners.size() < 2) {
            return;
        }
        Set<JsonNode> distinct = new LinkedHashSet<>();
        Set<String> twice = new LinkedHashSet<>();
        for (JsonNode owner : owners) {
            if (!distinct.add(owner)) {
                twice.add(Json.text(owner, "uid"));
            }
        }
        if (distinct.size() < owners.size()) {
            ArrayNode fewer = Json.metadata(object).putArray("ownerReferences");
            distinct.forEach(fewer::add);
            call.warnings.add(
                    ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in"
                            + " 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s)"
                            + " observed: " + String.join(", ", twice));
        }
    }

    /** What is wrong with the metadata; what did not change against {@code old} is not looked at again. */
    static List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old, TypeRules rules) {
        List<FieldError> errors = new ArrayList<>();
        JsonNode metadata = object.path("metadata");
        String name = Json.text(metadata, "name");
        String generateName = Json.text(metadata, "generateName");
        if (!generateName.isEmpty() && rules.checksGenerateName()) {
            for (String fault : rules.nameFaults(maskTail(generateName))) {
                errors.add(invalid("metadata.generateName", quote(generateName), fault));
            }
        }
        if (metadata.path("generation").asLong() < 0) {
            errors.add(invalid(
                    "metadata.generation", metadata.path("generation").asText(), "must be greater than or equal to 0"));
        }
        if (name.isEmpty()) {
            errors.add(new FieldError(
                    "FieldValueRequired", "Required value: name or generateName is required", "metadata.name"));
        } else {
            rules.nameFaults(name).forEach(f -> errors.add(invalid("metadata.name", quote(name), f)));
        }
        JsonNode before = old == null ? Json.object() : old.path("metadata");
        if (!ObjectComparison.same(metadata.get("labels"), before.get("labels"))) {
            labels(metadata, errors);
        }
        if (!ObjectComparison.same(metadata.get("annotations"), before.get("annotations"))) {
            annotations(metadata, errors);
        }
        owners(metadata, errors);
        finalizers(metadata, errors, rules.strictFinalizers());
        opposites(metadata, errors);
        return errors;
    }

    private static String maskTail(String generateName) {
        return generateName.endsWith("-") && generateName.length() > 1
                ? generateName.substring(0, generateName.length() - 1) + "a"
                : generateName;
    }

    private static void labels(JsonNode metadata, List<FieldError> errors) {
        for (Map.Entry<String, JsonNode> e : metadata.path("labels").properties()) {
            Labels.keyFaults(e.getKey()).forEach(f -> errors.add(invalid("metadata.labels", quote(e.getKey()), f)));
            String value = e.getValue().asText();
            Labels.valueFaults(value).forEach(f -> errors.add(invalid("metadata.labels", quote(value), f)));
        }
    }

    private static void annotations(JsonNode metadata, List<FieldError> errors) {
        long size = 0;
        for (Map.Entry<String, JsonNode> e : metadata.path("annotations").properties()) {
            String key = e.getKey();
            Labels.keyFaults(key.toLowerCase(java.util.Locale.ROOT))
                    .forEach(f -> errors.add(invalid("metadata.annotations", quote(key), f)));
            size += key.length() + e.getValue().asText().length();
        }
        if (size > MAX_ANNOTATIONS) {
            errors.add(new FieldError(
                    "FieldValueTooLong",
                    "Too long: may not be more than " + MAX_ANNOTATIONS + " bytes",
                    "metadata.annotations"));
        }
    }

    private static void owners(JsonNode metadata, List<FieldError> errors) {
        int controllers = 0;
        for (JsonNode owner : metadata.path("ownerReferences")) {
            String at = "metadata.ownerReferences";
            String version = Json.text(owner, "apiVersion");
            if (version.isEmpty() || version.endsWith("/") || version.indexOf('/') != version.lastIndexOf('/')) {
                errors.add(invalid(at + ".apiVersion", quote(version), "version must not be empty"));
            }
            for (String field : new String[] {"kind", "name", "uid"}) {
                if (Json.text(owner, field).isEmpty()) {
                    errors.add(invalid(at + "." + field, "\"\"", "must not be empty"));
                }
            }
            if (Json.text(owner, "kind").equals("Event")
                    && Json.text(owner, "apiVersion").equals("v1")) {
                errors.add(invalid(at, owner.toString(), "/v1, Kind=Event is disallowed from being an owner"));
            }
            if (owner.path("controller").asBoolean() && ++controllers == 2) {
                errors.add(invalid(
                        "metadata.ownerReferences",
                        metadata.path("ownerReferences").toString(),
                        "Only one reference can have Controller set to true. Found \"true\" in references for "
                                + reference(firstController(metadata)) + " and " + reference(owner)));
            }
        }
    }

    /**
     * The same errors as often as the server finds them on an update: its generic layer and the type's own validation both look at
     * the new metadata and at the change.
     */
    static List<FieldError> repeated(List<FieldError> errors, TypeRules rules) {
        List<FieldError> all = new ArrayList<>(errors);
        for (FieldError error : errors) {
            boolean finalizer = error.field().startsWith("metadata.finalizers");
            int times = finalizer ? rules.metadataChecks() - 2 : rules.metadataChecks();
            for (int i = 1; i < times; i++) {
                all.add(error);
            }
        }
        return all;
    }

    /** Custom resources may have finalizers without a domain, but should not. */
    static void warnOfFinalizers(ObjectNode object, @Nullable ObjectNode old, TypeRules rules, WriteCall call) {
        JsonNode finalizers = object.path("metadata").path("finalizers");
        if (!call.type.custom() || finalizers.isEmpty()) {
            return;
        }
        Set<String> known = old == null ? Set.of() : texts(old.path("metadata").path("finalizers"));
        for (JsonNode finalizer : finalizers) {
            String name = finalizer.asText();
            if (!name.contains("/") && !known.contains(name) && !KNOWN_FINALIZERS.contains(name)) {
                call.warnings.add("metadata.finalizers: " + quote(name)
                        + ": prefer a domain-qualified finalizer name to avoid accidental conflicts with other"
                        + " finalizer writers");
            }
        }
    }

    private static void finalizers(JsonNode metadata, List<FieldError> errors, boolean strict) {
        int i = 0;
        for (JsonNode finalizer : metadata.path("finalizers")) {
            String at = "metadata.finalizers[" + i++ + "]";
            String text = finalizer.asText();
            Labels.keyFaults(text).forEach(f -> errors.add(invalid("metadata.finalizers", quote(text), f)));
            if (strict && !text.contains("/") && !KNOWN_FINALIZERS.contains(text)) {
                errors.add(invalid(
                        at, quote(text), "name is neither a standard finalizer name nor is it fully qualified"));
            }
        }
    }

    private static void opposites(JsonNode metadata, List<FieldError> errors) {
        Set<String> names = texts(metadata.path("finalizers"));
        if (names.contains("orphan") && names.contains("foregroundDeletion")) {
            errors.add(invalid(
                    "metadata.finalizers",
                    metadata.path("finalizers").toString(),
                    "finalizer orphan and foregroundDeletion cannot be both set"));
        }
    }

    private static JsonNode firstController(JsonNode metadata) {
        for (JsonNode owner : metadata.path("ownerReferences")) {
            if (owner.path("controller").asBoolean()) {
                return owner;
            }
        }
        return metadata.path("ownerReferences").path(0);
    }

    private static String reference(JsonNode owner) {
        return Json.text(owner, "kind") + "/" + Json.text(owner, "name");
    }

    /** What an update may not do to metadata. {@code sent} is what came before the system fields were put back. */
    static List<FieldError> validateUpdate(ObjectNode sent, ObjectNode old) {
        List<FieldError> errors = new ArrayList<>();
        JsonNode now = sent.path("metadata");
        JsonNode before = old.path("metadata");
        if (Json.terminating(old)) {
            Set<String> had = texts(before.path("finalizers"));
            List<String> added = new ArrayList<>(texts(now.path("finalizers")));
            added.removeAll(had);
            if (!added.isEmpty()) {
                errors.add(new FieldError(
                        "FieldValueForbidden",
                        "Forbidden: no new finalizers can be added if the object is being deleted, found new"
                                + " finalizers "
                                + goSlice(added),
                        "metadata.finalizers"));
            }
        }
        immutable("uid", now, before, errors);
        immutable("deletionTimestamp", now, before, errors);
        immutable("deletionGracePeriodSeconds", now, before, errors);
        return errors;
    }

    private static void immutable(String field, JsonNode now, JsonNode before, List<FieldError> errors) {
        JsonNode value = now.get(field);
        if (!Json.isEmpty(value) && !ObjectComparison.same(value, before.get(field))) {
            errors.add(invalid("metadata." + field, shown(field, value), "field is immutable"));
        }
    }

    /** Times are those of whole seconds by then. */
    private static String shown(String field, JsonNode value) {
        return field.endsWith("Timestamp") && value.isTextual()
                ? quote(value.asText().replaceFirst("\\.[0-9]+(?=Z|[+-])", ""))
                : value.toString();
    }

    private static String goSlice(List<String> values) {
        StringBuilder text = new StringBuilder("[]string{");
        for (int i = 0; i < values.size(); i++) {
            text.append(i == 0 ? "" : ", ").append(quote(values.get(i)));
        }
        return text.append('}').toString();
    }

    private static Set<String> texts(JsonNode array) {
        Set<String> all = new HashSet<>();
        array.forEach(e -> all.add(e.asText()));
        return all;
    }

    static String quote(@Nullable String text) {
        return GoText.quoted(String.valueOf(text));
    }

    static FieldError invalid(String field, String value, String why) {
        return new FieldError("FieldValueInvalid", "Invalid value: " + value + ": " + why, field);
    }
}
