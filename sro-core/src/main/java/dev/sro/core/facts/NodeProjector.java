package dev.sro.core.facts;

import dev.sro.api.KernelVersion;
import dev.sro.api.NodeFacts;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.NodeVerdict;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSystemInfo;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes {@link ObservedNode}s of Node objects. Stateless. */
public final class NodeProjector {

    private static final String ARCH_LABEL = "kubernetes.io/arch";

    private NodeProjector() {}

    /**
     * The projection, or empty for a node whose kernel is not known yet: a kubelet that has not reported cannot be
     * served, and is looked at again when it does.
     */
    public static Optional<ObservedNode> project(Node node) {
        Map<String, String> labels = node.getMetadata().getLabels() == null
                ? Map.of()
                : node.getMetadata().getLabels();
        NodeSystemInfo info = node.getStatus() == null ? null : node.getStatus().getNodeInfo();
        String kernel =
                firstNonEmpty(info == null ? null : info.getKernelVersion(), labels.get(MetadataKeys.KERNEL_LABEL));
        if (kernel.isBlank()) {
            return Optional.empty();
        }
        NodeFacts facts = NodeFacts.builder()
                .name(node.getMetadata().getName())
                .kernel(new KernelVersion(kernel))
                .os(OsReleases.parse(info == null ? "" : firstNonEmpty(info.getOsImage()), labels))
                .architecture(
                        firstNonEmpty(labels.get(ARCH_LABEL), info == null ? null : info.getArchitecture(), "unknown"))
                .putAllLabels(labels)
                .addAllTaints(taints(node))
                .ready(ready(node))
                .unschedulable(node.getSpec() != null
                        && Boolean.TRUE.equals(node.getSpec().getUnschedulable()))
                .bootId(info == null ? "" : firstNonEmpty(info.getBootID()))
                .putAllAllocatable(allocatable(node))
                .build();
        Map<String, Set<String>> applied = appliedLabels(node);
        return Optional.of(new ObservedNode(
                facts,
                firstNonEmpty(node.getMetadata().getUid()),
                applied,
                coOwnedLabels(node, applied),
                holds(node, facts.unschedulable())));
    }

    private static NodeHolds holds(Node node, boolean unschedulable) {
        SortedMap<String, String> annotations = new TreeMap<>();
        if (node.getMetadata().getAnnotations() != null) {
            node.getMetadata().getAnnotations().forEach((key, value) -> {
                if (NodeHolds.concerns(key)) {
                    annotations.put(key, value);
                }
            });
        }
        Map<String, Set<String>> applied = new HashMap<>();
        Set<String> cordoning = new TreeSet<>();
        Map<String, SortedMap<String, NodeVerdict>> verdicts = new HashMap<>();
        boolean others = false;
        for (ManagedFieldsEntry entry : node.getMetadata().getManagedFields()) {
            if (entry.getFieldsV1() == null) {
                continue;
            }
            Map<String, Object> fields = entry.getFieldsV1().getAdditionalProperties();
            boolean cordons = unschedulable
                    && fields.get("f:spec") instanceof Map<?, ?> spec
                    && spec.containsKey("f:unschedulable");
            if (!isOurs(entry)) {
                others |= cordons;
                continue;
            }
            if (cordons) {
                cordoning.add(entry.getManager());
            }
            if ("status".equals(entry.getSubresource())) {
                SortedMap<String, NodeVerdict> held = verdicts(node, fields);
                if (!held.isEmpty()) {
                    verdicts.put(entry.getManager(), held);
                }
            }
            Set<String> keys = keys(fields, "f:annotations");
            if (!keys.isEmpty()) {
                applied.put(entry.getManager(), keys);
                keys.forEach(key -> annotations.computeIfAbsent(
                        key, unused -> node.getMetadata().getAnnotations().get(key)));
            }
        }
        boolean anybody = !annotations.isEmpty() || unschedulable || !applied.isEmpty() || !verdicts.isEmpty();
        boolean cordonedByOthers = unschedulable && (others || cordoning.isEmpty());
        return anybody ? new NodeHolds(annotations, applied, cordoning, cordonedByOthers, verdicts) : NodeHolds.NONE;
    }

    /** Those conditions of the node that these fields are about. */
    private static SortedMap<String, NodeVerdict> verdicts(Node node, Map<String, Object> fields) {
        SortedMap<String, NodeVerdict> held = new TreeMap<>();
        if (fields.get("f:status") instanceof Map<?, ?> status
                && status.get("f:conditions") instanceof Map<?, ?> conditions) {
            node.getStatus().getConditions().stream()
                    .filter(condition -> conditions.containsKey("k:{\"type\":\"" + condition.getType() + "\"}"))
                    .forEach(condition -> held.put(
                            condition.getType(),
                            new NodeVerdict(
                                    firstNonEmpty(condition.getStatus()),
                                    firstNonEmpty(condition.getReason()),
                                    firstNonEmpty(condition.getMessage()),
                                    firstNonEmpty(condition.getLastTransitionTime()))));
        }
        return held;
    }

