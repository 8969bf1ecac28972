package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whether the defaults of a structural schema are values that it takes, rules included. One use. */
final class DefaultsCheck {
    private final List<FieldError> errors = new ArrayList<>();

    private DefaultsCheck() {}

    static List<FieldError> validate(ObjectNode schema, String path) {
        DefaultsCheck check = new DefaultsCheck();
        check.node(schema, path);
        return check.errors;
    }

    /** Within {@code additionalProperties} of metadata there may be none, and elsewhere nobody looks there. */
    private void node(ObjectNode schema, String path) {
        JsonNode value = schema.get("default");
        if (value != null && !value.isNull()) {
            value(SchemaNode.read(schema), value, path + ".default");
        }
        if (schema.get("items") instanceof ObjectNode items) {
            node(items, path + ".items");
        }
        for (Map.Entry<String, JsonNode> p : schema.path("properties").properties()) {
            if (p.getValue() instanceof ObjectNode property) {
                node(property, path + ".properties[" + p.getKey() + "]");
            }
        }
    }

    private void value(SchemaNode schema, JsonNode value, String path) {
        if (Pruning.hasUnknown(schema, value)) {
            errors.add(FieldError.invalid(path, value, "must not have unknown fields"));
        }
        List<FieldError> found = new SchemaValidator(path).validate(schema, value, null);
        if (found.isEmpty()) {
            // As it would be in an object that stays as it is, and in a new one.
            found = CelRules.evaluate(schema, value, value, path);
        }
        if (found.isEmpty()) {
            found = CelRules.evaluate(schema, value, null, path);
        }
        errors.addAll(found);
    }
}
