package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.GoText;
import dev.sro.testkit.schema.TypeSchema;
import dev.sro.testkit.schema.TypeSchema.Field;
import dev.sro.testkit.schema.TypeSchema.PatchStrategy;
import dev.sro.testkit.schema.TypeSchema.Shape;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Strategic merge patch for built-in types: lists with a merge key are merged item by item, all others are replaced. Directives:
 * {@code $patch} (replace, merge, delete), {@code $retainKeys}, {@code $deleteFromPrimitiveList/...},
 * {@code $setElementOrder/...}. Stateless.
 */
public final class StrategicMergePatch {
    private static final String PATCH = "$patch";
    private static final String RETAIN_KEYS = "$retainKeys";
    private static final String DELETE_PREFIX = "$deleteFromPrimitiveList/";
    private static final String ORDER_PREFIX = "$setElementOrder/";

    private StrategicMergePatch() {}

    /**
     * Applies the patch to a copy.
     *
     * @throws MergeException 500 for directives or lists that do not fit
     */
    public static ObjectNode apply(ObjectNode target, ObjectNode patch, TypeSchema type) {
        return map(target.deepCopy(), patch, type);
    }

    private static ObjectNode map(ObjectNode target, ObjectNode patch, @Nullable TypeSchema type) {
        String directive = directive(patch);
        if (directive.equals("replace")) {
            ObjectNode replaced = patch.deepCopy();
            replaced.remove(PATCH);
            return replaced;
        }
        if (directive.equals("delete")) {
            return JsonNodeFactory.instance.objectNode();
        }
        if (!directive.isEmpty()) {
            throw badDirective(patch);
        }
        retainKeys(target, patch);
        Set<String> ordered = new HashSet<>();
        for (Map.Entry<String, JsonNode> e : patch.properties()) {
            String name = e.getKey();
            if (name.startsWith(DELETE_PREFIX)) {
                deleteFromPrimitives(target, name.substring(DELETE_PREFIX.length()), e.getValue());
            } else if (name.startsWith(ORDER_PREFIX)) {
                ordered.add(name.substring(ORDER_PREFIX.length()));
            }
        }
        for (Map.Entry<String, JsonNode> e : patch.properties()) {
            if (!e.getKey().startsWith("$")) {
                entry(target, e.getKey(), e.getValue(), patch.get(ORDER_PREFIX + e.getKey()), type);
                ordered.remove(e.getKey());
            }
        }
        for (String name : ordered) {
            JsonNode order = patch.get(ORDER_PREFIX + name);
            if (target.has(name) && order != null) {
                entry(target, name, JsonNodeFactory.instance.arrayNode(), order, type);
            }
        }
        return target;
    }

    private static String directive(ObjectNode patch) {
        JsonNode directive = patch.get(PATCH);
        return directive == null ? "" : directive.asText();
    }

    private static MergeException badDirective(JsonNode patch) {
        return MergeException.internal(
                "unknown patch type: " + patch.path(PATCH).asText() + " in map: " + GoText.write(patch));
    }

    private static MergeException badRetainKeys() {
        return MergeException.badRequest("invalid patch format of retainKeys");
    }

    private static void retainKeys(ObjectNode target, ObjectNode patch) {
        JsonNode keys = patch.get(RETAIN_KEYS);
        if (keys == null) {
            return;
        }
        if (!keys.isArray()) {
            throw badRetainKeys();
        }
        Set<String> kept = new HashSet<>();
        keys.forEach(k -> kept.add(k.asText()));
        for (Map.Entry<String, JsonNode> e : patch.properties()) {
            if (!e.getKey().startsWith("$") && !kept.contains(e.getKey())) {
                throw badRetainKeys();
            }
        }
        target.retain(kept);
    }

