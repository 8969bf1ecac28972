package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The versions of a definition: schemas, subresources, columns, fields to select by. One use. */
final class CrdVersionCheck {
    private static final List<String> COLUMN_TYPES = List.of("boolean", "date", "integer", "number", "string");
    private static final List<String> COLUMN_FORMATS =
            List.of("binary", "byte", "date", "date-time", "double", "float", "int32", "int64", "password");
    private static final Set<String> SELECTABLE = Set.of("string", "boolean", "integer");
    private static final int MOST_SELECTABLE = 8;
    private static final int LONGEST_WARNING = 256;

    /** What the root of a schema may say where the status is a subresource, by the server's names and in its order. */
    private static final List<String> AT_ROOT = List.of(
            "Description",
            "Type",
            "Format",
            "Title",
            "Maximum",
            "ExclusiveMaximum",
            "Minimum",
            "ExclusiveMinimum",
            "MaxLength",
            "MinLength",
            "Pattern",
            "MaxItems",
            "MinItems",
            "UniqueItems",
            "MultipleOf",
            "Required",
            "Items",
            "Properties",
            "ExternalDocs",
            "Example",
            "XPreserveUnknownFields",
            "XValidations");

    private final List<FieldError> errors = new ArrayList<>();

    private CrdVersionCheck() {}

    /** What is wrong with a version, of what it does not have in common with all others. */
    static List<FieldError> one(List<ObjectNode> versions, int i) {
        CrdVersionCheck check = new CrdVersionCheck();
        check.version(versions, versions.get(i), i);
        return check.errors;
    }

    /** What is wrong with what all versions have in common: the server reports it once, as if it stood in the spec itself. */
    static List<FieldError> common(List<ObjectNode> versions) {
        CrdVersionCheck check = new CrdVersionCheck();
        if (!versions.isEmpty()) {
            check.shared(versions);
        }
        return check.errors;
    }

    private void version(List<ObjectNode> versions, ObjectNode version, int i) {
        String path = "spec.versions[" + i + "]";
        deprecation(version, path + ".deprecationWarning");
        if (!same(versions, "schema")) {
            schema(version, path + ".schema", version.path("subresources").has("status"));
        }
        if (!same(versions, "subresources")) {
            subresources(version, path);
        }
        if (!same(versions, "additionalPrinterColumns")) {
            columns(version, path);
        }
        if (!same(versions, "selectableFields")) {
            selectable(version, path);
        }
    }

    private void shared(List<ObjectNode> versions) {
        ObjectNode first = versions.get(0);
        if (same(versions, "schema")) {
            boolean status =
                    versions.stream().anyMatch(v -> v.path("subresources").has("status"));
            schema(first, "spec.validation", status);
        }
        if (same(versions, "subresources")) {
            subresources(first, "spec");
        }
        if (same(versions, "additionalPrinterColumns")) {
            columns(first, "spec");
        }
        if (same(versions, "selectableFields")) {
            // Where only the fields are common, there is no schema beside them.
            ObjectNode beside = first;
            if (!same(versions, "schema")) {
                beside = first.deepCopy();
                beside.remove("schema");
            }
            selectable(beside, "spec");
        }
    }

    private static boolean same(List<ObjectNode> versions, String field) {
        return versions.stream().map(v -> v.path(field)).distinct().count() == 1;
    }

    private void deprecation(ObjectNode version, String path) {
        JsonNode warning = version.path("deprecationWarning");
        if (!warning.isTextual()) {
            return;
        }
        String text = warning.textValue();
        if (!version.path("deprecated").asBoolean()) {
            errors.add(FieldError.invalid(path, warning, "can only be set for deprecated versions"));
            return;
        }
        if (text.getBytes(StandardCharsets.UTF_8).length > LONGEST_WARNING) {
            errors.add(FieldError.invalid(path, warning, "must be <= 256 characters long"));
        }
        if (text.isEmpty()) {
            errors.add(FieldError.invalid(path, warning, "must not be an empty string"));
        }
        int control = 0;
        while (control < text.length() && !Character.isISOControl(text.charAt(control))) {
            control++;
        }
        if (control < text.length()) {
            errors.add(FieldError.invalid(
                    path,
                    warning,
                    "must only contain printable UTF-8 characters; non-printable character found at index "
                            + text.substring(0, control).getBytes(StandardCharsets.UTF_8).length));
        }
    }

    private void schema(ObjectNode version, String path, boolean status) {
        if (!(version.path("schema").get("openAPIV3Schema") instanceof ObjectNode schema)) {
            return;
        }
        String at = path + ".openAPIV3Schema";
        int before = errors.size();
        if (status) {
            root(schema, at);
        }
        if (schema.path("nullable").asBoolean()) {
            errors.add(FieldError.forbidden(at + ".nullable", "nullable cannot be true at the root"));
        }
        Optional<String> unsupported = StructuralCheck.unsupported(schema);
        List<FieldError> found = List.of();
        if (unsupported.isEmpty()) {
            found = StructuralCheck.validate(schema, at);
            found = found.isEmpty() ? DefaultsCheck.validate(schema, at) : found;
        }
        errors.addAll(found);
        errors.addAll(SchemaCheck.validate(schema, at, unsupported.isEmpty() && found.isEmpty()));
        if (errors.size() == before) {
            unsupported.ifPresent(fault -> errors.add(FieldError.invalid(at, TextNode.valueOf(""), fault)));
        }
    }

