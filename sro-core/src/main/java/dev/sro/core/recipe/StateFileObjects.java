package dev.sro.core.recipe;

import dev.sro.api.Pool;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the objects of numbered manifests become, beyond what SRO does with all objects. Thread-safe. */
final class StateFileObjects {

    /** Kinds that have pods or builds, which run on nodes of one kernel if the kernel is in them. */
    private static final Set<String> ON_NODES = Set.of(
            "DaemonSet",
            "Deployment",
            "StatefulSet",
            "ReplicaSet",
            "Pod",
            "Job",
            "CronJob",
            "BuildConfig",
            "Build",
            "BuildRun");

    private static final String STATE = StateFileValues.STATE_PREFIX + "state";

    /** The prefix was misspelled in operator and recipes of 2020. */
    private static final String MISSPELLED_LOGS = "specialresrouce.openshift.io/wait-for-logs";

    private static final String LOGS = StateFileValues.STATE_PREFIX + "wait-for-logs";

    /** Before there was an annotation, the operator knew by these names what it labelled nodes for. */
    private static final Map<String, String> GROUPS_BY_NAME = Map.of(
            "nvidia-driver-daemonset", "driver-container",
            "nvidia-driver-validation-daemonset", "driver-validation",
            "nvidia-device-plugin-daemonset", "device-plugin",
            "nvidia-dp-validation-daemonset", "device-validation",
            "nvidia-dcgm-exporter", "device-monitoring");

    private static final int MAX_LABEL = 63;

    private final String namespace;
    private final String hardware;
    private final Map<String, String> placeholders;
    private final Set<String> withoutHardware;
    private volatile Map<String, String> namespaceLabels = Map.of();
    private volatile Map<String, String> namespaceAnnotations = Map.of();

    /**
     * @param namespace of the operands
     * @param hardware ends the names of node labels
     * @param placeholders values for words in objects with a callback
     * @param withoutHardware groups whose node labels are called after the group alone
     */
    StateFileObjects(String namespace, String hardware, Map<String, String> placeholders, Set<String> withoutHardware) {
        this.namespace = namespace;
        this.hardware = hardware;
        this.placeholders = placeholders;
        this.withoutHardware = withoutHardware;
    }

    /** Labels that the recipe wants on the namespace of the operands; known once it was rendered. */
    Map<String, String> namespaceLabels() {
        return namespaceLabels;
    }

    /** Annotations that the recipe wants on it; known once it was rendered. */
    Map<String, String> namespaceAnnotations() {
        return namespaceAnnotations;
    }

    /**
     * The object for the pool; empty for the namespace of the operands, which comes before all states.
     *
     * @param first whether what all pools share is as for this one
     */
    Optional<GenericKubernetesResource> finished(
            GenericKubernetesResource object, Pool pool, boolean first, Collection<String> warnings) {
        ObjectMeta metadata = object.getMetadata();
        if (object.getKind().equals("Namespace") && namespace.equals(metadata.getName())) {
            if (first) {
                namespaceLabels = copy(metadata.getLabels());
                namespaceAnnotations = copy(metadata.getAnnotations());
            }
            return Optional.empty();
        }
        String kernel = pool.kernel().raw();
        metadata.setName(KernelPlaceholder.inName(metadata.getName(), kernel));
        Map<String, Object> content = ValueTrees.mutableCopy(object.getAdditionalProperties());
        KernelPlaceholder.replace(content, kernel);
        Map<String, String> annotations =
                new TreeMap<>(Objects.requireNonNullElse(metadata.getAnnotations(), Map.of()));
        if (MetadataKeys.CALLBACKS.stream().anyMatch(annotations::containsKey)) {
            replacePlaceholders(content);
            if (content.toString().contains("REPLACE_PROM_")) {
                warnings.add(object.getKind() + " " + metadata.getName()
                        + " has REPLACE_PROM_URL or its like, for which there is no value: Secret"
                        + " openshift-monitoring/grafana-datasources has none, or may not be read");
            }
        }
        object.setAdditionalProperties(content);
        if (ON_NODES.contains(object.getKind()) && content.toString().contains(kernel)) {
            annotations.putIfAbsent(MetadataKeys.KERNEL_AFFINE, "true");
        }
        label(object.getKind(), metadata.getName(), annotations);
        String logs = annotations.remove(MISSPELLED_LOGS);
        if (logs != null) {
            annotations.putIfAbsent(LOGS, logs);
        }
        if (!annotations.isEmpty()) {
            metadata.setAnnotations(annotations);
        }
        return Optional.of(object);
    }

    private static Map<String, String> copy(@Nullable Map<String, String> given) {
        Map<String, String> copy = new TreeMap<>();
        Objects.requireNonNullElse(given, Map.<String, String>of())
                .forEach((key, value) -> copy.put(key, Objects.requireNonNullElse(value, "")));
        return Map.copyOf(copy);
    }

    /** The DaemonSets of the states after this one find their nodes by this label. */
    private void label(String kind, String name, Map<String, String> annotations) {
        if (!kind.equals("DaemonSet")) {
            return;
        }
        String group = annotations.getOrDefault(STATE, GROUPS_BY_NAME.getOrDefault(name, ""));
        if (withoutHardware.contains(group)) {
            annotations.put(MetadataKeys.READY_LABEL, StateFileValues.STATE_PREFIX + group);
        } else if (annotations.containsKey(STATE) && StateFileValues.LABELLED_GROUPS.contains(group)) {
            annotations.put(
                    MetadataKeys.READY_LABEL,
                    StateFileValues.STATE_PREFIX + MetadataKeys.fit(group + "-" + hardware, MAX_LABEL));
        }
    }

    private void replacePlaceholders(Map<String, Object> tree) {
        tree.replaceAll((key, value) -> replaced(value));
    }

    @SuppressWarnings("unchecked")
    private Object replaced(Object value) {
        if (value instanceof Map<?, ?> map) {
            replacePlaceholders((Map<String, Object>) map);
            return value;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(this::replaced).toList();
        }
        if (!(value instanceof String text)) {
            return value;
        }
        String result = text;
        for (Map.Entry<String, String> word : placeholders.entrySet()) {
            result = result.replace(word.getKey(), word.getValue());
        }
        return result;
    }
}
