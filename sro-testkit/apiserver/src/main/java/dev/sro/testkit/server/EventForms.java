package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Events as the core has them, in which form they are kept, and as {@code events.k8s.io} has them: the same under other names. Stateless.
 */
final class EventForms {
    private static final String GROUP = "events.k8s.io";
    private static final Map<String, String> NEW_NAMES = Map.of(
            "involvedObject", "regarding",
            "source", "deprecatedSource",
            "firstTimestamp", "deprecatedFirstTimestamp",
            "lastTimestamp", "deprecatedLastTimestamp",
            "count", "deprecatedCount",
            "message", "note",
            "reportingComponent", "reportingController");
    private static final Map<String, String> OLD_NAMES =
            NEW_NAMES.entrySet().stream().collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

    /** What events of the core say even where it is nothing. */
    private static final List<String> TIMES = List.of("firstTimestamp", "lastTimestamp", "eventTime");

    private static final List<String> REPORTERS = List.of("reportingComponent", "reportingInstance");

    private EventForms() {}

    private static boolean isNew(ResourceType type) {
        return type.gvr().group().equals(GROUP);
    }

    /** An object as clients of its type see it. */
    static Stored served(ResourceType type, Stored stored) {
        if (!isNew(type)) {
            return stored;
        }
        ObjectNode object = renamed(stored.object(), NEW_NAMES).put("apiVersion", type.apiVersion());
        for (String reporter : List.of("reportingController", "reportingInstance")) {
            if (object.path(reporter).asText().isEmpty()) {
                object.remove(reporter);
            }
        }
        return new Stored(object, stored.fields(), stored.version());
    }

    /** An object that a client of its type sent, as it is kept. */
    static ObjectNode kept(ResourceType type, ObjectNode sent) {
        if (!isNew(type)) {
            return sent;
        }
        ObjectNode object = renamed(sent, OLD_NAMES).put("apiVersion", "v1");
        TIMES.stream().filter(time -> !object.has(time)).forEach(object::putNull);
        REPORTERS.stream().filter(name -> !object.has(name)).forEach(name -> object.put(name, ""));
        if (!object.has("source")) {
            object.putObject("source");
        }
        return object;
    }

    private static ObjectNode renamed(ObjectNode event, Map<String, String> names) {
        ObjectNode renamed = Json.object();
        for (Map.Entry<String, JsonNode> field : event.properties()) {
            renamed.set(names.getOrDefault(field.getKey(), field.getKey()), field.getValue());
        }
        return renamed;
    }
}
