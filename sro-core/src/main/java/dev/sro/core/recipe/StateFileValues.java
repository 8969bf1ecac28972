package dev.sro.core.recipe;

import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.source.StateFileSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the Go templates of numbered manifests see as {@code .}: the names of the first generations of the Special Resource Operator,
 * of both where they differ. Fields of the special resource have the names that they had in Go, and those that are not set are empty,
 * as in Go; a field that there never was is not defined. Stateless.
 */
final class StateFileValues {

    /** How node labels and the values of {@code .StateName} begin. */
    static final String STATE_PREFIX = "specialresource.openshift.io/";

    /** Groups whose DaemonSets label the nodes on which they are ready. */
    static final Set<String> LABELLED_GROUPS =
            Set.of("driver-container", "runtime-enablement", "device-plugin", "device-monitoring");

    private static final Map<String, Object> GROUP_NAMES = Map.of(
            "DriverBuild", "driver-build",
            "DriverContainer", "driver-container",
            "RuntimeEnablement", "runtime-enablement",
            "DevicePlugin", "device-plugin",
            "DeviceMonitoring", "device-monitoring",
            "DeviceGrafana", "device-grafana",
            "DeviceFeatureDiscovery", "device-feature-discovery",
            "CSIDriver", "csi-driver");

    private static final Map<String, Object> STATE_NAMES = Map.of(
            "DriverContainer", STATE_PREFIX + "driver-container",
            "RuntimeEnablement", STATE_PREFIX + "runtime-enablement",
            "DevicePlugin", STATE_PREFIX + "device-plugin",
            "DeviceMonitoring", STATE_PREFIX + "device-monitoring");

    private static final List<Object> ARGUMENTS = List.of(Map.of("Name", "", "Value", ""));
    private static final List<Object> PATHS = List.of(Map.of("SourcePath", "", "DestinationDir", ""));

    private static final Map<String, Object> METADATA =
            Map.of("Name", "", "Namespace", "", "UID", "", "Labels", Map.of(), "Annotations", Map.of());

    /** What a field is when it is not set; the one element of a list is what each of its elements has. */
    private static final Map<String, Object> SPEC = Map.of(
            "Namespace",
            "",
            "Metadata",
            METADATA,
            "Configuration",
            List.of(Map.of("Name", "", "Value", List.of())),
            "DriverContainer",
            Map.of(
                    "Source",
                    Map.of("Git", Map.of("Ref", "", "Uri", "")),
                    "BuildArgs",
                    ARGUMENTS,
                    "RunArgs",
                    ARGUMENTS,
                    "Artifacts",
                    Map.of(
                            "HostPaths",
                            PATHS,
                            "Images",
                            List.of(Map.of("Name", "", "Kind", "", "Namespace", "", "PullSecret", "", "Paths", PATHS)),
                            "Claims",
                            List.of(Map.of("Name", "", "MountPath", "")))),
            "Node",
            Map.of("Selector", ""),
            "DependsOn",
            List.of(Map.of("Name", "", "ImageReference", "")));

    /** Words that Go spells otherwise than with one capital. */
    private static final Map<String, String> SPELLINGS =
            Map.of("pullsecret", "PullSecret", "uid", "UID", "osImageURL", "OSImageURL");

    /** Maps whose keys are the user's. */
    private static final Set<String> FREE =
            Set.of("labels", "annotations", "nodeSelector", "set", "config", "matchLabels");

    private StateFileValues() {}

    /**
     * The values for one pool.
     *
     * @param resource the special resource as a tree
     * @param pools all pools, sorted
     */
    static Map<String, Object> collect(
            RecipeContext context,
            Map<String, Object> resource,
            StateFileSet files,
            String namespace,
            List<Pool> pools,
            Pool pool) {
        Map<String, Object> runtime = RuntimeValues.collect(context.cluster(), resource, namespace, pools, pool);
        Map<String, Object> values = new LinkedHashMap<>();
        for (String name : List.of(
                "operatingSystemMajor",
                "operatingSystemMajorMinor",
                "operatingSystemDecimal",
                "kernelFullVersion",
                "kernelPatchVersion",
                "clusterVersion",
                "clusterVersionMajorMinor",
                "pushSecretName",
                "osImageURL",
                "platform",
                "architecture")) {
            values.put(goName(name), ValueTrees.text(runtime, name));
        }
        values.put("KernelVersion", pool.kernel().raw());
        values.put("UpdateVendor", "");
        values.put("NodeFeature", nodeFeature(context, files));
        values.put("HardwareResource", hardware(context, files));
        values.put("OperatorNamespace", namespace);
        values.put("GroupName", GROUP_NAMES);
        values.put("StateName", STATE_NAMES);
        values.put("Proxy", goNames(ValueTrees.map(runtime, "proxy")));
        values.put("SpecialResource", resource(resource, namespace));
        return values;
    }

