package dev.sro.core.probe;

import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes a DaemonSet is for by what its author asks for in node selector and required node affinity. Labels that SRO writes, or
 * waits for, say when a node's turn comes, not whether it is meant, and are left out. Immutable.
 */
public final class NodeChoice {
    private static final List<String> OWN = List.of("specialresource.openshift.io/", "sro.dev/", "sro.openshift.io/");

    private final Map<String, Object> selector;
    private final List<Map<String, Object>> terms;
    private final Predicate<String> comesLater;

    private NodeChoice(Map<String, Object> selector, List<Map<String, Object>> terms, Predicate<String> comesLater) {
        this.selector = selector;
        this.terms = terms;
        this.comesLater = comesLater;
    }

    /** @param readyLabel whether a label is one that DaemonSets of the recipe give to nodes */
    public static NodeChoice of(KubeObject daemonSet, Predicate<String> readyLabel) {
        Map<String, Object> pod = ValueTrees.map(daemonSet.tree(), "spec", "template", "spec");
        Predicate<String> comesLater = readyLabel
                .or(MetadataKeys.KERNEL_LABEL::equals)
                .or(key -> OWN.stream().anyMatch(key::startsWith));
        Map<String, Object> required =
                ValueTrees.map(pod, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
        return new NodeChoice(ValueTrees.map(pod, "nodeSelector"), maps(required.get("nodeSelectorTerms")), comesLater);
    }

    /** Whether nothing is asked for, so that every node is meant. */
    public boolean isAll() {
        return terms.isEmpty() && selector.keySet().stream().allMatch(comesLater);
    }

    /** Whether the DaemonSet is for this node. */
    public boolean matches(ObservedNode node) {
        Map<String, String> labels = node.facts().labels();
        return selector.entrySet().stream()
                        .allMatch(wanted -> comesLater.test(wanted.getKey())
                                || String.valueOf(wanted.getValue()).equals(labels.get(wanted.getKey())))
                && (terms.isEmpty() || terms.stream().anyMatch(term -> holds(term, node.name(), labels)));
    }

    private boolean holds(Map<String, Object> term, String name, Map<String, String> labels) {
        return maps(term.get("matchExpressions")).stream().allMatch(rule -> holds(rule, labels))
                // The name is the one field that a node can be selected by.
                && maps(term.get("matchFields")).stream().allMatch(rule -> holds(rule, Map.of("metadata.name", name)));
    }

    private boolean holds(Map<String, Object> rule, Map<String, String> labels) {
        String key = ValueTrees.text(rule, "key");
        if (comesLater.test(key)) {
            return true;
        }
        String value = labels.get(key);
        List<?> values = rule.get("values") instanceof List<?> list ? list : List.of();
        return switch (ValueTrees.text(rule, "operator")) {
            case "In" -> value != null && values.contains(value);
            case "NotIn" -> value == null || !values.contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            case "Gt" -> value != null && difference(value, values) > 0;
            case "Lt" -> value != null && difference(value, values) < 0;
            default -> true;
        };
    }

    /** 0, which is neither more nor less, for what is no number: the scheduler takes no such node. */
    private static int difference(String value, List<?> values) {
        try {
            return values.size() == 1
                    ? Long.compare(Long.parseLong(value), Long.parseLong(String.valueOf(values.get(0))))
                    : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> maps(@Nullable Object value) {
        List<Map<String, Object>> maps = new ArrayList<>();
        if (value instanceof List<?> list) {
            list.forEach(item -> {
                if (item instanceof Map<?, ?> map) {
                    maps.add((Map<String, Object>) map);
                }
            });
        }
        return maps;
    }
}