    /** The taints of a node, each {@code key=value:Effect}, sorted. */
    public static List<String> taints(Node node) {
        if (node.getSpec() == null || node.getSpec().getTaints() == null) {
            return List.of();
        }
        return node.getSpec().getTaints().stream()
                .map(NodeProjector::text)
                .sorted()
                .toList();
    }

    /** As {@code key=value:Effect}, or without a value {@code key:Effect}. */
    public static String text(Taint taint) {
        boolean bare = taint.getValue() == null || taint.getValue().isEmpty();
        String value = bare ? "" : "=" + taint.getValue();
        return taint.getKey() + value + ":" + taint.getEffect();
    }

    /** The taint of a {@link #text}. */
    public static Taint taint(String text) {
        int colon = text.lastIndexOf(':');
        int equals = text.indexOf('=');
        TaintBuilder taint = new TaintBuilder()
                .withKey(text.substring(0, equals < 0 ? colon : equals))
                .withEffect(text.substring(colon + 1));
        return equals < 0
                ? taint.build()
                : taint.withValue(text.substring(equals + 1, colon)).build();
    }

    private static boolean ready(Node node) {
        return node.getStatus() != null
                && node.getStatus().getConditions() != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus()));
    }

    private static Map<String, String> allocatable(Node node) {
        if (node.getStatus() == null || node.getStatus().getAllocatable() == null) {
            return Map.of();
        }
        Map<String, String> result = new TreeMap<>();
        for (Map.Entry<String, Quantity> entry :
                node.getStatus().getAllocatable().entrySet()) {
            result.put(entry.getKey(), entry.getValue().toString());
        }
        return result;
    }

    private static Map<String, Set<String>> appliedLabels(Node node) {
        Map<String, Set<String>> result = new HashMap<>();
        for (ManagedFieldsEntry entry : node.getMetadata().getManagedFields()) {
            if (isOurs(entry) && entry.getFieldsV1() != null) {
                Set<String> keys = labelKeys(entry.getFieldsV1().getAdditionalProperties());
                if (!keys.isEmpty()) {
                    result.put(entry.getManager(), keys);
                }
            }
        }
        // Labels of states are a special resource's own, even if the operator before us wrote them.
        if (node.getMetadata().getLabels() != null) {
            for (String label : node.getMetadata().getLabels().keySet()) {
                MetadataKeys.stateLabelOwner(label)
                        .ifPresent(owner -> result.computeIfAbsent(
                                        MetadataKeys.nodeManager(owner), unused -> new TreeSet<>())
                                .add(label));
            }
        }
        return result;
    }

    private static boolean isOurs(ManagedFieldsEntry entry) {
        String manager = entry.getManager();
        return manager != null
                && manager.startsWith(MetadataKeys.FIELD_MANAGER + ".")
                && "Apply".equals(entry.getOperation());
    }

    private static Set<String> coOwnedLabels(Node node, Map<String, Set<String>> applied) {
        if (applied.isEmpty()) {
            return Set.of();
        }
        Set<String> result = new TreeSet<>();
        for (ManagedFieldsEntry entry : node.getMetadata().getManagedFields()) {
            if (!isOurs(entry)
                    && entry.getFieldsV1() != null
                    && entry.getFieldsV1().getAdditionalProperties().get("f:metadata") instanceof Map<?, ?> metadata
                    && metadata.get("f:labels") instanceof Map<?, ?> theirs) {
                applied.values()
                        .forEach(ours -> ours.stream()
                                .filter(label -> theirs.containsKey("f:" + label))
                                .forEach(result::add));
            }
        }
        return result;
    }

    private static Set<String> labelKeys(Map<String, Object> fields) {
        return keys(fields, "f:labels");
    }

    private static Set<String> keys(Map<String, Object> fields, String kind) {
        Set<String> keys = new TreeSet<>();
        if (fields.get("f:metadata") instanceof Map<?, ?> metadata && metadata.get(kind) instanceof Map<?, ?> held) {
            for (Object field : held.keySet()) {
                if (field instanceof String name && name.startsWith("f:")) {
                    keys.add(name.substring(2));
                }
            }
        }
        return keys;
    }

    private static String firstNonEmpty(@Nullable String... candidates) {
        for (@Nullable String candidate : candidates) {
            if (candidate != null && !candidate.isEmpty()) {
                return candidate;
            }
        }
        return "";
    }
}
