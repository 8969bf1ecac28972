package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.TypeSchema;
import dev.sro.testkit.schema.TypeSchema.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Merge of an applied configuration over the live object: what the configuration says wins, all else stays. */
final class TypedMerge {
    private TypedMerge() {}

    /** The merged value. Shares nodes with both sides. */
    static JsonNode merge(TypeSchema declared, @Nullable JsonNode live, @Nullable JsonNode config) {
        if (config == null || live == null) {
            JsonNode only = config == null ? live : config;
            return only == null ? JsonNodeFactory.instance.nullNode() : only;
        }
        TypeSchema type = declared.forValue(config);
        if (type.scalar() || type.atomic() || (type != declared && declared.forValue(live) != type)) {
            return config;
        }
        if (type.shape() == Shape.MAP) {
            return entries(type, live, config);
        }
        return items(type, live, config);
    }

    private static JsonNode entries(TypeSchema type, JsonNode live, JsonNode config) {
        boolean liveEmpty = JsonValues.empty(JsonValues.map(live));
        if (liveEmpty) {
            return config;
        }
        if (!config.isObject()) {
            return live;
        }
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> e : live.properties()) {
            out.set(e.getKey(), merge(entryType(type, e.getKey()), e.getValue(), config.get(e.getKey())));
        }
        for (Map.Entry<String, JsonNode> e : config.properties()) {
            if (!live.has(e.getKey())) {
                out.set(e.getKey(), e.getValue());
            }
        }
        return out;
    }

    private static TypeSchema entryType(TypeSchema type, String name) {
        TypeSchema entry = type.entry(name);
        return entry == null ? TypeSchema.deduced() : entry;
    }

    private static JsonNode items(TypeSchema type, JsonNode live, JsonNode config) {
        if (JsonValues.empty(JsonValues.list(live))) {
            return config;
        }
        if (!config.isArray()) {
            return live;
        }
        return new Lists(type, live, config).merged();
    }

    /**
     * Interleaves two keyed lists: common items come in the order of the configuration, items that only the live list has stay
     * before the common item that they preceded.
     */
    private static final class Lists {
        private final TypeSchema itemType;
        private final List<String> liveKeys;
        private final List<String> configKeys;
        private final JsonNode live;
        private final Map<String, @Nullable JsonNode> liveItems = new HashMap<>();
        private final Map<String, JsonNode> configItems = new HashMap<>();
        private final Set<String> taken = new HashSet<>();
        private final ArrayNode out = JsonNodeFactory.instance.arrayNode();

        Lists(TypeSchema type, JsonNode live, JsonNode config) {
            this.itemType = Comparison.elementOf(type);
            this.live = live;
            this.liveKeys = keys(type, live);
            this.configKeys = keys(type, config);
            for (int i = 0; i < liveKeys.size(); i++) {
                // Of items that share a key none is the one to merge with.
                JsonNode item = liveItems.containsKey(liveKeys.get(i)) ? null : live.get(i);
                liveItems.put(liveKeys.get(i), item);
            }
            for (int i = 0; i < configKeys.size(); i++) {
                configItems.put(configKeys.get(i), config.get(i));
            }
        }

        private static List<String> keys(TypeSchema type, JsonNode list) {
            List<String> out = new ArrayList<>(list.size());
            for (JsonNode item : list) {
                String element = PathElements.item(type, item);
                out.add(element == null ? "?" + out.size() : element);
            }
            return out;
        }

        ArrayNode merged() {
            int l = 0;
            int r = 0;
            while (l < liveKeys.size() || r < configKeys.size()) {
                if (l < liveKeys.size() && passesBefore(liveKeys.get(l), l, r)) {
                    l++;
                } else {
                    take(configKeys.get(r));
                    r++;
                }
            }
            return out;
        }

        /** Whether the live cursor moves on; a live item that the configuration lacks is taken on the way. */
        private boolean passesBefore(String key, int l, int r) {
            if (!configItems.containsKey(key)) {
                out.add(live.get(l));
                return true;
            }
            if (taken.contains(key)) {
                return true;
            }
            // A common item that is not the next one of the configuration is taken later, in the configuration's order.
            for (int i = r; i < configKeys.size(); i++) {
                if (liveItems.containsKey(configKeys.get(i))) {
                    return !configKeys.get(i).equals(key);
                }
            }
            return true;
        }

        private void take(String key) {
            taken.add(key);
            out.add(merge(itemType, liveItems.get(key), configItems.get(key)));
        }
    }
}
