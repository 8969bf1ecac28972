package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of the taints of a node. Stateless. */
final class TaintValidation {
    /** In the order in which the server names them. */
    static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    private TaintValidation() {}

    static List<FieldError> validate(List<ObjectNode> taints) {
        List<FieldError> errors = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < taints.size(); i++) {
            String at = "metadata.taints[" + i + "]";
            ObjectNode taint = taints.get(i);
            String key = JsonTree.text(taint, "key");
            String effect = JsonTree.text(taint, "effect");
            DeviceNames.labelKey(key, at + ".key", errors);
            DeviceNames.labelValue(JsonTree.text(taint, "value"), at + ".value", errors);
            if (effect.isEmpty()) {
                errors.add(FieldError.required(at + ".effect", ""));
            } else if (!EFFECTS.contains(effect)) {
                errors.add(FieldError.notSupported(
                        at + ".effect",
                        TextNode.valueOf(effect),
                        EFFECTS.stream().map(one -> "\"" + one + "\"").toList()));
            }
            if (!seen.add(key + "\u0000" + effect)) {
                errors.add(FieldError.of(
                        "FieldValueDuplicate",
                        "Duplicate value: " + shown(taint) + ": taints must be unique by key and effect pair",
                        at));
            }
        }
        return errors;
    }

    private static ObjectNode shown(ObjectNode taint) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        shown.put("Key", JsonTree.text(taint, "key"))
                .put("Value", JsonTree.text(taint, "value"))
                .put("Effect", JsonTree.text(taint, "effect"));
        shown.set("TimeAdded", taint.has("timeAdded") ? taint.get("timeAdded") : JsonNodeFactory.instance.nullNode());
        return shown;
    }
}
