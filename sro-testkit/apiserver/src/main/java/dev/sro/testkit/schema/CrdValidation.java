package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validation of CustomResourceDefinition objects themselves (their defaults are in {@link BuiltinDefaults}). One use inside. */
public final class CrdValidation {
    private static final Set<String> COLUMN_TYPES = Set.of("boolean", "date", "integer", "number", "string");
    private static final String APPROVAL = "api-approved.kubernetes.io";

    private final List<FieldError> errors = new ArrayList<>();
    private final ObjectNode crd;
    private final JsonNode spec;

    private CrdValidation(ObjectNode crd) {
        this.crd = crd;
        this.spec = crd.path("spec");
    }

    /**
     * What is wrong with the definition.
     *
     * @param crd after defaulting
     * @param old the stored one on update, null on create
     */
    public static List<FieldError> validate(ObjectNode crd, @Nullable ObjectNode old) {
        CrdValidation validation = new CrdValidation(crd);
        validation.names(old);
        validation.group(old);
        validation.versions();
        return validation.errors;
    }

    private void names(@Nullable ObjectNode old) {
        JsonNode names = spec.path("names");
        String plural = JsonTree.text(names, "plural");
        String name = JsonTree.text(crd.path("metadata"), "name");
        if (!name.equals(plural + "." + JsonTree.text(spec, "group"))) {
            errors.add(FieldError.invalid(
                    "metadata.name", TextNode.valueOf(name), "must be spec.names.plural+\".\"+spec.group"));
        }
        label(plural, "spec.names.plural", "");
        label(JsonTree.text(names, "singular"), "spec.names.singular", "");
        String mixed = "may have mixed case, but should otherwise match: ";
        label(JsonTree.text(names, "kind"), "spec.names.kind", mixed);
        label(JsonTree.text(names, "listKind"), "spec.names.listKind", mixed);
        if (JsonTree.text(names, "kind").equals(JsonTree.text(names, "listKind")) && !plural.isEmpty()) {
            errors.add(FieldError.invalid(
                    "spec.names.listKind", names.get("listKind"), "kind and listKind may not be the same"));
        }
        scope(old);
    }

    private void label(String value, String field, String prefix) {
        if (value.isEmpty()) {
            errors.add(FieldError.required(field, ""));
            return;
        }
        String checked = prefix.isEmpty() ? value : value.toLowerCase(Locale.ROOT);
        if (!Names.isDns1035Label(checked)) {
            errors.add(FieldError.invalid(field, TextNode.valueOf(value), prefix + Names.DNS1035_LABEL));
        }
    }

    private void scope(@Nullable ObjectNode old) {
        String scope = JsonTree.text(spec, "scope");
        if (scope.isEmpty()) {
            errors.add(FieldError.required("spec.scope", ""));
        } else if (!scope.equals("Cluster") && !scope.equals("Namespaced")) {
            errors.add(FieldError.notSupported(
                    "spec.scope", TextNode.valueOf(scope), List.of("\"Cluster\"", "\"Namespaced\"")));
        }
        if (old != null && isEstablished(old)) {
            immutable(old, "scope");
            immutableName(old, "kind");
        }
    }

