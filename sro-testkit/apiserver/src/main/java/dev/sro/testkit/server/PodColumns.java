package dev.sro.testkit.server;

import static dev.sro.testkit.server.TableColumns.NONE;
import static dev.sro.testkit.server.TableColumns.age;
import static dev.sro.testkit.server.TableColumns.column;
import static dev.sro.testkit.server.TableColumns.orNone;
import static dev.sro.testkit.server.TableColumns.wide;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.server.TableColumns.Column;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The columns of pods and of the nodes that they run on. */
final class PodColumns {
    private static final String ROLE = "node-role.kubernetes.io/";

    static final Map<String, List<Column>> BY_KIND = Map.of(
            "Pod",
            List.of(
                    column("Ready", PodColumns::podReady),
                    column("Status", PodColumns::podStatus),
                    column("Restarts", o -> Integer.toString(restarts(o))),
                    age(),
                    wide("IP", o -> orNone(Json.text(o, "status", "podIP"))),
                    wide("Node", o -> orNone(Json.text(o, "spec", "nodeName"))),
                    wide("Nominated Node", o -> orNone(Json.text(o, "status", "nominatedNodeName"))),
                    wide("Readiness Gates", PodColumns::readinessGates)),
            "Node",
            List.of(
                    column("Status", PodColumns::nodeStatus),
                    column("Roles", PodColumns::roles),
                    age(),
                    column("Version", o -> Json.text(o, "status", "nodeInfo", "kubeletVersion")),
                    wide("Internal-IP", o -> address(o, "InternalIP")),
                    wide("External-IP", o -> address(o, "ExternalIP")),
                    wide("OS-Image", o -> orUnknown(Json.text(o, "status", "nodeInfo", "osImage"))),
                    wide("Kernel-Version", o -> orUnknown(Json.text(o, "status", "nodeInfo", "kernelVersion"))),
                    wide(
                            "Container-Runtime",
                            o -> orUnknown(Json.text(o, "status", "nodeInfo", "containerRuntimeVersion")))));

    private PodColumns() {}

    private static String readinessGates(JsonNode pod) {
        JsonNode gates = pod.path("spec").path("readinessGates");
        int met = 0;
        for (JsonNode gate : gates) {
            for (JsonNode condition : pod.path("status").path("conditions")) {
                boolean its = Json.text(condition, "type").equals(Json.text(gate, "conditionType"));
                met += its && Json.text(condition, "status").equals("True") ? 1 : 0;
            }
        }
        return gates.isEmpty() ? NONE : met + "/" + gates.size();
    }

    private static String podReady(JsonNode pod) {
        int ready = 0;
        for (JsonNode status : pod.path("status").path("containerStatuses")) {
            ready += status.path("ready").asBoolean() ? 1 : 0;
        }
        int all = pod.path("spec").path("containers").size();
        for (JsonNode container : pod.path("spec").path("initContainers")) {
            all += Json.text(container, "restartPolicy").equals("Always") ? 1 : 0;
        }
        return ready + "/" + all;
    }

    private static String podStatus(JsonNode pod) {
        if (Json.terminating(pod)) {
            return "Terminating";
        }
        String status = Json.text(pod, "status", "phase");
        for (JsonNode condition : pod.path("status").path("conditions")) {
            if (Json.text(condition, "type").equals("PodScheduled")
                    && Json.text(condition, "reason").equals("SchedulingGated")) {
                status = "SchedulingGated";
            }
        }
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

    private static String roles(JsonNode node) {
        TreeSet<String> roles = new TreeSet<>();
        node.path("metadata").path("labels").properties().forEach(label -> {
            if (label.getKey().startsWith(ROLE) && label.getKey().length() > ROLE.length()) {
                roles.add(label.getKey().substring(ROLE.length()));
            } else if (label.getKey().equals("kubernetes.io/role")
                    && !label.getValue().asText().isEmpty()) {
                roles.add(label.getValue().asText());
            }
        });
        return orNone(String.join(",", roles));
    }

    private static String address(JsonNode node, String type) {
        for (JsonNode address : node.path("status").path("addresses")) {
            if (Json.text(address, "type").equals(type)) {
                return Json.text(address, "address");
            }
        }
        return NONE;
    }

    private static String orUnknown(String text) {
        return text.isEmpty() ? "<unknown>" : text;
    }
}
