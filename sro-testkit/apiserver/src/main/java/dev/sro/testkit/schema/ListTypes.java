package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lists that are sets or maps must not hold an item twice. */
final class ListTypes {
    private final List<FieldError> errors = new ArrayList<>();

    private ListTypes() {}

    static List<FieldError> validate(SchemaNode schema, JsonNode value) {
        return validateAt(schema, value, "");
    }

    static List<FieldError> validateAt(SchemaNode schema, JsonNode value, String path) {
        ListTypes check = new ListTypes();
        check.value(schema, value, path);
        return check.errors;
    }

    private void value(SchemaNode schema, JsonNode value, String path) {
        if (value.isObject()) {
            for (Map.Entry<String, JsonNode> e : value.properties()) {
                SchemaNode property = schema.properties.get(e.getKey());
                SchemaNode known = property != null ? property : schema.additional;
                if (known != null) {
                    String at = path.isEmpty() ? e.getKey() : path + "." + e.getKey();
                    value(known, e.getValue(), property == null ? path + "[" + e.getKey() + "]" : at);
                }
            }
        } else if (value.isArray()) {
            items(schema, value, path);
        }
    }

    private void items(SchemaNode schema, JsonNode list, String path) {
        Set<JsonNode> seen = new HashSet<>();
        // What is there three times is said once.
        Set<JsonNode> said = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            String at = path + "[" + i + "]";
            if (schema.listType.equals("set") && !seen.add(list.get(i))) {
                if (!said.add(list.get(i))) {
                    continue;
                }
                errors.add(FieldError.duplicate(at, list.get(i)));
            } else if (schema.listType.equals("map")) {
                ObjectNode key = key(schema, list.get(i));
                if (!seen.add(key)) {
                    errors.add(FieldError.duplicate(at, key));
                }
            }
            if (schema.items != null) {
                value(schema.items, list.get(i), at);
            }
        }
    }

    static ObjectNode key(SchemaNode schema, JsonNode item) {
        ObjectNode key = JsonNodeFactory.instance.objectNode();
        for (String name : schema.listKeys) {
            JsonNode value = item.get(name);
            if (value != null) {
                key.set(name, value);
            }
        }
        return key;
    }
}
