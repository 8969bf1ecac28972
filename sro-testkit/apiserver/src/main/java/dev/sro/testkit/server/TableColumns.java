package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The columns that kubectl prints, per kind. */
final class TableColumns {
    /** One column; cells are computed from the object and the time. */
    record Column(String name, String type, String format, int priority, Function<JsonNode, Object> cell) {}

    private static final String AGE = "Age";
    private static final String PLACE = "place";

    static final String NONE = "<none>";

    private static final Map<String, List<Column>> COMMON = Map.of(
            "Namespace",
            List.of(column("Status", o -> Json.text(o, "status", "phase")), age()),
            "DaemonSet",
            List.of(
                    number("Desired", "desiredNumberScheduled"),
                    number("Current", "currentNumberScheduled"),
                    number("Ready", "numberReady"),
                    number("Up-to-date", "updatedNumberScheduled"),
                    number("Available", "numberAvailable"),
                    column("Node Selector", TableColumns::nodeSelector),
                    age(),
                    wide("Containers", o -> ofContainers(o, "name")),
                    wide("Images", o -> ofContainers(o, "image")),
                    wide("Selector", TableColumns::selector)),
            "Deployment",
            List.of(
                    column(
                            "Ready",
                            o -> o.path("status").path("readyReplicas").asInt() + "/"
                                    + o.path("spec").path("replicas").asInt()),
                    column(
                            "Up-to-date",
                            o -> o.path("status").path("updatedReplicas").asInt()),
                    column(
                            "Available",
                            o -> o.path("status").path("availableReplicas").asInt()),
                    age(),
                    wide("Containers", o -> ofContainers(o, "name")),
                    wide("Images", o -> ofContainers(o, "image")),
                    wide("Selector", TableColumns::selector)),
            "ConfigMap",
            List.of(column(
                    "Data", o -> o.path("data").size() + o.path("binaryData").size())),
            "Secret",
            List.of(
                    column("Type", o -> Json.text(o, "type")),
                    column("Data", o -> o.path("data").size())));

    private static final Map<String, List<Column>> BY_KIND = all();

    private static Map<String, List<Column>> all() {
        Map<String, List<Column>> all = new HashMap<>(COMMON);
        all.putAll(PodColumns.BY_KIND);
        all.putAll(WorkloadColumns.BY_KIND);
        all.putAll(NetworkColumns.BY_KIND);
        all.putAll(StorageColumns.BY_KIND);
        all.putAll(ClusterColumns.BY_KIND);
        return Map.copyOf(all);
    }

    private TableColumns() {}

    /** Whether the server knows no columns of a built-in type, so that it shows when objects were made. */
    static boolean isPlain(ResourceType type) {
        return !type.custom() && !BY_KIND.containsKey(type.kind());
    }

    /** The columns of a type: its name, what is particular to it, its age. */
    static List<Column> build(ResourceType type, JsonNode definition, Instant now) {
        List<Column> columns = new ArrayList<>();
        if (!type.kind().equals("Event")) {
            columns.add(new Column("Name", "string", "name", 0, StorageColumns::name));
        }
        List<Column> own = BY_KIND.get(type.kind());
        JsonNode printers = definition.path("additionalPrinterColumns");
        if (own != null && !type.custom()) {
            columns.addAll(own);
        }
        printers.forEach(p -> columns.add(printer(p, now)));
        boolean kept =
                own == null || type.kind().equals("ConfigMap") || type.kind().equals("Secret");
        if (isPlain(type)) {
            columns.add(new Column("Created At", "date", "", 0, o -> Json.text(o, "metadata", "creationTimestamp")));
        } else if (printers.isEmpty() && kept) {
            columns.add(age());
        }
        columns.replaceAll(c -> c.format().equals(PLACE) ? placed(c, type, now) : c);
        return columns;
    }

    private static Column placed(Column column, ResourceType type, Instant now) {
        if (column.name().equals(AGE)) {
            return aged(type, now);
        }
        Function<JsonNode, Object> cell = o -> {
            String then = String.valueOf(column.cell().apply(o));
            return then.isEmpty() ? (type.kind().equals("CronJob") ? NONE : "<unknown>") : age(then, now);
        };
        return new Column(column.name(), "string", "", column.priority(), cell);
    }

    private static Column aged(ResourceType type, Instant now) {
        Function<JsonNode, Object> cell = o -> age(Json.text(o, "metadata", "creationTimestamp"), now);
        return new Column(AGE, type.custom() ? "date" : "string", "", 0, cell);
    }

    /** How long ago something was; the time is filled in later. */
    static Column since(String name, int priority, Function<JsonNode, Object> then) {
        return new Column(name, "", PLACE, priority, then);
    }

    /** The place of the age among the columns; the time is filled in later. */
    static Column age() {
        return new Column(AGE, "", PLACE, 0, o -> "");
    }

    /** A column that is only shown on demand. */
    static Column wide(String name, Function<JsonNode, Object> cell) {
        return new Column(name, "string", "", 1, cell);
    }

