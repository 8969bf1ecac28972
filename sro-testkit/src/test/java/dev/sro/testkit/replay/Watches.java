package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The watches of one case. */
final class Watches {
    private static final String TARGET_NODE =
            "$.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]"
                    + ".matchFields[0].values[0]";
    /** Over the loopback interface an event is there after less. */
    private static final Duration TRANSFER = Duration.ofMillis(40);

    private record Open(WatchStream stream, ObjectNode request) {}

    private final Endpoint server;
    private final Variables variables;
    private final Recorder recorder;
    private final Normaliser normaliser;
    private final ArrayNode out;
    private final Map<String, Open> open = new HashMap<>();

    Watches(Endpoint server, Variables variables, Recorder recorder, Normaliser normaliser, ArrayNode out) {
        this.server = server;
        this.variables = variables;
        this.recorder = recorder;
        this.normaliser = normaliser;
        this.out = out;
    }

    void open(JsonNode definition) {
        JsonNode w = variables.fill(definition);
        Open opened = begin(w);
        open.put(w.path("id").asText(), opened);
        out.addObject().set("watchOpen", described(w, opened.request()));
    }

    private Open begin(JsonNode w) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("method", "GET");
        request.set("path", w.path("path"));
        ObjectNode query = request.putObject("query");
        w.path("query").properties().forEach(e -> query.set(e.getKey(), e.getValue()));
        query.put("watch", "true");
        for (String key : List.of("accept", "as")) {
            if (w.hasNonNull(key)) {
                request.set(key, w.get(key));
            }
        }
        return new Open(server.watch(request), request);
    }

    private ObjectNode described(JsonNode w, JsonNode request) {
        ObjectNode d = JsonNodeFactory.instance.objectNode();
        if (w.has("id")) {
            d.set("id", w.get("id"));
        }
        ObjectNode shown = recorder.request(request);
        shown.remove("method");
        d.setAll(shown);
        return d;
    }

    void close(JsonNode definition) {
        JsonNode w = variables.fill(definition);
        Open known = w.has("id") ? open.remove(w.path("id").asText()) : begin(w);
        if (known == null) {
            throw new IllegalStateException("no such watch: " + w);
        }
        WatchStream stream = known.stream();
        gather(w, stream, known.request().path("query").has("timeoutSeconds"));
        boolean ended = stream.done();
        stream.stop();
        ObjectNode recorded = out.addObject();
        recorded.set("watch", described(w, known.request()));
        Endpoint.Reply refused = stream.refused();
        if (refused != null) {
            recorded.putObject("response").put("status", refused.status()).set("body", normaliser.body(refused.body()));
        }
        List<JsonNode> events = new ArrayList<>(stream.events());
        if (w.has("types")) {
            events.removeIf(e -> !contains(w.path("types"), e.path("type").asText()));
        }
        if (w.path("group").asBoolean()) {
            recorded.set("eventsByObject", grouped(events));
        } else {
            ArrayNode shown = recorded.putArray("events");
            events.forEach(e -> shown.add(event(e)));
        }
        if (ended) {
            recorded.put("closedByServer", true);
        }
    }

    private static boolean contains(JsonNode list, String text) {
        for (JsonNode item : list) {
            if (item.asText().equals(text)) {
                return true;
            }
        }
        return false;
    }

    /** Waits until a watch has brought what is wanted; a watch that ends by itself does so in real time. */
    private void gather(JsonNode w, WatchStream stream, boolean timed) {
        boolean virtual = server.stepped() && !timed;
        Duration left = ReplayCase.seconds(w.path("timeout"), 15);
        Duration quiet = ReplayCase.seconds(w.path("quiet"), w.has("until") ? 0.3 : 0.8);
        Duration step = Duration.ofMillis(30);
        stream.touch();
        if (virtual && !w.has("count") && !w.has("until")) {
            server.pass(quiet);
            while (stream.quiet().compareTo(TRANSFER) < 0) {
                Endpoint.sleep(Duration.ofMillis(10));
            }
            return;
        }
        while (!stream.done() && !left.isNegative()) {
            if (w.has("count") && stream.events().size() >= w.path("count").asInt()) {
                Endpoint.sleep(virtual ? TRANSFER : Duration.ofMillis(150));
                return;
            }
            if (w.has("until")
                    && reached(w.path("until"), stream)
                    && stream.quiet().compareTo(quiet) > 0) {
                return;
            }
            if (!w.has("count") && !w.has("until") && stream.quiet().compareTo(quiet) > 0) {
                return;
            }
            server.pass(step);
            Endpoint.sleep(virtual ? Duration.ofMillis(2) : Duration.ofMillis(server.stepped() ? 30 : 0));
            left = left.minus(step);
        }
    }

    private static boolean reached(JsonNode until, WatchStream stream) {
        return stream.events().stream().anyMatch(e -> Conditions.hold(until, 200, e));
    }

    private ObjectNode event(JsonNode event) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        shown.set("type", event.path("type"));
        shown.set("object", normaliser.body(event.path("object")));
        return shown;
    }

    private ArrayNode grouped(List<JsonNode> events) {
        Map<String, List<JsonNode>> groups = new LinkedHashMap<>();
        for (JsonNode e : events) {
            JsonNode object = e.path("object");
            String key = object.path("kind").asText() + "\n"
                    + object.path("metadata").path("name").asText();
            groups.computeIfAbsent(key, k -> new ArrayList<>()).add(e);
        }
        List<List<JsonNode>> sorted = new ArrayList<>(groups.values());
        sorted.sort(Comparator.comparing((List<JsonNode> g) -> first(g, "$.kind"))
                .thenComparing(Watches::origin)
                .thenComparing(g -> first(g, TARGET_NODE))
                .thenComparing(g -> first(g, "$.metadata.creationTimestamp")));
        normaliser.plainVersions(true);
        List<List<ObjectNode>> shown = new ArrayList<>();
        for (List<JsonNode> g : sorted) {
            shown.add(g.stream().map(this::event).toList());
        }
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        for (List<ObjectNode> g : shown) {
            JsonNode object = g.get(0).path("object");
            ObjectNode entry = list.addObject();
            entry.put(
                    "object",
                    object.path("kind").asText() + "/"
                            + object.path("metadata").path("name").asText("None"));
            ArrayNode its = entry.putArray("events");
            g.forEach(its::add);
        }
        normaliser.plainVersions(false);
        return list;
    }

    private static String origin(List<JsonNode> group) {
        String prefix = first(group, "$.metadata.generateName");
        return prefix.isEmpty() ? first(group, "$.metadata.name") : prefix;
    }

    private static String first(List<JsonNode> group, String path) {
        @Nullable JsonNode value = Conditions.at(group.get(0).path("object"), path);
        return value == null ? "" : value.asText();
    }

    void stop() {
        open.values().forEach(o -> o.stream().stop());
    }
}
