package dev.sro.core.facts;

import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What a {@code NodeFeature} object of Node Feature Discovery ({@code nfd.k8s-sigs.io/v1alpha1}) says of a node, in the form of labels:
 * those that it asks for, and those that its raw features come to, in all forms that {@code deviceLabelFields} may ask for. Node labels
 * follow it later, and only as far as NFD is configured to write them. Immutable.
 *
 * @param node name of the node
 * @param features by label key, sorted
 */
public record NodeFeatures(String node, SortedMap<String, String> features) {

    /** The kind. */
    public static final String KIND = "nfd.k8s-sigs.io/v1alpha1/NodeFeature";

    /** Which node an object is about; NFD ignores objects without it, and so does SRO. */
    private static final String NODE_LABEL = "nfd.node.kubernetes.io/node-name";

    private static final String PREFIX = "feature.node.kubernetes.io/";

    /** Modules that are in the kernel now. */
    private static final String LOADED = "kernel.loadedmodule";

    private static final Pattern NUMBER = Pattern.compile("[0-9a-f]{4}");

    /** Copies the features. */
    public NodeFeatures {
        features = Collections.unmodifiableSortedMap(new TreeMap<>(features));
    }

    /** Reads the tree of an object; empty if it is about no node. */
    public static Optional<NodeFeatures> of(Map<String, Object> tree) {
        String node = text(ValueTrees.map(tree, "metadata", "labels"), NODE_LABEL);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        SortedMap<String, String> found = new TreeMap<>();
        for (Map<String, Object> device : maps(ValueTrees.map(tree, "spec", "features", "instances", "pci.device"))) {
            pci(found, ValueTrees.map(device, "attributes"));
        }
        Map<String, Object> attributes = ValueTrees.map(tree, "spec", "features", "attributes");
        attributes(found, attributes, "kernel.version", "kernel-version.");
        attributes(found, attributes, "system.osrelease", "system-os_release.");
        // No label of NFD's own has them; a rule, or a plugin, can ask.
        ValueTrees.map(tree, "spec", "features", "flags", LOADED, "elements")
                .keySet()
                .forEach(module -> found.put(PREFIX + "kernel-loadedmodule." + module, "true"));
        ValueTrees.map(tree, "spec", "labels")
                .forEach((key, value) -> found.put(key.contains("/") ? key : PREFIX + key, String.valueOf(value)));
        found.keySet().removeIf(key -> !key.startsWith(PREFIX));
        return Optional.of(new NodeFeatures(node, found));
    }

    private static void pci(SortedMap<String, String> found, Map<String, Object> device) {
        String vendor = text(device, "vendor");
        String type = text(device, "class");
        if (!NUMBER.matcher(vendor).matches() || !NUMBER.matcher(type).matches()) {
            return;
        }
        List<String> forms = new ArrayList<>(List.of(vendor, type + "_" + vendor));
        String number = text(device, "device");
        if (NUMBER.matcher(number).matches()) {
            forms.add(type + "_" + vendor + "_" + number);
        }
        String functions = text(device, "sriov_totalvfs");
        boolean splits = !functions.isEmpty() && !functions.equals("0");
        for (String form : forms) {
            found.put(PREFIX + "pci-" + form + ".present", "true");
            if (splits) {
                found.put(PREFIX + "pci-" + form + ".sriov.capable", "true");
            }
        }
    }

    private static void attributes(
            SortedMap<String, String> found, Map<String, Object> attributes, String feature, String prefix) {
        ValueTrees.map(attributes, feature, "elements")
                .forEach((name, value) -> found.put(PREFIX + prefix + name, String.valueOf(value)));
    }

    private static List<Map<String, Object>> maps(Map<String, Object> feature) {
        return ValueTrees.maps(feature, "elements");
    }

    private static String text(Map<String, Object> map, String key) {
        Object found = map.get(key);
        return found == null ? "" : String.valueOf(found);
    }
}
