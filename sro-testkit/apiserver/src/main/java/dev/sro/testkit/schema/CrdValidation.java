package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
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
        if (old == null) {
            validation.name();
        }
        validation.group();
        validation.scope();
        validation.preserved();
        validation.versions();
        validation.firstVersion();
        validation.names();
        validation.errors.addAll(CrdVersionCheck.common(JsonTree.objects(validation.spec, "versions")));
        validation.errors.addAll(CrdConversionCheck.validate(validation.spec));
        if (old != null) {
            validation.immutable(old);
        }
        validation.storedVersions();
        validation.approval(old);
        if (validation.spec.path("preserveUnknownFields").asBoolean()) {
            validation.errors.add(FieldError.invalid(
                    "spec.preserveUnknownFields",
                    BooleanNode.TRUE,
                    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema"
                            + " instead"));
        }
        return validation.errors;
    }

    private void name() {
        String plural = JsonTree.text(spec.path("names"), "plural");
        String name = JsonTree.text(crd.path("metadata"), "name");
        if (!name.equals(plural + "." + JsonTree.text(spec, "group"))) {
            errors.add(FieldError.invalid(
                    "metadata.name", TextNode.valueOf(name), "must be spec.names.plural+\".\"+spec.group"));
        }
        String base = JsonTree.text(crd.path("metadata"), "generateName");
        if (!base.isEmpty() && !base.equals(plural + "." + JsonTree.text(spec, "group"))) {
            errors.add(FieldError.invalid(
                    "metadata.generateName", TextNode.valueOf(base), "must be spec.names.plural+\".\"+spec.group"));
        }
    }

    private void names() {
        JsonNode names = spec.path("names");
        for (String field : List.of("plural", "singular", "kind", "listKind")) {
            if (JsonTree.text(names, field).isEmpty()) {
                errors.add(FieldError.required("spec.names." + field, ""));
            }
        }
        for (String field : List.of("plural", "singular", "kind", "listKind")) {
            label(
                    JsonTree.text(names, field),
                    "spec.names." + field,
                    field.toLowerCase(Locale.ROOT).endsWith("kind"));
        }
        String kind = JsonTree.text(names, "kind");
        labels(names.path("shortNames"), "spec.names.shortNames");
        if (!kind.isEmpty() && kind.equals(JsonTree.text(names, "listKind"))) {
            errors.add(FieldError.invalid(
                    "spec.names.listKind", names.get("listKind"), "kind and listKind may not be the same"));
        }
        labels(names.path("categories"), "spec.names.categories");
    }

    private void labels(JsonNode values, String field) {
        for (int i = 0; i < values.size(); i++) {
            String at = field + "[" + i + "]";
            if (!Names.isDns1035Label(values.get(i).asText())) {
                errors.add(FieldError.invalid(at, values.get(i), Names.DNS1035_LABEL));
            }
        }
    }

    private void label(String value, String field, boolean mixedCase) {
        String checked = mixedCase ? value.toLowerCase(Locale.ROOT) : value;
        if (!value.isEmpty() && !Names.isDns1035Label(checked)) {
            String prefix = mixedCase ? "may have mixed case, but should otherwise match: " : "";
            errors.add(FieldError.invalid(field, TextNode.valueOf(value), prefix + Names.DNS1035_LABEL));
        }
    }

    private void scope() {
        String scope = JsonTree.text(spec, "scope");
        if (scope.isEmpty()) {
            errors.add(FieldError.required("spec.scope", ""));
        } else if (!scope.equals("Cluster") && !scope.equals("Namespaced")) {
            errors.add(FieldError.notSupported(
                    "spec.scope", TextNode.valueOf(scope), List.of("\"Cluster\"", "\"Namespaced\"")));
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

    private void immutable(ObjectNode old) {
        if (isEstablished(old)) {
            immutable(old, "scope");
            immutable(old, "names.kind");
        }
        immutable(old, "group");
        immutable(old, "names.plural");
    }

    private void immutable(ObjectNode old, String field) {
        String pointer = "/" + field.replace('.', '/');
        JsonNode value = spec.at(pointer);
        JsonNode before = old.path("spec").at(pointer);
        if (!value.asText().equals(before.asText())) {
            errors.add(FieldError.invalid("spec." + field, TextNode.valueOf(value.asText()), "field is immutable"));
        }
    }

    private void preserved() {
        boolean preserves = spec.path("preserveUnknownFields").asBoolean();
        if (preserves
                && JsonTree.objects(spec, "versions").stream()
                        .anyMatch(version -> hasDefault(version.path("schema").path("openAPIV3Schema")))) {
            errors.add(FieldError.invalid(
                    "spec.preserveUnknownFields",
                    BooleanNode.TRUE,
                    "must be false in order to use defaults in the schema"));
        }
    }

    private static boolean hasDefault(JsonNode schema) {
        boolean found = schema.hasNonNull("default");
        for (String word : List.of("items", "additionalProperties", "not")) {
            found |= schema.path(word).isObject() && hasDefault(schema.path(word));
        }
        for (String word : List.of("properties", "allOf", "anyOf", "oneOf")) {
            for (JsonNode below : schema.path(word)) {
                found |= hasDefault(below);
            }
        }
        return found;
    }

    private void group() {
        String group = JsonTree.text(spec, "group");
        if (group.isEmpty()) {
            errors.add(FieldError.required("spec.group", ""));
        } else if (!Names.isSubdomain(group)) {
            errors.add(FieldError.invalid("spec.group", TextNode.valueOf(group), Names.SUBDOMAIN));
        } else if (!group.contains(".")) {
            errors.add(FieldError.invalid(
                    "spec.group", TextNode.valueOf(group), "should be a domain with at least one dot"));
        }
    }

    private void approval(@Nullable ObjectNode old) {
        String group = JsonTree.text(spec, "group");
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
        Set<String> seen = new HashSet<>();
        boolean unique = true;
        for (int i = 0; i < versions.size(); i++) {
            if (!versions.get(i).path("schema").path("openAPIV3Schema").isObject()) {
                errors.add(FieldError.required("spec.versions[" + i + "].schema.openAPIV3Schema", ""));
            }
        }
        for (int i = 0; i < versions.size(); i++) {
            ObjectNode version = versions.get(i);
            String name = JsonTree.text(version, "name");
            storage += version.path("storage").asBoolean() ? 1 : 0;
            unique &= seen.add(name);
            if (!Names.isDns1035Label(name)) {
                errors.add(FieldError.invalid(
                        "spec.versions[" + i + "].name", TextNode.valueOf(name), Names.DNS1035_LABEL));
            }
            errors.addAll(CrdVersionCheck.one(versions, i));
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
    }

    /** What the first version is called, is the name of an older field, too. */
    private void firstVersion() {
        String first = JsonTree.text(spec.path("versions").path(0), "name");
        if (!first.isEmpty() && !Names.isDns1035Label(first)) {
            errors.add(FieldError.invalid("spec.version", TextNode.valueOf(first), Names.DNS1035_LABEL));
        }
    }

    private void storedVersions() {
        if (!crd.has("status")) {
            // The definition as its author writes it; the server adds the status.
            return;
        }
        JsonNode stored = crd.path("status").path("storedVersions");
        if (stored.isEmpty()) {
            errors.add(FieldError.invalid(
                    "status.storedVersions", NullNode.getInstance(), "must have at least one stored version"));
            return;
        }
        Set<String> names = new HashSet<>();
        stored.forEach(version -> names.add(version.asText()));
        Set<String> specified = new HashSet<>();
        for (ObjectNode version : JsonTree.objects(spec, "versions")) {
            String name = JsonTree.text(version, "name");
            specified.add(name);
            // The second version of a name finds it taken.
            if (!names.remove(name) && version.path("storage").asBoolean()) {
                errors.add(
                        FieldError.invalid("status.storedVersions", stored, "must have the storage version " + name));
            }
        }
        for (int i = 0; i < stored.size(); i++) {
            String name = stored.get(i).asText();
            if (!specified.contains(name)) {
                errors.add(FieldError.invalid(
                        "status.storedVersions[" + i + "]",
                        stored.get(i),
                        "missing from spec.versions; " + name + " was previously a storage version, and must remain in"
                                + " spec.versions until a storage migration ensures no data remains persisted in "
                                + name + " and removes " + name + " from status.storedVersions"));
            }
        }
    }
}
