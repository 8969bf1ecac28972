package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;

/** Where a pod may run: node selector, required node affinity, taints and tolerations. Works on a pod's or a template's spec. */
final class Placement {
    static final String NO_SCHEDULE = "NoSchedule";
    static final String NO_EXECUTE = "NoExecute";

    private Placement() {}

    /** Whether node selector and required node affinity allow this node. */
    static boolean selects(JsonNode podSpec, JsonNode node) {
        JsonNode labels = JsonNodes.at(node, "metadata", "labels");
        for (var e : podSpec.path("nodeSelector").properties()) {
            JsonNode value = labels.get(e.getKey());
            if (value == null || !value.asText().equals(e.getValue().asText())) {
                return false;
            }
        }
        JsonNode required =
                JsonNodes.at(podSpec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
        if (required.isMissingNode() || required.isNull()) {
            return true;
        }
        for (JsonNode term : required.path("nodeSelectorTerms")) {
            if (matchesTerm(term, node)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a node selector, of a device or an allocation, selects this node. */
    static boolean selectedBy(JsonNode nodeSelector, JsonNode node) {
        for (JsonNode term : nodeSelector.path("nodeSelectorTerms")) {
            if (matchesTerm(term, node)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matchesTerm(JsonNode term, JsonNode node) {
        JsonNode expressions = term.path("matchExpressions");
        JsonNode fields = term.path("matchFields");
        if (expressions.isEmpty() && fields.isEmpty()) {
            return false;
        }
        JsonNode labels = JsonNodes.at(node, "metadata", "labels");
        for (JsonNode e : expressions) {
            if (!matches(e, labels.get(JsonNodes.text(e, "key")))) {
                return false;
            }
        }
        for (JsonNode f : fields) {
            if (!JsonNodes.text(f, "key").equals("metadata.name")
                    || !matches(f, JsonNodes.at(node, "metadata", "name"))) {
                return false;
            }
        }
        return true;
    }

    private static boolean matches(JsonNode expression, @org.jspecify.annotations.Nullable JsonNode value) {
        List<String> values = JsonNodes.texts(expression, "values");
        return switch (JsonNodes.text(expression, "operator")) {
            case "In" -> value != null && values.contains(value.asText());
            case "NotIn" -> value == null || !values.contains(value.asText());
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            case "Gt" -> value != null && compare(value.asText(), values) > 0;
            case "Lt" -> value != null && compare(value.asText(), values) < 0;
            default -> false;
        };
    }

    /** The sign of value - bound; 0, which satisfies neither Gt nor Lt, where one is not a number. */
    private static int compare(String value, List<String> values) {
        try {
            return values.size() != 1 ? 0 : Long.compare(Long.parseLong(value), Long.parseLong(values.get(0)));
        } catch (NumberFormatException notANumber) {
            return 0;
        }
    }

    /** Whether every taint of the node with one of these effects is tolerated. */
    static boolean tolerates(JsonNode tolerations, JsonNode node, Set<String> effects) {
        for (JsonNode taint : JsonNodes.at(node, "spec", "taints")) {
            if (effects.contains(JsonNodes.text(taint, "effect")) && !toleratesTaint(tolerations, taint)) {
                return false;
            }
        }
        return true;
    }

    static boolean toleratesTaint(JsonNode tolerations, JsonNode taint) {
        for (JsonNode t : tolerations) {
            if (toleration(t, taint)) {
                return true;
            }
        }
        return false;
    }

    static boolean toleration(JsonNode toleration, JsonNode taint) {
        String effect = JsonNodes.text(toleration, "effect");
        String key = JsonNodes.text(toleration, "key");
        boolean exists = JsonNodes.text(toleration, "operator").equals("Exists");
        if (!effect.isEmpty() && !effect.equals(JsonNodes.text(taint, "effect"))) {
            return false;
        }
        if (key.isEmpty()) {
            return exists;
        }
        return key.equals(JsonNodes.text(taint, "key"))
                && (exists || JsonNodes.text(toleration, "value").equals(JsonNodes.text(taint, "value")));
    }

    /** The only node that a pod may run on because its affinity names it, as DaemonSet pods do; empty where there is none. */
    static String pinnedTo(JsonNode podSpec) {
        JsonNode terms = JsonNodes.at(
                podSpec,
                "affinity",
                "nodeAffinity",
                "requiredDuringSchedulingIgnoredDuringExecution",
                "nodeSelectorTerms");
        if (terms.size() != 1) {
            return "";
        }
        for (JsonNode f : terms.path(0).path("matchFields")) {
            if (JsonNodes.text(f, "key").equals("metadata.name")
                    && JsonNodes.text(f, "operator").equals("In")
                    && f.path("values").size() == 1) {
                return f.path("values").path(0).asText();
            }
        }
        return "";
    }
}
