package dev.sro.core.manifest;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import org.snakeyaml.engine.v2.schema.Schema;

/** Reads YAML the way Kubernetes tools do. Stateless. */
public final class Yaml {

    /** Octal numbers as file modes are written; YAML 1.2 dropped them, but manifests have {@code defaultMode: 0644}. */
    private static final Pattern OCTAL = Pattern.compile("0[0-7]+");

    /** Far above any manifest: what aliases blow up beyond it is refused. */
    private static final int MAX_VALUES = 100_000;

    private static final int MAX_DEPTH = 100;

    /** Aliases cost nothing while parsing; {@link #MAX_VALUES} is what limits them. */
    private static final int MAX_ALIASES = 1_000;

    private static final Tag OCTAL_TAG = new Tag("tag:sro.dev,2026:octal");

    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setSchema(new KubernetesSchema())
            .setMaxAliasesForCollections(MAX_ALIASES)
            .setAllowDuplicateKeys(false)
            .build();

    private Yaml() {}

    /**
     * The documents that are maps; empty documents are left out.
     *
     * @param source what the message calls the text
     * @throws RenderException if the text is not YAML or a document is not a map
     */
    public static List<Map<String, Object>> documents(String source, String text) {
        List<Map<String, Object>> result = new ArrayList<>();
        try {
            for (Object document : new Load(SETTINGS).loadAllFromString(text)) {
                if (document instanceof Map<?, ?> map) {
                    result.add(new Copy(source).map(map, 0));
                } else if (document != null) {
                    throw RenderException.vendor(
                            "InvalidManifest",
                            source + ": a document is not an object but "
                                    + (document instanceof Collection ? "a list" : "\"" + document + "\"")
                                    + "; every document needs apiVersion, kind and metadata.name");
                }
            }
        } catch (YamlEngineException e) {
            throw RenderException.vendor("InvalidManifest", source + " is not valid YAML: " + e.getMessage());
        }
        return result;
    }

    /** Copies a document into a tree whose keys are strings, as in JSON, and which shares nothing. */
    private static final class Copy {
        private final String source;
        private int values;

        Copy(String source) {
            this.source = source;
        }

        Map<String, Object> map(Map<?, ?> map, int depth) {
            Map<String, Object> tree = new LinkedHashMap<>(map.size() * 2);
            map.forEach((key, value) -> {
                String name = String.valueOf(key);
                if (tree.containsKey(name)) {
                    throw RenderException.vendor("InvalidManifest", source + ": the key " + name + " is there twice");
                }
                tree.put(name, value(value, depth + 1));
            });
            return tree;
        }

        private @Nullable Object value(@Nullable Object value, int depth) {
            values++;
            if (values > MAX_VALUES || depth > MAX_DEPTH) {
                throw RenderException.vendor(
                        "InvalidManifest",
                        source + " is too large: a document may have " + MAX_VALUES + " values and a depth of "
                                + MAX_DEPTH);
            }
            if (value instanceof Map<?, ?> map) {
                return map(map, depth);
            }
            if (value instanceof Collection<?> items) {
                List<Object> list = new ArrayList<>(items.size());
                items.forEach(item -> list.add(value(item, depth + 1)));
                return list;
            }
            return value;
        }
    }

    /** YAML 1.2's core schema, plus octal numbers. */
    private static final class KubernetesSchema implements Schema {
        private final CoreSchema core = new CoreSchema();

        @Override
        public ScalarResolver getScalarResolver() {
            ScalarResolver resolver = core.getScalarResolver();
            return (value, implicit) ->
                    implicit && OCTAL.matcher(value).matches() ? OCTAL_TAG : resolver.resolve(value, implicit);
        }

        @Override
        public Map<Tag, ConstructNode> getSchemaTagConstructors() {
            Map<Tag, ConstructNode> constructors = new HashMap<>(core.getSchemaTagConstructors());
            constructors.put(OCTAL_TAG, node -> octal(((ScalarNode) node).getValue()));
            return constructors;
        }

        private static Number octal(String digits) {
            BigInteger value = new BigInteger(digits, 8);
            if (value.bitLength() < Integer.SIZE) {
                return value.intValue();
            }
            return value.bitLength() < Long.SIZE ? (Number) value.longValue() : value;
        }
    }
}