    static String hardware(RecipeContext context, StateFileSet files) {
        return files.hardware().isEmpty() ? context.name() : files.hardware();
    }

    /** The label that a node needs with the value {@code true}; empty for none. */
    static String nodeFeature(RecipeContext context, StateFileSet files) {
        var node = context.spec().getNode();
        return files.nodeFeature().isEmpty() && node != null ? node.getSelector() : files.nodeFeature();
    }

    private static Map<String, Object> resource(Map<String, Object> tree, String namespace) {
        Map<String, Object> given = goNames(tree);
        Map<String, Object> metadata = filled(METADATA, ValueTrees.map(given, "Metadata"));
        Map<String, Object> spec = filled(SPEC, ValueTrees.map(given, "Spec"));
        if (ValueTrees.text(spec, "Namespace").isEmpty()) {
            spec.put("Namespace", namespace);
        }
        // At the beginning of the second version it was in the metadata of the spec.
        Map<String, Object> inSpec = new LinkedHashMap<>(ValueTrees.map(spec, "Metadata"));
        if (ValueTrees.text(inSpec, "Namespace").isEmpty()) {
            inSpec.put("Namespace", namespace);
        }
        spec.put("Metadata", inSpec);
        if (ValueTrees.text(metadata, "Namespace").isEmpty()) {
            // In the generations before it, the special resource was in the namespace of its operands.
            metadata.put("Namespace", namespace);
        }
        Map<String, Object> result = new LinkedHashMap<>(metadata);
        result.put("ObjectMeta", metadata);
        result.put("Kind", ValueTrees.text(tree, "kind"));
        result.put("APIVersion", ValueTrees.text(tree, "apiVersion"));
        result.put("Spec", spec);
        result.put("Status", Map.of("State", ""));
        return result;
    }

    private static Map<String, Object> filled(Map<?, ?> fields, Map<String, Object> given) {
        Map<String, Object> result = new LinkedHashMap<>(given);
        fields.forEach((name, empty) -> {
            String field = String.valueOf(name);
            result.put(field, filled(empty, given.get(field)));
        });
        return result;
    }

    @SuppressWarnings("unchecked")
    private static Object filled(Object empty, @Nullable Object given) {
        if (empty instanceof Map<?, ?> fields) {
            return filled(fields, given instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of());
        }
        if (!(empty instanceof List<?> elements)) {
            return given == null ? empty : given;
        }
        List<Object> result = new ArrayList<>();
        if (given instanceof List<?> list) {
            for (Object item : list) {
                result.add(elements.isEmpty() ? item : filled(elements.get(0), item));
            }
        }
        return result;
    }

    private static Map<String, Object> goNames(Map<String, Object> tree) {
        Map<String, Object> result = new LinkedHashMap<>();
        tree.forEach((name, value) -> {
            Object named = FREE.contains(name) ? value : goValue(value);
            result.put(goName(name), named);
            if (name.equals("path")) {
                // One field, whose name in Go was the plural.
                result.put("Paths", named);
            }
        });
        return result;
    }

    @SuppressWarnings("unchecked")
    private static Object goValue(Object value) {
        if (value instanceof Map<?, ?> map) {
            return goNames((Map<String, Object>) map);
        }
        return value instanceof List<?> list
                ? list.stream().map(StateFileValues::goValue).toList()
                : value;
    }

    private static String goName(String name) {
        String known = SPELLINGS.get(name);
        return known != null || name.isEmpty()
                ? String.valueOf(known == null ? name : known)
                : Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }
}
