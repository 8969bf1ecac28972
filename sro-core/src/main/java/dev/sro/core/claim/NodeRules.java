package dev.sro.core.claim;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Why a pod cannot be on a node, whatever devices there are: what people set of it. Other rules of the scheduler are not looked at. Stateless. */
public final class NodeRules {
    private NodeRules() {}

    /**
     * A reason, or empty if none is known.
     *
     * @param resources extended resources that the pod waits for
     */
    public static Optional<String> against(Pod pod, Node node, Set<String> resources) {
        String wanted = pod.getSpec().getNodeName();
        String name = node.getMetadata().getName();
        if (wanted != null && !wanted.isEmpty() && !wanted.equals(name)) {
            return Optional.of("the pod is bound to node " + wanted);
        }
        if (Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
            return Optional.of("the node is cordoned");
        }
        for (Taint taint : node.getSpec().getTaints()) {
            if (!"PreferNoSchedule".equals(taint.getEffect())
                    && pod.getSpec().getTolerations().stream().noneMatch(toleration -> tolerates(toleration, taint))) {
                String value = taint.getValue() == null || taint.getValue().isEmpty() ? "" : "=" + taint.getValue();
                return Optional.of(
                        "the pod does not tolerate its taint " + taint.getKey() + value + ":" + taint.getEffect());
            }
        }
        Map<String, String> labels = node.getMetadata().getLabels() == null
                ? Map.of()
                : node.getMetadata().getLabels();
        return selector(pod, labels).or(() -> affinity(pod, name, labels)).or(() -> devicePlugin(node, resources));
    }

    private static Optional<String> selector(Pod pod, Map<String, String> labels) {
        Map<String, String> selector = pod.getSpec().getNodeSelector();
        return selector == null
                ? Optional.empty()
                : selector.entrySet().stream()
                        .filter(entry -> !entry.getValue().equals(labels.get(entry.getKey())))
                        .map(entry -> "its labels lack " + entry.getKey() + "=" + entry.getValue()
                                + ", which the pod's nodeSelector asks for")
                        .findFirst();
    }

    private static Optional<String> affinity(Pod pod, String node, Map<String, String> labels) {
        if (pod.getSpec().getAffinity() == null
                || pod.getSpec().getAffinity().getNodeAffinity() == null
                || pod.getSpec().getAffinity().getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution()
                        == null) {
            return Optional.empty();
        }
        List<NodeSelectorTerm> terms = pod.getSpec()
                .getAffinity()
                .getNodeAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .getNodeSelectorTerms();
        // The name is the one field that a node can be selected by.
        boolean fits = terms.stream()
                .anyMatch(term -> term.getMatchExpressions().stream().allMatch(rule -> holds(rule, labels))
                        && term.getMatchFields().stream().allMatch(rule -> holds(rule, Map.of("metadata.name", node))));
        return fits ? Optional.empty() : Optional.of("the pod's node affinity rules it out");
    }

    private static boolean holds(NodeSelectorRequirement rule, Map<String, String> labels) {
        String value = labels.get(rule.getKey());
        return switch (rule.getOperator()) {
            case "In" -> value != null && rule.getValues().contains(value);
            case "NotIn" -> value == null || !rule.getValues().contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            default -> true;
        };
    }

    private static Optional<String> devicePlugin(Node node, Set<String> resources) {
        Map<String, Quantity> allocatable =
                node.getStatus() == null ? null : node.getStatus().getAllocatable();
        return resources.stream()
                .filter(resource -> allocatable != null
                        && allocatable.containsKey(resource)
                        && allocatable.get(resource).getNumericalAmount().signum() > 0)
                .map(resource -> "a device plugin offers " + resource + " there, so it does not come from slices")
                .findFirst();
    }

    private static boolean tolerates(Toleration toleration, Taint taint) {
        boolean key = empty(toleration.getKey())
                ? "Exists".equals(toleration.getOperator())
                : toleration.getKey().equals(taint.getKey());
        boolean value = "Exists".equals(toleration.getOperator())
                || text(toleration.getValue()).equals(text(taint.getValue()));
        return key
                && value
                && (empty(toleration.getEffect()) || toleration.getEffect().equals(taint.getEffect()));
    }

    private static boolean empty(@Nullable String text) {
        return text == null || text.isEmpty();
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
