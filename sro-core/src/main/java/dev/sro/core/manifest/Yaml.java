package dev.sro.core.manifest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.JsonSchema;
import org.snakeyaml.engine.v2.schema.Schema;

/** Reads YAML the way Kubernetes tools do. Stateless. */
public final class Yaml {

    /** Octal numbers as file modes are written; YAML 1.2 dropped them, but manifests have {@code defaultMode: 0644}. */
    private static final Pattern OCTAL = Pattern.compile("0[0-7]+");

    /** Far above any manifest, far below what an alias bomb needs. */
    private static final int MAX_ALIASES = 100;

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
                    Map<String, Object> tree = new HashMap<>();
                    map.forEach((key, value) -> tree.put(String.valueOf(key), value));
                    result.add(tree);
                } else if (document != null) {
                    throw RenderException.vendor(
                            "InvalidManifest",
                            source + ": a document is not an object but \"" + document + "\"; every document needs"
                                    + " apiVersion, kind and metadata.name");
                }
            }
        } catch (YamlEngineException e) {
            throw RenderException.vendor("InvalidManifest", source + " is not valid YAML: " + e.getMessage());
        }
        return result;
    }

    /** YAML 1.2's JSON schema, plus octal numbers. */
    private static final class KubernetesSchema implements Schema {
        private final JsonSchema json = new JsonSchema();

        @Override
        public ScalarResolver getScalarResolver() {
            ScalarResolver resolver = json.getScalarResolver();
            return (value, implicit) ->
                    implicit && OCTAL.matcher(value).matches() ? OCTAL_TAG : resolver.resolve(value, implicit);
        }

        @Override
        public Map<Tag, ConstructNode> getSchemaTagConstructors() {
            Map<Tag, ConstructNode> constructors = new HashMap<>(json.getSchemaTagConstructors());
            constructors.put(OCTAL_TAG, node -> Integer.parseInt(((ScalarNode) node).getValue(), 8));
            return constructors;
        }
    }
}
