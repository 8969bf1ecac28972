package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Defaults of a structural schema, applied in place. */
final class Defaulting {
    private Defaulting() {}

    static void apply(SchemaNode schema, JsonNode value) {
        if (value instanceof ObjectNode object) {
            for (Map.Entry<String, SchemaNode> p : schema.properties.entrySet()) {
                JsonNode defaultValue = p.getValue().defaultValue;
                JsonNode old = object.get(p.getKey());
                if (defaultValue != null && (old == null || (old.isNull() && !p.getValue().nullable))) {
                    object.set(p.getKey(), defaultValue.deepCopy());
                }
            }
            for (Map.Entry<String, JsonNode> e : object.properties()) {
                SchemaNode property = schema.properties.get(e.getKey());
                SchemaNode known = property != null ? property : schema.additional;
                if (known != null) {
                    JsonNode defaultValue = known.defaultValue;
                    if (defaultValue != null && e.getValue().isNull() && !known.nullable) {
                        e.setValue(defaultValue.deepCopy());
                    }
                    apply(known, e.getValue());
                }
            }
        } else if (value.isArray() && schema.items != null) {
            for (JsonNode item : value) {
                apply(schema.items, item);
            }
        }
    }
}
