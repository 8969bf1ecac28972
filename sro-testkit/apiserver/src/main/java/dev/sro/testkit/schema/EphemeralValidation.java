package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of ephemeral containers: what holds for all containers is looked at by others, this is what they may not have. Stateless. */
final class EphemeralValidation {
    /** Fields of containers that are for those which a pod is there for. */
    private static final List<String> NOT_OF_EPHEMERAL = List.of(
            "ports",
            "resizePolicy",
            "restartPolicy",
            "restartPolicyRules",
            "livenessProbe",
            "readinessProbe",
            "startupProbe",
            "lifecycle");

    private static final String NOT_SET = "cannot be set for an Ephemeral Container";

    private EphemeralValidation() {}

    static void validate(ObjectNode spec, String path, Checks checks) {
        List<ObjectNode> containers = JsonTree.objects(spec, "ephemeralContainers");
        Set<String> others = new HashSet<>();
        for (String list : List.of("containers", "initContainers")) {
            JsonTree.objects(spec, list).forEach(one -> others.add(JsonTree.text(one, "name")));
        }
        Set<String> names = new HashSet<>(others);
        for (int i = 0; i < containers.size(); i++) {
            ObjectNode container = containers.get(i);
            String at = path + ".ephemeralContainers[" + i + "]";
            String name = JsonTree.text(container, "name");
            if (!names.add(name)) {
                checks.add(FieldError.duplicate(at + ".name", TextNode.valueOf(name)));
            }
            String target = JsonTree.text(container, "targetContainerName");
            if (!target.isEmpty() && !others.contains(target)) {
                checks.add(FieldError.of(
                        "FieldValueNotFound", "Not found: " + TextNode.valueOf(target), at + ".targetContainerName"));
            }
            fields(container, at, checks);
        }
    }

    private static void fields(ObjectNode container, String at, Checks checks) {
        for (String field : NOT_OF_EPHEMERAL) {
            JsonNode value = container.path(field);
            if (value.isObject() || value.isTextual() || !value.isEmpty()) {
                checks.forbidden(at + "." + field, NOT_SET);
            }
        }
        if (!container.path("resources").isEmpty()) {
            checks.forbidden(at + ".resources", NOT_SET);
        }
        List<ObjectNode> mounts = JsonTree.objects(container, "volumeMounts");
        for (int i = 0; i < mounts.size(); i++) {
            for (String field : List.of("subPath", "subPathExpr")) {
                if (!JsonTree.text(mounts.get(i), field).isEmpty()) {
                    checks.forbidden(at + ".volumeMounts[" + i + "]." + field, NOT_SET);
                }
            }
        }
    }
}