    /** Where a status has a schema of its own, nothing may be said of the whole object that would be lost by that. */
    private void root(ObjectNode schema, String path) {
        for (String[] word : CrdDump.schemaWords()) {
            JsonNode value = schema.path(word[1]);
            boolean unset = value.isMissingNode() || value.isNull() || (value.isBoolean() && !value.booleanValue());
            if (unset) {
                continue;
            }
            if (word[0].equals("Type") && !value.asText().equals("object")) {
                errors.add(FieldError.invalid(
                        path + ".type",
                        value,
                        "only \"object\" is allowed as the type at the root of the schema if the status subresource is"
                                + " enabled"));
                return;
            }
            if (!AT_ROOT.contains(word[0])) {
                errors.add(FieldError.invalid(
                        path,
                        CrdDump.schema(schema),
                        "only [" + String.join(" ", AT_ROOT)
                                + "] fields are allowed at the root of the schema if the status subresource is"
                                + " enabled"));
                return;
            }
        }
    }

    private void subresources(ObjectNode version, String path) {
        if (!(version.path("subresources").get("scale") instanceof ObjectNode scale)) {
            return;
        }
        String at = path + ".subresources.scale.";
        replicas(scale, at, "specReplicasPath", ".spec");
        replicas(scale, at, "statusReplicasPath", ".status");
        String selector = JsonTree.text(scale, "labelSelectorPath");
        if (!selector.isEmpty()
                && isSimple(selector, at + "labelSelectorPath")
                && !selector.startsWith(".spec.")
                && !selector.startsWith(".status.")) {
            errors.add(FieldError.invalid(
                    at + "labelSelectorPath",
                    TextNode.valueOf(selector),
                    "should be a json path under either .spec or .status"));
        }
    }

    private void replicas(ObjectNode scale, String at, String field, String under) {
        String value = JsonTree.text(scale, field);
        if (value.isEmpty()) {
            errors.add(FieldError.required(at + field, ""));
        } else if (isSimple(value, at + field) && !value.startsWith(under + ".")) {
            errors.add(FieldError.invalid(at + field, TextNode.valueOf(value), "should be a json path under " + under));
        }
    }

    private boolean isSimple(String value, String path) {
        if (value.startsWith(".")) {
            return true;
        }
        errors.add(FieldError.invalid(path, TextNode.valueOf(value), "must be a simple json path starting with ."));
        return false;
    }

    private void columns(ObjectNode version, String path) {
        List<ObjectNode> columns = JsonTree.objects(version, "additionalPrinterColumns");
        for (int i = 0; i < columns.size(); i++) {
            String at = path + ".additionalPrinterColumns[" + i + "]";
            ObjectNode column = columns.get(i);
            if (JsonTree.text(column, "name").isEmpty()) {
                errors.add(FieldError.required(at + ".name", ""));
            }
            String type = JsonTree.text(column, "type");
            String oneOf = "must be one of " + String.join(",", COLUMN_TYPES);
            if (type.isEmpty()) {
                errors.add(FieldError.required(at + ".type", oneOf));
            } else if (!COLUMN_TYPES.contains(type)) {
                errors.add(FieldError.invalid(at + ".type", TextNode.valueOf(type), oneOf));
            }
            String format = JsonTree.text(column, "format");
            if (!format.isEmpty() && !COLUMN_FORMATS.contains(format)) {
                errors.add(FieldError.invalid(
                        at + ".format",
                        TextNode.valueOf(format),
                        "must be one of " + String.join(",", COLUMN_FORMATS)));
            }
            String jsonPath = JsonTree.text(column, "jsonPath");
            if (jsonPath.isEmpty()) {
                errors.add(FieldError.required(at + ".JSONPath", ""));
            } else {
                isSimple(jsonPath, at + ".JSONPath");
            }
        }
    }

    private void selectable(ObjectNode version, String path) {
        List<ObjectNode> fields = JsonTree.objects(version, "selectableFields");
        JsonNode schema = version.path("schema").path("openAPIV3Schema");
        if (fields.isEmpty()) {
            return;
        }
        if (!schema.isObject()) {
            String detail = path.equals("spec")
                    ? "may only be set when validations.schema is included"
                    : "may only be set when `version.schema.openAPIV3Schema` is not included";
            errors.add(FieldError.invalid(path + ".selectableFields", TextNode.valueOf(""), detail));
            return;
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < fields.size(); i++) {
            String at = path + ".selectableFields[" + i + "].jsonPath";
            JsonNode text = TextNode.valueOf(JsonTree.text(fields.get(i), "jsonPath"));
            if (text.asText().isEmpty()) {
                errors.add(FieldError.required(at, ""));
                continue;
            }
            FieldPaths.Place place = FieldPaths.find(text.asText(), schema, false);
            if (!place.fault().isEmpty()) {
                errors.add(FieldError.invalid(at, text, "is an invalid path: " + place.fault()));
                continue;
            }
            if (place.root().equals("metadata")) {
                errors.add(FieldError.invalid(at, text, "must not point to fields in metadata"));
            }
            if (!SELECTABLE.contains(JsonTree.text(place.schema(), "type"))) {
                errors.add(FieldError.invalid(
                        at,
                        text,
                        "must point to a field of type string, boolean or integer. Enum string fields and strings with"
                                + " formats are allowed."));
            }
            if (!seen.add(place.path())) {
                errors.add(FieldError.duplicate(at, text));
            }
        }
        if (seen.size() > MOST_SELECTABLE) {
            errors.add(FieldError.tooMany(path + ".selectableFields", seen.size(), MOST_SELECTABLE));
        }
    }
}
