package dev.sro.core.slicing.mig;

import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A configuration file in the grammar of mig-parted, version {@code v1}: named ways to slice the devices of a node.
 * Immutable and thread-safe.
 *
 * @param configs entries by name, in the order of the file
 */
public record MigConfig(Map<String, List<MigEntry>> configs) {
    /** The only version there is. */
    public static final String VERSION = "v1";

    /** Copies the collections. */
    public MigConfig {
        Map<String, List<MigEntry>> copy = new LinkedHashMap<>();
        configs.forEach((name, entries) -> copy.put(name, List.copyOf(entries)));
        configs = Collections.unmodifiableMap(copy);
    }

    /**
     * Reads a file, YAML or JSON.
     *
     * @throws InputException with every error in it: unknown fields, wrong types, missing fields
     */
    public static MigConfig read(Path file) {
        return read(InputDocument.read(file).ofWords());
    }

    /**
     * Reads a document.
     *
     * @throws InputException with every error in it: unknown fields, wrong types, missing fields
     */
    public static MigConfig read(InputDocument document) {
        return MigConfigReader.read(document);
    }

    /**
     * Reads a text, YAML or JSON.
     *
     * @param source what errors call it
     * @throws InputException with every error in it: unknown fields, wrong types, missing fields
     */
    public static MigConfig parse(String source, String text) {
        return MigConfigReader.read(InputDocument.parse(source, text).ofWords());
    }

    /** A configuration with one name that makes these layouts. Devices that are sliced alike share an entry. */
    public static MigConfig of(String name, List<MigLayout> layouts) {
        Map<Shape, List<Integer>> devices = new LinkedHashMap<>();
        for (MigLayout layout : layouts) {
            devices.computeIfAbsent(Shape.of(layout), shape -> new ArrayList<>())
                    .add(layout.device());
        }
        List<MigEntry> entries = new ArrayList<>();
        devices.forEach((shape, indexes) -> entries.add(new MigEntry(
                List.of(),
                devices.size() == 1 ? Optional.empty() : Optional.of(indexes),
                shape.enabled(),
                shape.counts())));
        return new MigConfig(Map.of(name, entries));
    }

    /** This with the names of another one; a name that both have is the other one's. */
    public MigConfig with(MigConfig other) {
        Map<String, List<MigEntry>> merged = new LinkedHashMap<>(configs);
        merged.putAll(other.configs);
        return new MigConfig(merged);
    }

    /** The file, as mig-parted writes it. Reading it gives an equal configuration. */
    public String toYaml() {
        return MigConfigWriter.write(this);
    }

    /**
     * The meaning of a named configuration for the devices of a node: for each device the last entry that is about it decides,
     * a device that no entry is about is a problem, and so are instances that do not fit together.
     */
    public MigResolution resolve(String name, List<MigDevice> devices) {
        return new MigResolver(this).resolve(name, devices);
    }

    private record Shape(boolean enabled, Map<String, Integer> counts) {
        static Shape of(MigLayout layout) {
            Map<String, Integer> counts = new LinkedHashMap<>();
            for (MigInstance instance : layout.instances()) {
                if (instance.compute().isEmpty()) {
                    counts.merge(instance.profile(), 1, Integer::sum);
                }
                new TreeMap<>(instance.compute().stream().collect(Collectors.groupingBy(slices -> slices)))
                        .forEach((slices, same) ->
                                counts.merge(slices + "c." + instance.profile(), same.size(), Integer::sum));
            }
            return new Shape(layout.migEnabled(), counts);
        }
    }
}
