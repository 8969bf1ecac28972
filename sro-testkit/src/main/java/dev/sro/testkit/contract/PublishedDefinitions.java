package dev.sro.testkit.contract;

import dev.sro.api.PluginDescriptor;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** CRDs as other projects publish them, of which a plugin makes objects. Stateless. */
final class PublishedDefinitions {

    private PublishedDefinitions() {}

    /** The {@code *.yaml} files of a directory. */
    static List<Path> files(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("no CRDs in " + directory, e);
        }
    }

    /** Reads one. */
    static CustomResourceDefinition read(Path file, KubernetesSerialization serialization) {
        try {
            CustomResourceDefinition definition =
                    serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class);
            // A webhook that converts is not there.
            definition.getSpec().setConversion(null);
            return definition;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those that the plugin names as required, optional or its operands' own; the file's name need not say which it has. */
    static List<CustomResourceDefinition> in(Path directory, PluginDescriptor plugin) {
        Set<String> wanted = named(plugin);
        KubernetesSerialization serialization = new KubernetesSerialization();
        return files(directory).stream()
                .filter(file -> wanted.stream().anyMatch(name -> mentions(file, name)))
                .map(file -> read(file, serialization))
                .filter(definition -> wanted.contains(definition.getMetadata().getName()))
                .toList();
    }

    /** What the plugin names as required, optional or its operands' own: {@code plural.group} each. */
    static Set<String> named(PluginDescriptor plugin) {
        Set<String> named = new TreeSet<>(plugin.operandResources());
        named.addAll(plugin.requiredCrds());
        named.addAll(plugin.optionalCrds());
        return named;
    }

    /** Large ones are not parsed in vain. */
    private static boolean mentions(Path file, String name) {
        try {
            return Files.readString(file).contains(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