    private static void deleteFromPrimitives(ObjectNode target, String name, JsonNode values) {
        if (target.get(name) instanceof ArrayNode list) {
            ArrayNode rest = JsonNodeFactory.instance.arrayNode();
            for (JsonNode item : list) {
                if (Lists.indexOf(values, item, "") < 0) {
                    rest.add(item);
                }
            }
            target.set(name, rest);
        }
    }

    private static void entry(
            ObjectNode target, String name, JsonNode value, @Nullable JsonNode order, @Nullable TypeSchema type) {
        Field field = type == null ? null : type.field(name);
        TypeSchema valueType = field != null ? field.type() : type == null ? null : type.element();
        JsonNode old = target.get(name);
        if (value.isNull()) {
            target.remove(name);
        } else if (value instanceof ObjectNode object) {
            boolean replace = field != null && field.patch() == PatchStrategy.REPLACE;
            ObjectNode base = old instanceof ObjectNode o && !replace ? o : JsonNodeFactory.instance.objectNode();
            if (old != null && directive(object).equals("delete")) {
                target.remove(name);
            } else {
                target.set(name, map(base, object, valueType));
            }
        } else {
            String key = mergeKey(field, valueType);
            if (key != null && value instanceof ArrayNode array) {
                ArrayNode base = old instanceof ArrayNode a ? a : JsonNodeFactory.instance.arrayNode();
                if (!key.isEmpty() && !areObjects(array)) {
                    target.set(name, foreign(base, array));
                    return;
                }
                target.set(name, new Lists(key, elementType(valueType)).merge(base, array, order));
            } else {
                target.set(name, value.deepCopy());
            }
        }
    }

    private static boolean areObjects(ArrayNode array) {
        for (JsonNode item : array) {
            if (!item.isObject()) {
                return false;
            }
        }
        return true;
    }

    /** Items that are no objects cannot be merged with those that are; where there are none, they are taken as they are. */
    private static ArrayNode foreign(ArrayNode base, ArrayNode array) {
        if (base.isEmpty()) {
            return array.deepCopy();
        }
        throw MergeException.internal(
                "list element types are not identical: [" + GoText.write(base) + " " + GoText.write(array) + "]");
    }

    private static @Nullable TypeSchema elementType(@Nullable TypeSchema list) {
        return list == null ? null : list.element();
    }

    /** The key by which a list is merged, empty for a list of scalars that is a set; null if it is replaced. */
    private static @Nullable String mergeKey(@Nullable Field field, @Nullable TypeSchema type) {
        if (field == null || type == null || type.shape() != Shape.LIST || field.patch() == PatchStrategy.REPLACE) {
            return null;
        }
        if (!field.patchKey().isEmpty()) {
            return field.patchKey();
        }
        return switch (type.listKind()) {
            case ATOMIC -> null;
            case SET -> "";
            case MAP -> type.keys().get(0);
        };
    }

    /** Merge of one list by key; the empty key compares the items themselves. */
    private record Lists(String key, @Nullable TypeSchema itemType) {

        ArrayNode merge(ArrayNode original, ArrayNode patch, @Nullable JsonNode order) {
            ArrayNode merged = original.deepCopy();
            ArrayNode added = JsonNodeFactory.instance.arrayNode();
            boolean replace = false;
            for (JsonNode item : patch) {
                String directive = item instanceof ObjectNode o ? directive(o) : "";
                replace |= directive.equals("replace");
            }
            if (replace) {
                return replacement(patch);
            }
            for (JsonNode item : patch) {
                mergeItem(merged, added, item);
            }
            if (order != null) {
                checkOrder(patch, order);
            }
            return order(merged, original, order == null ? added : order);
        }

        /** A bare {@code $patch: replace} item turns the patch into the new list. */
        private static ArrayNode replacement(ArrayNode patch) {
            ArrayNode out = JsonNodeFactory.instance.arrayNode();
            for (JsonNode item : patch) {
                boolean marker = item instanceof ObjectNode o && o.has(PATCH);
                if (!marker) {
                    out.add(item.deepCopy());
                } else if (item.size() > 1) {
                    ObjectNode copy = item.deepCopy();
                    copy.remove(PATCH);
                    out.add(copy);
                }
            }
            return out;
        }

