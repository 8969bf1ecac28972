package dev.sro.core.driver;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.LenientYaml;
import dev.sro.core.yaml.YamlException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How tags of driver images are made, from one file per family of operating systems. What the file of a family does not say, the
 * default file says. Immutable.
 */
public final class TagCatalogue {

    /** What the files have under {@code schema}. */
    static final String SCHEMA = "sro.dev/driver-tags/v1";

    private static final String DEFAULT = "default";
    private static final List<String> FILES = List.of(DEFAULT, "rhel", "rhcos", "flatcar", "gardenlinux", "talos");
    private static final Set<String> FIELDS = Set.of("schema", "family", "ids", "osTag", "schemes");
    private static final Set<String> KINDS = Set.of("prebuilt", "build", "compileOnNode");

    /** What images a tag is for. */
    public enum Use {
        /** With modules for one kernel. */
        PREBUILT("prebuilt"),
        /** Built in the cluster. */
        BUILD("build"),
        /** Compiling when they start. */
        COMPILE_ON_NODE("compileOnNode");

        private final String field;

        Use(String field) {
            this.field = field;
        }

        /** As files and {@code spec.driver.tags} name it. */
        String field() {
            return field;
        }
    }

    private record Family(String name, String osTag, Map<String, Map<String, String>> schemes) {}

    private final Map<String, Family> byId;
    private final Family common;

    private TagCatalogue(Map<String, Family> byId, Family common) {
        this.byId = Map.copyOf(byId);
        this.common = common;
    }

    /** Read once, when they are needed first: they are a constant. */
    private static final class BuiltIn {
        static final TagCatalogue CATALOGUE = read();

        private static TagCatalogue read() {
            Map<String, String> files = new LinkedHashMap<>();
            FILES.forEach(name -> files.put(name + ".yaml", text("/dev/sro/core/driver/" + name + ".yaml")));
            return of(files);
        }
    }

    /** The files that SRO brings. */
    public static TagCatalogue builtIn() {
        return BuiltIn.CATALOGUE;
    }

    private static String text(String path) {
        try (InputStream in = TagCatalogue.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(path + " is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }

    /**
     * These files, of which one is the family {@code default}.
     *
     * @param files their texts by name
     * @throws IllegalArgumentException if one cannot be read; the message names file and field
     */
    static TagCatalogue of(Map<String, String> files) {
        Map<String, Family> byId = new TreeMap<>();
        Family common = null;
        for (Map.Entry<String, String> file : files.entrySet()) {
            Map<String, Object> tree = tree(file.getKey(), file.getValue());
            Family family = family(file.getKey(), tree);
            if (family.name.equals(DEFAULT)) {
                common = family;
            }
            for (String id : strings(file.getKey(), tree.get("ids"))) {
                require(byId.put(id, family) == null, file.getKey(), "ids: \"" + id + "\" is in another file, too");
            }
        }
        if (common == null) {
            throw new IllegalArgumentException(files.keySet() + ": none has family: " + DEFAULT);
        }
        return new TagCatalogue(byId, common);
    }

    private static Map<String, Object> tree(String file, String text) {
        try {
            return LenientYaml.map(file, text);
        } catch (YamlException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static Family family(String file, Map<String, Object> tree) {
        require(SCHEMA.equals(tree.get("schema")), file, "schema: must be " + SCHEMA);
        tree.keySet()
                .forEach(key -> require(FIELDS.contains(key), file, "\"" + key + "\" is none of " + sorted(FIELDS)));
        String name = ValueTrees.text(tree, "family");
        require(!name.isEmpty(), file, "family: missing");
        Map<String, Map<String, String>> schemes = new TreeMap<>();
        ValueTrees.map(tree, "schemes").keySet().forEach(scheme -> {
            Map<String, String> templates = new TreeMap<>();
            ValueTrees.map(tree, "schemes", scheme).forEach((use, template) -> {
                require(
                        KINDS.contains(use),
                        file,
                        "schemes." + scheme + ": \"" + use + "\" is none of " + sorted(KINDS));
                templates.put(use, String.valueOf(template));
            });
            schemes.put(scheme, Map.copyOf(templates));
        });
        return new Family(name, ValueTrees.text(tree, "osTag"), Map.copyOf(schemes));
    }

    private static List<String> strings(String file, @Nullable Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(String::valueOf).toList();
        }
        throw new IllegalArgumentException(file + ": ids: must be a list");
    }

    private static Set<String> sorted(Set<String> names) {
        return new TreeSet<>(names);
    }

    private static void require(boolean holds, String file, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(file + ": " + rule);
        }
    }

    /** Template of what stands for the operating system in tags. */
    String osTag(String osId) {
        String own = byId.getOrDefault(osId, common).osTag;
        return own.isEmpty() ? common.osTag : own;
    }

    /** The template of a scheme; of builds the one of images with modules, where the scheme has none of its own. */
    Optional<String> template(String scheme, String osId, Use use) {
        Optional<String> found = Optional.ofNullable(
                        templates(byId.getOrDefault(osId, common), scheme).get(use.field))
                .or(() -> Optional.ofNullable(templates(common, scheme).get(use.field)));
        return found.isEmpty() && use == Use.BUILD ? template(scheme, osId, Use.PREBUILT) : found;
    }

    private static Map<String, String> templates(Family family, String scheme) {
        return family.schemes.getOrDefault(scheme, Map.of());
    }

    /** Names of the schemes, sorted. */
    Set<String> schemes() {
        return sorted(common.schemes.keySet());
    }
}
