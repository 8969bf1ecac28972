package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Collects where answers differ from what was written down, by case and step. Not for several threads. */
final class RequestDifferences {
    private static final Pattern BUILD = Pattern.compile("in scheme \\\\?\"[^\"]*\"");
    /** Kinds whose status is their controllers' at once. */
    private static final Set<String> CONTROLLED = Set.of(
            "Deployment",
            "DaemonSet",
            "StatefulSet",
            "ReplicaSet",
            "ReplicationController",
            "Job",
            "PodDisruptionBudget",
            "ResourceQuota",
            "PersistentVolume",
            "Node",
            "HorizontalPodAutoscaler");

    private static final List<String> OTHERS = List.of(
            "resourceVersion", "uid", "deployment.kubernetes.io/revision", "node.alpha.kubernetes.io/ttl", "gitCommit");

    private final Map<String, String> found = new TreeMap<>();
    private int steps;

    private RequestDifferences() {}

    static RequestDifferences none() {
        return new RequestDifferences();
    }

    /** A step without what was asked, and without what is another one's or of the server's build. */
    static ObjectNode answer(ObjectNode step) {
        ObjectNode answer = (ObjectNode) own(step);
        answer.remove("request");
        return answer;
    }

    /** Versions and uids are numbered by their first appearance, controllers come between: that is compared by other tests. */
    private static JsonNode own(JsonNode node) {
        if (node.isArray()) {
            ArrayNode list = Endpoint.JSON.createArrayNode();
            for (JsonNode item : node) {
                if (!item.path("manager").asText().equals("kube-controller-manager")) {
                    list.add(own(item));
                }
            }
            return list;
        }
        if (node.isTextual()) {
            return TextNode.valueOf(BUILD.matcher(node.textValue()).replaceAll("in scheme"));
        }
        if (!node.isObject()) {
            return node;
        }
        ObjectNode object = Endpoint.JSON.createObjectNode();
        node.properties().forEach(e -> object.set(e.getKey(), own(e.getValue())));
        if (object.has("spec")
                && object.has("metadata")
                && CONTROLLED.contains(object.path("kind").asText())) {
            object.remove("status");
        }
        object.remove(OTHERS);
        if (object.path("annotations").isEmpty()) {
            object.remove("annotations");
        }
        return object;
    }

    void add(String called, JsonNode written, JsonNode played) {
        ArrayNode answers = Endpoint.JSON.createArrayNode();
        played.forEach(step -> answers.add(answer((ObjectNode) step)));
        steps += written.size();
        Recordings.differences(own(written), answers)
                .forEach((step, difference) -> found.put(
                        called + " " + step,
                        difference + "\n    request  "
                                + shortened(played.path(step).path("request").toString())));
    }

    private static String shortened(String text) {
        return text.length() > 700 ? text.substring(0, 700) + "..." : text;
    }

    /** How many steps there were. */
    int steps() {
        return steps;
    }

    /** The places, {@code area/case step}. */
    Set<String> places() {
        return found.keySet();
    }

    /** All but those at places that are known. */
    String text(Set<String> known) {
        StringBuilder text = new StringBuilder();
        found.forEach((place, difference) -> {
            if (!known.contains(place)) {
                text.append('\n').append(place).append(' ').append(difference).append('\n');
            }
        });
        return text.toString();
    }
}