        private void mergeItem(ArrayNode merged, ArrayNode added, JsonNode item) {
            if (!key.isEmpty() && !item.has(key)) {
                throw MergeException.internal(
                        "map: " + GoText.write(item) + " does not contain declared merge key: " + key);
            }
            int at = indexOf(merged, item, key);
            if (item instanceof ObjectNode object) {
                String directive = directive(object);
                if (directive.equals("delete")) {
                    while (at >= 0) {
                        merged.remove(at);
                        at = indexOf(merged, item, key);
                    }
                    return;
                }
                if (directive.equals("merge")) {
                    throw MergeException.internal("merging lists cannot yet be specified in the patch");
                }
                if (!directive.isEmpty()) {
                    throw badDirective(item);
                }
                ObjectNode base =
                        at >= 0 && merged.get(at) instanceof ObjectNode o ? o : JsonNodeFactory.instance.objectNode();
                ObjectNode result = map(base, object, itemType);
                if (at >= 0) {
                    merged.set(at, result);
                } else {
                    merged.add(result);
                }
            } else if (at < 0) {
                merged.add(item);
            }
            added.add(item);
        }

        /** What is patched is named by the order, and in that order. */
        private void checkOrder(ArrayNode patch, JsonNode order) {
            ArrayNode kept = JsonNodeFactory.instance.arrayNode();
            for (JsonNode item : patch) {
                if (!item.path(PATCH).asText().equals("delete")) {
                    kept.add(item);
                }
            }
            int at = 0;
            for (JsonNode wanted : order) {
                if (at < kept.size() && indexOf(one(kept.get(at)), wanted, key) == 0) {
                    at++;
                }
            }
            if (at < kept.size()) {
                throw MergeException.internal("The order in patch list:\n" + GoText.write(kept)
                        + "\n doesn't match $setElementOrder list:\n" + GoText.write(order) + "\n");
            }
        }

        private static ArrayNode one(JsonNode item) {
            return JsonNodeFactory.instance.arrayNode().add(item);
        }

        /** Patched items in the patch's order, others in their old order before the patched item that they preceded. */
        private ArrayNode order(ArrayNode merged, ArrayNode original, JsonNode order) {
            ArrayNode patched = JsonNodeFactory.instance.arrayNode();
            for (JsonNode wanted : order) {
                int at = indexOf(merged, wanted, key);
                if (at >= 0 && indexOf(patched, wanted, key) < 0) {
                    patched.add(merged.get(at));
                }
            }
            ArrayNode others = JsonNodeFactory.instance.arrayNode();
            for (JsonNode item : merged) {
                if (indexOf(patched, item, key) < 0) {
                    others.add(item);
                }
            }
            ArrayNode out = JsonNodeFactory.instance.arrayNode();
            int o = 0;
            int p = 0;
            while (o < others.size() || p < patched.size()) {
                if (p == patched.size() || (o < others.size() && precedes(original, others.get(o), patched.get(p)))) {
                    out.add(others.get(o++));
                } else {
                    out.add(patched.get(p++));
                }
            }
            return out;
        }

        private boolean precedes(ArrayNode original, JsonNode other, JsonNode patched) {
            int a = indexOf(original, other, key);
            int b = indexOf(original, patched, key);
            return a >= 0 && b >= 0 && a < b;
        }

        static int indexOf(JsonNode list, JsonNode item, String key) {
            JsonNode wanted = key.isEmpty() ? item : item.get(key);
            for (int i = 0; wanted != null && i < list.size(); i++) {
                JsonNode candidate = key.isEmpty() ? list.get(i) : list.get(i).get(key);
                if (candidate != null && JsonValues.equal(candidate, wanted)) {
                    return i;
                }
            }
            return -1;
        }
    }
}
