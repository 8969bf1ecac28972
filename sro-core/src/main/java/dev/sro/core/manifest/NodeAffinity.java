package dev.sro.core.manifest;

import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Keeps the pods of a workload off nodes with a label. Stateless. */
final class NodeAffinity {

    private static final String[] REQUIRED = {
        "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"
    };

    private NodeAffinity() {}

    /** The pods go only to nodes without the label, in addition to whatever the manifest asks for. */
    static void without(Map<String, Object> tree, String label) {
        require(tree, expression(label, "DoesNotExist"));
    }

    /** The pods go only to nodes with the label, whatever its value. */
    static void withAny(Map<String, Object> tree, String label) {
        require(tree, expression(label, "Exists"));
    }

    /** The pods go only to nodes that do not have this value of the label. */
    static void withoutValue(Map<String, Object> tree, String label, String value) {
        Map<String, Object> other = expression(label, "NotIn");
        other.put("values", List.of(value));
        require(tree, other);
    }

    private static Map<String, Object> expression(String label, String operator) {
        Map<String, Object> expression = new LinkedHashMap<>();
        expression.put("key", label);
        expression.put("operator", operator);
        return expression;
    }

    private static void require(Map<String, Object> tree, Map<String, Object> expression) {
        Workloads.podTemplate(tree).ifPresent(path -> {
            Map<String, Object> required =
                    ValueTrees.ensureMap(tree, Workloads.join(Workloads.join(path, "spec"), REQUIRED));
            List<Object> terms =
                    new ArrayList<>(required.get("nodeSelectorTerms") instanceof List<?> list ? list : List.of());
            if (terms.isEmpty()) {
                terms.add(Map.of());
            }
            // One of the terms has to hold, so that each gets the condition.
            terms.replaceAll(term -> term instanceof Map<?, ?> map ? with(map, expression) : term);
            required.put("nodeSelectorTerms", terms);
        });
    }

    private static Map<String, Object> with(Map<?, ?> term, Map<String, Object> expression) {
        Map<String, Object> result = new LinkedHashMap<>();
        term.forEach((key, value) -> result.put(String.valueOf(key), value));
        List<Object> expressions =
                new ArrayList<>(result.get("matchExpressions") instanceof List<?> list ? list : List.of());
        expressions.add(new LinkedHashMap<>(expression));
        result.put("matchExpressions", expressions);
        return result;
    }
}
