package dev.sro.testkit.server;

import static dev.sro.testkit.server.TableColumns.NONE;
import static dev.sro.testkit.server.TableColumns.age;
import static dev.sro.testkit.server.TableColumns.column;
import static dev.sro.testkit.server.TableColumns.containers;
import static dev.sro.testkit.server.TableColumns.labels;
import static dev.sro.testkit.server.TableColumns.number;
import static dev.sro.testkit.server.TableColumns.orNone;
import static dev.sro.testkit.server.TableColumns.selectorOf;
import static dev.sro.testkit.server.TableColumns.since;
import static dev.sro.testkit.server.TableColumns.wide;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.server.TableColumns.Column;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The columns of what makes pods, beside DaemonSets and Deployments, and of what scales it. Stateless. */
final class WorkloadColumns {
    private static final List<String> JOB_STATES =
            List.of("Complete", "Failed", "Suspended", "FailureTarget", "SuccessCriteriaMet");
    private static final int SHOWN = 2;

    static final Map<String, List<Column>> BY_KIND = Map.of(
            "ReplicaSet",
            replicas(o -> selectorOf(o.path("spec").path("selector"))),
            "ReplicationController",
            replicas(o -> labels(o.path("spec").path("selector"))),
            "StatefulSet",
            List.of(
                    column(
                            "Ready",
                            o -> o.path("status").path("readyReplicas").asInt() + "/"
                                    + o.path("spec").path("replicas").asInt()),
                    age(),
                    wide("Containers", o -> containers(o.path("spec"), "name")),
                    wide("Images", o -> containers(o.path("spec"), "image"))),
            "Job",
            List.of(
                    column("Status", WorkloadColumns::state),
                    column("Completions", WorkloadColumns::completions),
                    column("Duration", WorkloadColumns::duration),
                    age(),
                    wide("Containers", o -> containers(o.path("spec"), "name")),
                    wide("Images", o -> containers(o.path("spec"), "image")),
                    wide("Selector", o -> selectorOf(o.path("spec").path("selector")))),
            "CronJob",
            List.of(
                    column("Schedule", o -> Json.text(o, "spec", "schedule")),
                    column("Timezone", o -> orNone(Json.text(o, "spec", "timeZone"))),
                    column(
                            "Suspend",
                            "boolean",
                            o -> o.path("spec").path("suspend").asBoolean() ? "True" : "False"),
                    column(
                            "Active",
                            "integer",
                            o -> o.path("status").path("active").size()),
                    since("Last Schedule", 0, o -> Json.text(o, "status", "lastScheduleTime")),
                    age(),
                    wide("Containers", o -> containers(job(o), "name")),
                    wide("Images", o -> containers(job(o), "image")),
                    wide("Selector", o -> selectorOf(job(o).path("selector")))),
            "PodTemplate",
            List.of(
                    column("Containers", o -> containers(o, "name")),
                    column("Images", o -> containers(o, "image")),
                    column(
                            "Pod Labels",
                            o -> labels(o.path("template").path("metadata").path("labels")))),
            "ControllerRevision",
            List.of(
                    column("Controller", WorkloadColumns::controller),
                    column("Revision", o -> o.path("revision").asLong()),
                    age()),
            "PodDisruptionBudget",
            List.of(
                    column("Min Available", o -> given(o.path("spec").path("minAvailable"))),
                    column("Max Unavailable", o -> given(o.path("spec").path("maxUnavailable"))),
                    column(
                            "Allowed Disruptions",
                            "integer",
                            o -> o.path("status").path("disruptionsAllowed").asInt()),
                    age()),
            "HorizontalPodAutoscaler",
            List.of(
                    column(
                            "Reference",
                            o -> Json.text(o, "spec", "scaleTargetRef", "kind") + "/"
                                    + Json.text(o, "spec", "scaleTargetRef", "name")),
                    column("Targets", WorkloadColumns::targets),
                    column("MinPods", o -> {
                        JsonNode min = o.path("spec").path("minReplicas");
                        return min.isNumber() ? min.asText() : "<unset>";
                    }),
                    column("MaxPods", o -> o.path("spec").path("maxReplicas").asInt()),
                    column(
                            "Replicas",
                            o -> o.path("status").path("currentReplicas").asInt()),
                    age()));

