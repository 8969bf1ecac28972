package dev.sro.core.feature;

import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What Node Feature Discovery found on a node, by name of the feature ({@code cpu.cpuid}, {@code kernel.version}, {@code pci.device}).
 * Immutable.
 *
 * @param flags features that are there or not
 * @param attributes features with values
 * @param instances features of which there are several, each with values
 */
public record RawFeatures(
        Map<String, SortedSet<String>> flags,
        Map<String, SortedMap<String, String>> attributes,
        Map<String, List<SortedMap<String, String>>> instances) {

    /** Nothing was found. */
    public static final RawFeatures NONE = new RawFeatures(Map.of(), Map.of(), Map.of());

    /** Copies the maps. */
    public RawFeatures {
        flags = Map.copyOf(flags);
        attributes = Map.copyOf(attributes);
        instances = Map.copyOf(instances);
    }

    /** Those of a {@code NodeFeature} object ({@code nfd.k8s-sigs.io/v1alpha1}). */
    public static RawFeatures of(Map<String, Object> nodeFeature) {
        Map<String, SortedSet<String>> flags = new HashMap<>();
        ValueTrees.map(nodeFeature, "spec", "features", "flags").forEach((name, tree) -> {
            if (tree instanceof Map<?, ?> map && map.get("elements") instanceof Map<?, ?> elements) {
                SortedSet<String> names = new TreeSet<>();
                elements.keySet().forEach(key -> names.add(String.valueOf(key)));
                flags.put(name, Collections.unmodifiableSortedSet(names));
            }
        });
        Map<String, SortedMap<String, String>> attributes = new HashMap<>();
        ValueTrees.map(nodeFeature, "spec", "features", "attributes").forEach((name, tree) -> {
            if (tree instanceof Map<?, ?> map && map.get("elements") instanceof Map<?, ?> elements) {
                attributes.put(name, texts(elements));
            }
        });
        Map<String, List<SortedMap<String, String>>> instances = new HashMap<>();
        Map<String, Object> several = ValueTrees.map(nodeFeature, "spec", "features", "instances");
        several.keySet().forEach(name -> {
            List<SortedMap<String, String>> all = new ArrayList<>();
            ValueTrees.maps(several, name, "elements")
                    .forEach(one -> all.add(texts(ValueTrees.map(one, "attributes"))));
            instances.put(name, List.copyOf(all));
        });
        return new RawFeatures(flags, attributes, instances);
    }

    /** Both; of a flag, value or instance that both have, that of the other. As NFD does with several objects of a node. */
    public RawFeatures and(RawFeatures other) {
        Map<String, SortedSet<String>> allFlags = new HashMap<>(flags);
        other.flags.forEach((name, more) -> allFlags.merge(name, more, (mine, theirs) -> {
            SortedSet<String> both = new TreeSet<>(mine);
            both.addAll(theirs);
            return both;
        }));
        Map<String, SortedMap<String, String>> allAttributes = new HashMap<>(attributes);
        other.attributes.forEach((name, more) -> allAttributes.merge(name, more, (mine, theirs) -> {
            SortedMap<String, String> both = new TreeMap<>(mine);
            both.putAll(theirs);
            return both;
        }));
        Map<String, List<SortedMap<String, String>>> allInstances = new HashMap<>(instances);
        other.instances.forEach((name, more) -> allInstances.merge(name, more, (mine, theirs) -> {
            List<SortedMap<String, String>> both = new ArrayList<>(mine);
            both.addAll(theirs);
            return both;
        }));
        return new RawFeatures(allFlags, allAttributes, allInstances);
    }

    RawFeatures withAttributes(String feature, Map<String, String> values) {
        return and(new RawFeatures(Map.of(), Map.of(feature, new TreeMap<>(values)), Map.of()));
    }

    private static SortedMap<String, String> texts(Map<?, ?> map) {
        SortedMap<String, String> texts = new TreeMap<>();
        map.forEach((key, value) -> texts.put(String.valueOf(key), String.valueOf(value)));
        return Collections.unmodifiableSortedMap(texts);
    }
}
