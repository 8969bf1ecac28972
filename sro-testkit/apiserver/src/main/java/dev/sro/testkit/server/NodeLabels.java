package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Labels of nodes that have other names by now, of whose use the server warns. Stateless. */
final class NodeLabels {
    private static final Map<String, String> FORMER = Map.of(
            "beta.kubernetes.io/arch",
            "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
            "beta.kubernetes.io/os",
            "deprecated since v1.14; use \"kubernetes.io/os\" instead",
            "failure-domain.beta.kubernetes.io/region",
            "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
            "failure-domain.beta.kubernetes.io/zone",
            "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
            "beta.kubernetes.io/instance-type",
            "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead",
            "app.kubernetes.io/created-by",
            "deprecated since v1.9",
            "scheduler.alpha.kubernetes.io/preferAvoidPods",
            "deprecated since v1.22; use Taints and Tolerations instead",
            "node-role.kubernetes.io/master",
            "use \"node-role.kubernetes.io/control-plane\" instead");

    private NodeLabels() {}

    /** What is said of a label that has another name; empty for all others. */
    static String former(String label) {
        return FORMER.getOrDefault(label, "");
    }

    /** @param values whether the values of the term are looked at too */
    static List<String> ofTerm(JsonNode term, boolean values, String path) {
        List<String> warnings = new ArrayList<>();
        for (int i = 0; i < term.path("matchExpressions").size(); i++) {
            JsonNode expression = term.path("matchExpressions").get(i);
            String at = path + ".matchExpressions[" + i + "]";
            String key = Json.text(expression, "key");
            if (!former(key).isEmpty()) {
                warnings.add(at + ".key: " + key + " is " + former(key));
            }
            for (int j = 0; values && j < expression.path("values").size(); j++) {
                String value = expression.path("values").get(j).asText();
                String one = at + ".values[" + j + "]";
                Labels.valueFaults(value).forEach(fault -> warnings.add(one + ": " + value + " is invalid, " + fault));
            }
        }
        return warnings;
    }
}