    private WorkloadColumns() {}

    private static List<Column> replicas(Function<JsonNode, Object> selector) {
        return List.of(
                column(
                        "Desired",
                        "integer",
                        o -> o.path("spec").path("replicas").asInt()),
                number("Current", "replicas"),
                number("Ready", "readyReplicas"),
                age(),
                wide("Containers", o -> containers(o.path("spec"), "name")),
                wide("Images", o -> containers(o.path("spec"), "image")),
                wide("Selector", selector));
    }

    private static JsonNode job(JsonNode cronJob) {
        return cronJob.path("spec").path("jobTemplate").path("spec");
    }

    private static String given(JsonNode value) {
        return value.isMissingNode() ? "N/A" : value.asText();
    }

    private static String state(JsonNode job) {
        for (String state : JOB_STATES) {
            if (state.equals("Suspended") && Json.terminating(job)) {
                return "Terminating";
            }
            for (JsonNode condition : job.path("status").path("conditions")) {
                if (Json.text(condition, "type").equals(state)
                        && Json.text(condition, "status").equals("True")) {
                    return state;
                }
            }
        }
        return "Running";
    }

    private static String completions(JsonNode job) {
        int done = job.path("status").path("succeeded").asInt();
        JsonNode wanted = job.path("spec").path("completions");
        int parallel = job.path("spec").path("parallelism").asInt();
        if (wanted.isNumber()) {
            return done + "/" + wanted.asInt();
        }
        return done + "/1" + (parallel > 1 ? " of " + parallel : "");
    }

    private static String duration(JsonNode job) {
        String start = Json.text(job, "status", "startTime");
        String end = Json.text(job, "status", "completionTime");
        if (start.isEmpty() || end.isEmpty()) {
            return "";
        }
        return TableColumns.human(Duration.between(Instant.parse(start), Instant.parse(end)));
    }

    private static String controller(JsonNode revision) {
        for (JsonNode owner : revision.path("metadata").path("ownerReferences")) {
            if (owner.path("controller").asBoolean()) {
                String version = Json.text(owner, "apiVersion");
                String group = version.contains("/") ? "." + version.substring(0, version.indexOf('/')) : "";
                return Json.text(owner, "kind").toLowerCase(Locale.ROOT) + group + "/" + Json.text(owner, "name");
            }
        }
        return NONE;
    }

    private static String targets(JsonNode autoscaler) {
        List<String> targets = new ArrayList<>();
        JsonNode percent = autoscaler.path("spec").path("targetCPUUtilizationPercentage");
        if (percent.isNumber()) {
            return "cpu: <unknown>/" + percent.asInt() + "%";
        }
        for (JsonNode metric : autoscaler.path("spec").path("metrics")) {
            String type = Json.text(metric, "type");
            String field = type.isEmpty() ? "" : Character.toLowerCase(type.charAt(0)) + type.substring(1);
            JsonNode target = metric.path(field).path("target");
            String average = Json.text(target, "averageValue");
            targets.add(
                    switch (type) {
                        case "Resource", "ContainerResource" ->
                            Json.text(metric, field, "name") + ": <unknown>/"
                                    + (average.isEmpty()
                                            ? target.path("averageUtilization").asText("<auto>") + "%"
                                            : average);
                        case "Pods" -> "<unknown>/" + average;
                        default -> "<unknown>/" + (average.isEmpty() ? Json.text(target, "value") : average + " (avg)");
                    });
        }
        if (targets.isEmpty()) {
            return NONE;
        }
        String shown = String.join(", ", targets.subList(0, Math.min(SHOWN, targets.size())));
        return targets.size() > SHOWN ? shown + " + " + (targets.size() - SHOWN) + " more..." : shown;
    }
}
