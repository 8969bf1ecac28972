package dev.sro.core.partition;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.placement.PatchOperations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What pods get that ask for a device. Immutable.
 *
 * @param resources names of extended resources; one that ends with {@code *} stands for all that begin like it
 * @param deviceClasses of claims
 * @param tolerations as in the spec of a pod
 * @param defaultClass for pods that name no priority class
 */
public record PodRules(
        List<String> resources,
        List<String> deviceClasses,
        List<Map<String, Object>> tolerations,
        Optional<PriorityClassSpec> defaultClass) {

    /** Copies the lists. */
    public PodRules {
        resources = List.copyOf(resources);
        deviceClasses = List.copyOf(deviceClasses);
        tolerations = List.copyOf(tolerations);
    }

    /** Whether no pod is changed by them. */
    public boolean isEmpty() {
        return (tolerations.isEmpty() && defaultClass.isEmpty()) || (resources.isEmpty() && deviceClasses.isEmpty());
    }

    /** For an annotation, from which {@link #parse} reads it. No name in it holds one of the separators. */
    public String text() {
        String text = "resources=" + String.join(",", resources) + ";tolerations="
                + tolerations.stream()
                        .map(each -> each.get("key") + ":" + each.get("effect"))
                        .collect(Collectors.joining(","));
        return text
                + defaultClass
                        .map(each -> ";class=" + each.name() + ":" + each.value() + ":" + each.preemptionPolicy())
                        .orElse("");
    }

    /**
     * What {@link #text} was made of, without the device classes: a webhook does not see claims.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static PodRules parse(String text) {
        Map<String, String> fields = new HashMap<>();
        for (String field : text.split(";", -1)) {
            int equals = field.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("\"" + field + "\" is no field=value");
            }
            fields.put(field.substring(0, equals), field.substring(equals + 1));
        }
        List<Map<String, Object>> tolerations = new ArrayList<>();
        for (String taint : list(fields.getOrDefault("tolerations", ""))) {
            int colon = taint.lastIndexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException("\"" + taint + "\" is no key:Effect");
            }
            tolerations.add(new TaintSpec(taint.substring(0, colon), "", taint.substring(colon + 1)).toleration());
        }
        return new PodRules(
                list(fields.getOrDefault("resources", "")),
                List.of(),
                tolerations,
                Optional.ofNullable(fields.get("class")).map(PodRules::priorityClass));
    }

    private static PriorityClassSpec priorityClass(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("\"" + text + "\" is no name:value:policy");
        }
        return new PriorityClassSpec(parts[0], Integer.parseInt(parts[1]), parts[2], "");
    }

    private static List<String> list(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(","));
    }

    /**
     * The JSON patch (RFC 6902) that gives a pod what it is to have; empty when it has all of it, or does not ask for the device.
     *
     * @param pod as it is to be created
     */
    public List<Map<String, Object>> patch(Map<String, Object> pod) {
        Map<String, Object> spec = ValueTrees.map(pod, "spec");
        List<Map<String, Object>> patch = new ArrayList<>();
        if (!asks(spec)) {
            return patch;
        }
        List<Map<String, Object>> present = ValueTrees.maps(spec, "tolerations");
        List<Map<String, Object>> missing = tolerations.stream()
                .filter(wanted -> present.stream().noneMatch(each -> covers(each, wanted)))
                .toList();
        if (!missing.isEmpty() && !(spec.get("tolerations") instanceof List<?>)) {
            patch.add(PatchOperations.operation("add", "/spec/tolerations", missing));
        } else {
            missing.forEach(wanted -> patch.add(PatchOperations.operation("add", "/spec/tolerations/-", wanted)));
        }
        if (ValueTrees.text(spec, "priorityClassName").isEmpty()) {
            defaultClass.ifPresent(wanted -> {
                patch.add(PatchOperations.operation("add", "/spec/priorityClassName", wanted.name()));
                // The API server computed these for no class before it asked; it refuses a pod in which they differ.
                patch.add(PatchOperations.operation("add", "/spec/priority", wanted.value()));
                patch.add(PatchOperations.operation("add", "/spec/preemptionPolicy", wanted.preemptionPolicy()));
            });
        }
        return patch;
    }

    private boolean asks(Map<String, Object> spec) {
        List<Map<String, Object>> containers = new ArrayList<>(ValueTrees.maps(spec, "initContainers"));
        containers.addAll(ValueTrees.maps(spec, "containers"));
        return containers.stream()
                .flatMap(container -> List.of("requests", "limits").stream()
                        .flatMap(field -> ValueTrees.map(container, "resources", field).keySet().stream()))
                .anyMatch(this::isOne);
    }

    private boolean isOne(String resource) {
        return resources.stream()
                .anyMatch(name -> name.endsWith("*")
                        ? resource.startsWith(name.substring(0, name.length() - 1))
                        : resource.equals(name));
    }

    /** Whether a toleration does what the wanted one, of operator Exists, does. */
    public static boolean covers(Map<String, Object> present, Map<String, Object> wanted) {
        String key = ValueTrees.text(present, "key");
        String effect = ValueTrees.text(present, "effect");
        return ValueTrees.text(present, "operator").equals("Exists")
                && (key.isEmpty() || key.equals(wanted.get("key")))
                && (effect.isEmpty() || effect.equals(wanted.get("effect")));
    }
}