    private static boolean isEstablished(ObjectNode crd) {
        for (JsonNode condition : crd.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Established")) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }

    private void immutable(ObjectNode old, String field) {
        JsonNode value = spec.get(field);
        JsonNode before = old.path("spec").get(field);
        if (value != null && before != null && !value.equals(before)) {
            errors.add(FieldError.invalid("spec." + field, value, "field is immutable"));
        }
    }

    private void immutableName(ObjectNode old, String field) {
        JsonNode value = spec.path("names").get(field);
        JsonNode before = old.path("spec").path("names").get(field);
        if (value != null && before != null && !value.equals(before)) {
            errors.add(FieldError.invalid("spec.names." + field, value, "field is immutable"));
        }
    }

    private void group(@Nullable ObjectNode old) {
        String group = JsonTree.text(spec, "group");
        if (group.isEmpty()) {
            errors.add(FieldError.required("spec.group", ""));
        } else if (!Names.isSubdomain(group)) {
            errors.add(FieldError.invalid("spec.group", TextNode.valueOf(group), Names.SUBDOMAIN));
        } else if (!group.contains(".")) {
            errors.add(FieldError.invalid(
                    "spec.group", TextNode.valueOf(group), "should be a domain with at least one dot"));
        }
        boolean isProtected = group.equals("k8s.io")
                || group.endsWith(".k8s.io")
                || group.equals("kubernetes.io")
                || group.endsWith(".kubernetes.io");
        JsonNode annotations = crd.path("metadata").path("annotations");
        if (isProtected && old == null && !annotations.has(APPROVAL)) {
            errors.add(FieldError.required(
                    "metadata.annotations[" + APPROVAL + "]",
                    "protected groups must have approval annotation \"" + APPROVAL
                            + "\", see https://github.com/kubernetes/enhancements/pull/1111"));
        }
    }

    private void versions() {
        List<ObjectNode> versions = JsonTree.objects(spec, "versions");
        int storage = 0;
        String stored = "";
        Set<String> seen = new HashSet<>();
        boolean unique = true;
        for (int i = 0; i < versions.size(); i++) {
            String name = JsonTree.text(versions.get(i), "name");
            if (versions.get(i).path("storage").asBoolean()) {
                storage++;
                stored = name;
            }
            unique &= seen.add(name);
            if (!Names.isDns1035Label(name)) {
                errors.add(FieldError.invalid(
                        "spec.versions[" + i + "].name", TextNode.valueOf(name), Names.DNS1035_LABEL));
            }
        }
        if (!unique) {
            errors.add(FieldError.invalid(
                    "spec.versions", CrdDump.versions(versions), "must contain unique version names"));
        }
        if (storage != 1) {
            errors.add(FieldError.invalid(
                    "spec.versions",
                    CrdDump.versions(versions),
                    "must have exactly one version marked as storage version"));
        }
        storedVersions(stored);
        for (int i = 0; i < versions.size(); i++) {
            version(versions, i);
        }
    }

    private void storedVersions(String storage) {
        if (!crd.has("status")) {
            // The definition as its author writes it; the server adds the status.
            return;
        }
        JsonNode stored = crd.path("status").path("storedVersions");
        boolean found = storage.isEmpty();
        for (JsonNode version : stored) {
            found |= version.asText().equals(storage);
        }
        if (stored.isEmpty()) {
            errors.add(FieldError.invalid(
                    "status.storedVersions", NullNode.getInstance(), "must have at least one stored version"));
        } else if (!found) {
            errors.add(FieldError.invalid("status.storedVersions", stored, "must have the storage version " + storage));
        }
    }

    /** What all versions have in common, the server reports once, as if it stood in the spec itself. */
    private void version(List<ObjectNode> versions, int i) {
        ObjectNode version = versions.get(i);
        boolean common = same(versions, "schema");
        JsonNode schema = version.path("schema").path("openAPIV3Schema");
        if (!schema.isObject()) {
            errors.add(FieldError.required("spec.versions[" + i + "].schema.openAPIV3Schema", ""));
        } else if (!common || i == 0) {
            String path =
                    common ? "spec.validation.openAPIV3Schema" : "spec.versions[" + i + "].schema.openAPIV3Schema";
            boolean status = version.path("subresources").has("status");
            errors.addAll(StructuralCheck.validate((ObjectNode) schema, path, status));
        }
        boolean commonColumns = same(versions, "additionalPrinterColumns");
        if (!commonColumns || i == 0) {
            String path = commonColumns ? "spec" : "spec.versions[" + i + "]";
            columns(version, path + ".additionalPrinterColumns");
        }
    }

    private static boolean same(List<ObjectNode> versions, String field) {
        return versions.stream().map(v -> v.path(field)).distinct().count() == 1;
    }

    private void columns(ObjectNode version, String path) {
        List<ObjectNode> columns = JsonTree.objects(version, "additionalPrinterColumns");
        for (int i = 0; i < columns.size(); i++) {
            String at = path + "[" + i + "]";
            ObjectNode column = columns.get(i);
            if (JsonTree.text(column, "name").isEmpty()) {
                errors.add(FieldError.required(at + ".name", ""));
            }
            String type = JsonTree.text(column, "type");
            if (type.isEmpty()) {
                errors.add(FieldError.required(at + ".type", "must be one of boolean,date,integer,number,string"));
            } else if (!COLUMN_TYPES.contains(type)) {
                errors.add(FieldError.invalid(
                        at + ".type", TextNode.valueOf(type), "must be one of boolean,date,integer,number,string"));
            }
            String jsonPath = JsonTree.text(column, "jsonPath");
            if (jsonPath.isEmpty()) {
                errors.add(FieldError.required(at + ".JSONPath", ""));
            } else if (!jsonPath.startsWith(".")) {
                errors.add(FieldError.invalid(
                        at + ".JSONPath", TextNode.valueOf(jsonPath), "must be a simple json path starting with ."));
            }
        }
    }
}
