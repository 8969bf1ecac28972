package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What may not change in a pod. Stateless. */
final class PodUpdateValidation {
    private static final String UPDATE_TEXT =
            "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
                    + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
                    + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n";

    private PodUpdateValidation() {}

    /** What may not change in a pod. The server adds a difference in its own notation to the text, which is left out here. */
    static List<FieldError> validate(ObjectNode spec, JsonNode old) {
        List<FieldError> errors = new ArrayList<>();
        boolean gated = !old.path("schedulingGates").isEmpty();
        Set<String> gates = new HashSet<>();
        old.path("schedulingGates").forEach(g -> gates.add(g.path("name").asText()));
        List<ObjectNode> now = JsonTree.objects(spec, "schedulingGates");
        for (int i = 0; i < now.size(); i++) {
            String gate = JsonTree.text(now.get(i), "name");
            if (!gates.contains(gate)) {
                errors.add(FieldError.forbidden(
                        "spec.schedulingGates[" + i + "].name",
                        "only deletion is allowed, but found new scheduling gate '" + gate + "'"));
                return errors;
            }
        }
        if (gated && !includes(spec.path("nodeSelector"), old.path("nodeSelector"))) {
            errors.add(FieldError.invalid(
                    "spec.nodeSelector",
                    spec.get("nodeSelector"),
                    "only additions to spec.nodeSelector are allowed (no mutations or deletions)"));
            return errors;
        }
        // Simulated schedulers bind by writing the node's name, which on a real server goes through pods/binding.
        boolean bound = !JsonTree.text(old, "nodeName").isEmpty();
        if (!comparable(spec, gated, bound).equals(comparable(old, gated, bound))) {
            errors.add(FieldError.forbidden("spec", UPDATE_TEXT));
        }
        return errors;
    }

    private static boolean includes(JsonNode all, JsonNode part) {
        for (Map.Entry<String, JsonNode> e : part.properties()) {
            if (!e.getValue().equals(all.get(e.getKey()))) {
                return false;
            }
        }
        return true;
    }

    private static JsonNode comparable(JsonNode spec, boolean gated, boolean bound) {
        ObjectNode copy = spec.deepCopy();
        copy.remove(
                List.of("activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds", "schedulingGates"));
        if (gated) {
            copy.remove(List.of("nodeSelector", "affinity"));
        }
        if (!bound) {
            copy.remove("nodeName");
        }
        for (String list : new String[] {"containers", "initContainers"}) {
            for (ObjectNode container : JsonTree.objects(copy, list)) {
                container.remove("image");
            }
        }
        return copy;
    }
}