    private static String ofContainers(JsonNode workload, String field) {
        return containers(workload.path("spec"), field);
    }

    /** A field of the containers of what has a template. */
    static String containers(JsonNode parent, String field) {
        List<String> values = new ArrayList<>();
        parent.path("template").path("spec").path("containers").forEach(c -> values.add(Json.text(c, field)));
        return String.join(",", values);
    }

    private static String selector(JsonNode workload) {
        return selectorOf(workload.path("spec").path("selector"));
    }

    /** Labels as they are written in one line. */
    static String labels(JsonNode labels) {
        Map<String, String> sorted = new TreeMap<>();
        labels.properties().forEach(e -> sorted.put(e.getKey(), e.getValue().asText()));
        List<String> parts = new ArrayList<>();
        sorted.forEach((key, value) -> parts.add(key + "=" + value));
        return orNone(String.join(",", parts));
    }

    /** A selector as it is written in one line. */
    static String selectorOf(JsonNode selector) {
        Map<String, String> parts = new TreeMap<>();
        selector.path("matchLabels")
                .properties()
                .forEach(e -> parts.put(e.getKey(), "=" + e.getValue().asText()));
        for (JsonNode expression : selector.path("matchExpressions")) {
            List<String> values = new ArrayList<>();
            expression.path("values").forEach(value -> values.add(value.asText()));
            String key = Json.text(expression, "key");
            String all = "(" + String.join(",", values.stream().sorted().toList()) + ")";
            switch (Json.text(expression, "operator")) {
                case "In" -> parts.put(key, " in " + all);
                case "NotIn" -> parts.put(key, " notin " + all);
                case "Exists" -> parts.put(key, "");
                default -> parts.put("!" + key, "");
            }
        }
        List<String> texts = new ArrayList<>();
        parts.forEach((key, rest) -> texts.add(key + rest));
        return orNone(String.join(",", texts));
    }

    static Column column(String name, Function<JsonNode, Object> cell) {
        return column(name, "string", cell);
    }

    static Column column(String name, String type, Function<JsonNode, Object> cell) {
        return new Column(name, type, "", 0, cell);
    }

    static Column number(String name, String field) {
        return column(name, "integer", o -> o.path("status").path(field).asInt());
    }

    /** A column that a definition declares by a simple JSON path; filters by one condition type are understood. */
    private static Column printer(JsonNode printer, Instant now) {
        String path = Json.text(printer, "jsonPath");
        String type = Json.text(printer, "type");
        Function<JsonNode, Object> cell = o -> {
            JsonNode value = JsonPaths.at(o, path);
            if (type.equals("date")) {
                return age(value.asText(), now);
            }
            return shown(type, value);
        };
        return new Column(
                Json.text(printer, "name"),
                type,
                Json.text(printer, "format"),
                printer.path("priority").asInt(),
                cell);
    }

    /** A value that is not of its column's type is not shown; any is a text. */
    private static JsonNode shown(String type, JsonNode value) {
        boolean fits = switch (type) {
            case "integer", "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> !value.isMissingNode() && !value.isNull();
        };
        if (!fits) {
            return JsonNodeFactory.instance.nullNode();
        }
        if (type.equals("integer")) {
            return JsonNodeFactory.instance.numberNode(value.longValue());
        }
        boolean text = type.equals("string") && !value.isTextual();
        return text
                ? JsonNodeFactory.instance.textNode(value.isContainerNode() ? value.toString() : value.asText())
                : value;
    }

    static ObjectNode definition(Column column) {
        return Json.object()
                .put("name", column.name())
                .put("type", column.type())
                .put("format", column.format())
                .put("description", "")
                .put("priority", column.priority());
    }

    private static String nodeSelector(JsonNode daemonSet) {
        List<String> parts = new ArrayList<>();
        daemonSet
                .path("spec")
                .path("template")
                .path("spec")
                .path("nodeSelector")
                .properties()
                .forEach(e -> parts.add(e.getKey() + "=" + e.getValue().asText()));
        return orNone(String.join(",", parts));
    }

    static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }

    static String age(String since, Instant now) {
        try {
            return human(Duration.between(Instant.parse(since), now));
        } catch (DateTimeParseException e) {
            return "<unknown>";
        }
    }

    /** A duration in one or two units, the finer the shorter it is. */
    static String human(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        long minutes = seconds / 60;
        long hours = minutes / 60;
        long days = hours / 24;
        if (seconds < 2 * 60) {
            return seconds + "s";
        }
        if (minutes < 10) {
            return minutes + "m" + rest(seconds % 60, "s");
        }
        if (hours < 3) {
            return minutes + "m";
        }
        if (hours < 8) {
            return hours + "h" + rest(minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        if (days < 8) {
            return days + "d" + rest(hours % 24, "h");
        }
        if (days < 2 * 365) {
            return days + "d";
        }
        return days / 365 + "y" + (days < 8 * 365 ? rest(days % 365, "d") : "");
    }

    private static String rest(long amount, String unit) {
        return amount == 0 ? "" : amount + unit;
    }
}
