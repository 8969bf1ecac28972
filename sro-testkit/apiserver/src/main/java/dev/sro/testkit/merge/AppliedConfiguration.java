package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.TypeSchema;
import dev.sro.testkit.schema.TypeSchema.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A configuration that the server itself applies to an object before it is stored: like an apply, without owners. Stateless. */
public final class AppliedConfiguration {
    private AppliedConfiguration() {}

    /**
     * The object with the configuration.
     *
     * @param config shares no nodes with the result that may change
     * @throws IllegalArgumentException with the server's words, if it does not fit the type or would replace something as a whole
     */
    public static ObjectNode merge(TypeSchema type, ObjectNode object, ObjectNode config) {
        List<String> errors = TypeCheck.errors(type, config);
        if (!errors.isEmpty()) {
            throw new IllegalArgumentException("failed to convert patch object to typed object: "
                    + (errors.size() == 1 ? errors.get(0) : "errors:\n  " + String.join("\n  ", errors)));
        }
        List<String> atomics = new ArrayList<>();
        atomics(type, config, "", atomics);
        if (!atomics.isEmpty()) {
            throw new IllegalArgumentException(
                    "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
                            + String.join(", ", atomics));
        }
        return TypedMerge.merge(type, object, config) instanceof ObjectNode merged ? merged.deepCopy() : object;
    }

    /** Who writes part of something atomic would remove the rest of it. */
    private static void atomics(TypeSchema declared, JsonNode value, String path, List<String> found) {
        TypeSchema type = declared.forValue(value);
        if (type.atomic() && value.isContainerNode()) {
            found.add(path);
        }
        if (type.shape() == Shape.MAP && value.isObject()) {
            for (Map.Entry<String, JsonNode> entry : value.properties()) {
                TypeSchema below = type.entry(entry.getKey());
                if (below != null) {
                    atomics(below, entry.getValue(), path + "." + entry.getKey(), found);
                }
            }
        } else if (type.shape() == Shape.LIST && value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                atomics(Comparison.elementOf(type), value.get(i), path + "[" + i + "]", found);
            }
        }
    }
}
