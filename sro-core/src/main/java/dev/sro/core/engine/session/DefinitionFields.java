package dev.sro.core.engine.session;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which fields the definitions have that a recipe brings itself. What they declare is no field that the cluster does not know,
 * whatever an API server said that had not taken the definition up yet. Immutable.
 */
final class DefinitionFields {

    /** A step of a path: {@code .name}, {@code [3]} or {@code [name="value"]}. */
    static final Pattern STEP = Pattern.compile("\\.([^.\\[]+)|\\[(\\d+)]|\\[([^=\\]]+)=\"?([^\"\\]]*)\"?[^\\]]*]");

    private final Map<String, KubeObject> definitions = new HashMap<>();

    /** Of these objects, among which there may be definitions. */
    DefinitionFields(Collection<KubeObject> objects) {
        for (KubeObject object : objects) {
            if (object.ref().kind().equals("CustomResourceDefinition")) {
                definitions.put(
                        key(
                                ValueTrees.text(object.tree(), "spec", "group"),
                                ValueTrees.text(object.tree(), "spec", "names", "kind")),
                        object);
            }
        }
    }

    private static String key(String group, String kind) {
        return group + "/" + kind;
    }

    /** Whether the definition of an object's kind has a field, written as the API server writes it: {@code .spec.cores}. */
    boolean declare(ObjectRef ref, String path) {
        ObjectRef any = ref.inAnyVersion();
        KubeObject definition = definitions.get(key(any.apiVersion(), any.kind()));
        return definition != null
                && ValueTrees.maps(definition.tree(), "spec", "versions").stream()
                        .filter(version -> ref.apiVersion().endsWith("/" + ValueTrees.text(version, "name")))
                        .anyMatch(version -> has(ValueTrees.map(version, "schema", "openAPIV3Schema"), path));
    }

    private static boolean has(Map<String, Object> schema, String path) {
        Map<String, Object> at = schema;
        Matcher steps = STEP.matcher(path);
        while (steps.find()) {
            if (Boolean.TRUE.equals(at.get("x-kubernetes-preserve-unknown-fields"))) {
                return true;
            }
            Map<String, Object> next = next(at, steps.group(1));
            if (next == null) {
                return false;
            }
            at = next;
        }
        return true;
    }

    /** Null when there is none. */
    private static @Nullable Map<String, Object> next(Map<String, Object> schema, @Nullable String field) {
        if (field == null) {
            return schema.containsKey("items") ? ValueTrees.map(schema, "items") : null;
        }
        if (ValueTrees.map(schema, "properties").containsKey(field)) {
            return ValueTrees.map(schema, "properties", field);
        }
        return schema.get("additionalProperties") instanceof Map<?, ?>
                ? ValueTrees.map(schema, "additionalProperties")
                : null;
    }
}
