package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Removal of what a structural schema does not specify, and of nulls where no null may be. */
final class Pruning {
    private static final Set<String> OBJECT_FIELDS = Set.of("apiVersion", "kind", "metadata");

    private final List<String> removed = new ArrayList<>();

    private boolean keepsNulls;

    private Pruning() {}

    /** Prunes in place; returns the paths of what was removed, sorted. Dropped nulls are not reported. */
    static List<String> prune(SchemaNode root, ObjectNode object) {
        Pruning pruning = new Pruning();
        pruning.object(root, object, "", true);
        Collections.sort(pruning.removed);
        return pruning.removed;
    }

    static List<String> pruneButNulls(SchemaNode root, ObjectNode object) {
        Pruning pruning = new Pruning();
        pruning.keepsNulls = true;
        pruning.object(root, object, "", true);
        Collections.sort(pruning.removed);
        return pruning.removed;
    }

    /** Whether a value has fields that its schema does not specify. */
    static boolean hasUnknown(SchemaNode schema, JsonNode value) {
        Pruning pruning = new Pruning();
        pruning.value(schema, value.deepCopy(), "");
        return !pruning.removed.isEmpty();
    }

    private void value(@Nullable SchemaNode schema, JsonNode value, String path) {
        if (schema == null) {
            return;
        }
        if (value instanceof ObjectNode object) {
            object(schema, object, path, schema.embedded);
        } else if (value instanceof ArrayNode array && schema.items != null) {
            for (int i = 0; i < array.size(); i++) {
                value(schema.items, array.get(i), path + "[" + i + "]");
            }
        }
    }

    private void object(SchemaNode schema, ObjectNode object, String path, boolean resource) {
        for (Iterator<Map.Entry<String, JsonNode>> it = object.properties().iterator(); it.hasNext(); ) {
            Map.Entry<String, JsonNode> e = it.next();
            String name = e.getKey();
            String child = path.isEmpty() ? name : path + "." + name;
            if (resource && OBJECT_FIELDS.contains(name)) {
                if (name.equals("metadata") && e.getValue() instanceof ObjectNode metadata) {
                    metadata(metadata, child);
                } else if (child.equals("metadata") && !e.getValue().isNull()) {
                    throw new TypeFault("json: cannot unmarshal " + GoTypes.form(e.getValue())
                            + " into Go value of type v1.ObjectMeta");
                }
                continue;
            }
            SchemaNode property = schema.properties.get(name);
            SchemaNode known = property != null ? property : schema.additional;
            if (known == null) {
                if (!schema.preserveUnknown) {
                    removed.add(child);
                    it.remove();
                }
            } else if (!keepsNulls
                    && e.getValue().isNull()
                    && !known.nullable
                    && known.defaultValue == null
                    && isTyped(known)) {
                it.remove();
            } else {
                value(known, e.getValue(), child);
            }
        }
    }

    private static boolean isTyped(SchemaNode schema) {
        return !schema.type.isEmpty() || schema.intOrString;
    }

    private void metadata(ObjectNode metadata, String path) {
        List<String> unknown = new ArrayList<>();
        new Decoder(unknown, path + ".").struct(BuiltinTypes.objectMeta(), metadata, path);
        removed.addAll(unknown);
    }
}
