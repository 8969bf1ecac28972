package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The columns that kubectl prints, per kind. */
final class TableColumns {
    /** One column; cells are computed from the object and the time. */
    record Column(String name, String type, String format, int priority, Function<JsonNode, Object> cell) {}

    private static final String AGE = "Age";
    private static final String PLACE = "place";

    private static final Map<String, List<Column>> BY_KIND = Map.of(
            "Pod",
            List.of(
                    column("Ready", TableColumns::podReady),
                    column("Status", TableColumns::podStatus),
                    column("Restarts", o -> Integer.toString(restarts(o))),
                    age(),
                    wide("IP", o -> orNone(Json.text(o, "status", "podIP"))),
                    wide("Node", o -> orNone(Json.text(o, "spec", "nodeName"))),
                    wide("Nominated Node", o -> orNone(Json.text(o, "status", "nominatedNodeName"))),
                    wide("Readiness Gates", TableColumns::readinessGates)),
            "Node",
            List.of(
                    column("Status", TableColumns::nodeStatus),
                    column("Version", o -> Json.text(o, "status", "nodeInfo", "kubeletVersion")),
                    column("Kernel-Version", o -> Json.text(o, "status", "nodeInfo", "kernelVersion"))),
            "Namespace",
            List.of(column("Status", o -> Json.text(o, "status", "phase"))),
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
            "Job",
            List.of(column(
                    "Completions",
                    o -> o.path("status").path("succeeded").asInt() + "/"
                            + o.path("spec").path("completions").asInt(1))),
            "ConfigMap",
            List.of(column(
                    "Data", o -> o.path("data").size() + o.path("binaryData").size())),
            "Secret",
            List.of(
                    column("Type", o -> Json.text(o, "type")),
                    column("Data", "integer", o -> o.path("data").size())));

    private TableColumns() {}

    /** The columns of a type: its name, what is particular to it, its age. */
    static List<Column> build(ResourceType type, JsonNode definition, Instant now) {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("Name", "string", "name", 0, Json::name));
        List<Column> own = BY_KIND.get(type.kind());
        JsonNode printers = definition.path("additionalPrinterColumns");
        if (own != null && !type.custom()) {
            columns.addAll(own);
        }
        printers.forEach(p -> columns.add(printer(p, now)));
        if (printers.isEmpty() && columns.stream().noneMatch(c -> c.name().equals(AGE))) {
            columns.add(age());
        }
        columns.replaceAll(c -> c.format().equals(PLACE) ? aged(type, now) : c);
        return columns;
    }

    private static Column aged(ResourceType type, Instant now) {
        Function<JsonNode, Object> cell = o -> age(Json.text(o, "metadata", "creationTimestamp"), now);
        return new Column(AGE, type.custom() ? "date" : "string", "", 0, cell);
    }

    /** The place of the age among the columns; the time is filled in later. */
    private static Column age() {
        return new Column(AGE, "", PLACE, 0, o -> "");
    }

    /** A column that is only shown on demand. */
    private static Column wide(String name, Function<JsonNode, Object> cell) {
        return new Column(name, "string", "", 1, cell);
    }

    private static String ofContainers(JsonNode workload, String field) {
        List<String> values = new ArrayList<>();
        workload.path("spec")
                .path("template")
                .path("spec")
                .path("containers")
                .forEach(c -> values.add(Json.text(c, field)));
        return String.join(",", values);
    }

    private static String selector(JsonNode workload) {
        List<String> parts = new ArrayList<>();
        workload.path("spec")
                .path("selector")
                .path("matchLabels")
                .properties()
                .forEach(e -> parts.add(e.getKey() + "=" + e.getValue().asText()));
        return String.join(",", parts);
    }

    private static String readinessGates(JsonNode pod) {
        JsonNode gates = pod.path("spec").path("readinessGates");
        int met = 0;
        for (JsonNode gate : gates) {
            for (JsonNode condition : pod.path("status").path("conditions")) {
                boolean its = Json.text(condition, "type").equals(Json.text(gate, "conditionType"));
                met += its && Json.text(condition, "status").equals("True") ? 1 : 0;
            }
        }
        return gates.isEmpty() ? "<none>" : met + "/" + gates.size();
    }

    private static Column column(String name, Function<JsonNode, Object> cell) {
        return column(name, "string", cell);
    }

    private static Column column(String name, String type, Function<JsonNode, Object> cell) {
        return new Column(name, type, "", 0, cell);
    }

    private static Column number(String name, String field) {
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
            return value.isMissingNode() ? JsonNodeFactory.instance.nullNode() : value;
        };
        return new Column(
                Json.text(printer, "name"),
                type,
                Json.text(printer, "format"),
                printer.path("priority").asInt(),
                cell);
    }

    static ObjectNode definition(Column column) {
        return Json.object()
                .put("name", column.name())
                .put("type", column.type())
                .put("format", column.format())
                .put("description", "")
                .put("priority", column.priority());
    }

    private static String podReady(JsonNode pod) {
        int ready = 0;
        for (JsonNode status : pod.path("status").path("containerStatuses")) {
            ready += status.path("ready").asBoolean() ? 1 : 0;
        }
        return ready + "/" + pod.path("spec").path("containers").size();
    }

    private static String podStatus(JsonNode pod) {
        if (Json.terminating(pod)) {
            return "Terminating";
        }
        String status = Json.text(pod, "status", "phase");
        for (String field : new String[] {"initContainerStatuses", "containerStatuses"}) {
            for (JsonNode container : pod.path("status").path(field)) {
                String waiting = Json.text(container, "state", "waiting", "reason");
                if (!waiting.isEmpty()) {
                    status = waiting;
                }
            }
        }
        return status;
    }

    private static int restarts(JsonNode pod) {
        int restarts = 0;
        for (JsonNode status : pod.path("status").path("containerStatuses")) {
            restarts += status.path("restartCount").asInt();
        }
        return restarts;
    }

    private static String nodeStatus(JsonNode node) {
        String status = "Unknown";
        for (JsonNode condition : node.path("status").path("conditions")) {
            if (Json.text(condition, "type").equals("Ready")) {
                status = Json.text(condition, "status").equals("True") ? "Ready" : "NotReady";
            }
        }
        return node.path("spec").path("unschedulable").asBoolean() ? status + ",SchedulingDisabled" : status;
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

    private static String orNone(String text) {
        return text.isEmpty() ? "<none>" : text;
    }

    static String age(String since, Instant now) {
        try {
            long seconds =
                    Math.max(0, Duration.between(Instant.parse(since), now).toSeconds());
            if (seconds < 120) {
                return seconds + "s";
            }
            if (seconds < 2 * 3600) {
                return seconds / 60 + "m";
            }
            return seconds < 48 * 3600 ? seconds / 3600 + "h" : seconds / 86400 + "d";
        } catch (DateTimeParseException e) {
            return "<unknown>";
        }
    }
}
