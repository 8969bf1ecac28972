package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.TypeSchema;
import dev.sro.testkit.schema.TypeSchema.Shape;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Operations on JSON values that know their type: the fields a value has, and removing fields from it. */
final class TypedValues {
    private TypedValues() {}

    /** The paths that an applied configuration owns: leaves, list items, and entries of maps that no struct declares. */
    static FieldSet fields(TypeSchema declared, JsonNode value) {
        TypeSchema type = declared.forValue(value);
        FieldSet.Builder out = new FieldSet.Builder();
        if (type.shape() == Shape.MAP && !type.atomic()) {
            for (Map.Entry<String, JsonNode> e : value.properties()) {
                addEntry(out, type, e.getKey(), e.getValue());
            }
        } else if (type.shape() == Shape.LIST && !type.atomic() && value.isArray()) {
            for (JsonNode item : value) {
                String element = PathElements.item(type, item);
                if (element != null) {
                    addItem(out, type, element, item);
                }
            }
        }
        return out.build();
    }

    private static void addEntry(FieldSet.Builder out, TypeSchema type, String name, JsonNode value) {
        TypeSchema.Field field = type.field(name);
        TypeSchema valueType = field != null ? field.type() : Comparison.elementOf(type);
        boolean member =
                field == null || value.isNull() || (value.isObject() && value.isEmpty()) || leaf(valueType, value);
        out.add(field != null ? field.key() : PathElements.field(name), member, fields(valueType, value));
    }

    private static void addItem(FieldSet.Builder out, TypeSchema list, String element, JsonNode item) {
        out.add(element, true, fields(Comparison.elementOf(list), item));
    }

    private static boolean leaf(TypeSchema declared, JsonNode value) {
        TypeSchema type = declared.forValue(value);
        return type.scalar() || type.atomic();
    }

    /**
     * The value without the fields in the set; NullNode if it was a leaf, or had none of them. Shares all nodes that it keeps.
     */
    static JsonNode remove(TypeSchema declared, JsonNode value, FieldSet set) {
        if (set.isEmpty()) {
            return value;
        }
        TypeSchema type = declared.forValue(value);
        if (type.shape() == Shape.MAP && value.isObject()) {
            return type.atomic() ? NullNode.getInstance() : removeEntries(type, value, set);
        }
        if (type.shape() == Shape.LIST && value.isArray()) {
            return type.atomic() ? NullNode.getInstance() : removeItems(type, value, set);
        }
        return NullNode.getInstance();
    }

    /** A map that loses all of its entries stays, empty, where it is not removed itself. */
    private static JsonNode removeEntries(TypeSchema type, JsonNode value, FieldSet set) {
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        boolean any = false;
        for (Map.Entry<String, JsonNode> e : value.properties()) {
            TypeSchema.Field field = type.field(e.getKey());
            String element = field != null ? field.key() : PathElements.field(e.getKey());
            FieldSet under = set.under(element);
            any |= set.has(element) || !under.isEmpty();
            if (!set.has(element)) {
                TypeSchema valueType = field != null ? field.type() : Comparison.elementOf(type);
                out.set(e.getKey(), within(valueType, e.getValue(), under));
            }
        }
        return any || !out.isEmpty() ? out : NullNode.getInstance();
    }

    private static JsonNode removeItems(TypeSchema type, JsonNode value, FieldSet set) {
        ArrayNode out = JsonNodeFactory.instance.arrayNode();
        boolean any = false;
        for (JsonNode item : value) {
            String element = PathElements.item(type, item);
            if (element == null) {
                out.add(item);
                continue;
            }
            FieldSet under = set.under(element);
            any |= set.has(element) || !under.isEmpty();
            if (!set.has(element)) {
                out.add(within(Comparison.elementOf(type), item, under));
            }
        }
        return any || !out.isEmpty() ? out : NullNode.getInstance();
    }

    private static JsonNode within(TypeSchema type, JsonNode value, FieldSet set) {
        JsonNode left = remove(type, value, set);
        if (!left.isNull()) {
            return left;
        }
        return value.isObject()
                ? JsonNodeFactory.instance.objectNode()
                : value.isArray() ? JsonNodeFactory.instance.arrayNode() : left;
    }

    /** Adds the declared fields that lead to a path of the set as paths of their own. */
    static FieldSet withStructFields(@Nullable TypeSchema type, FieldSet set) {
        if (set.isEmpty()) {
            return set;
        }
        FieldSet.Builder out = new FieldSet.Builder(set.size());
        for (int i = 0; i < set.size(); i++) {
            String element = set.element(i);
            FieldSet child = set.child(i);
            boolean member = set.member(i);
            if (child != null) {
                TypeSchema.Field field =
                        type != null && element.startsWith("f:") ? type.field(element.substring(2)) : null;
                member |= field != null;
                child = withStructFields(below(type, field, element), child);
            }
            out.add(element, member, child);
        }
        return out.build();
    }

    private static @Nullable TypeSchema below(
            @Nullable TypeSchema type, TypeSchema.@Nullable Field field, String element) {
        if (field != null) {
            return field.type();
        }
        return type == null || element.startsWith("v:") ? null : type.element();
    }
}
