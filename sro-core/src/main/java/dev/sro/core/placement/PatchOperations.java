package dev.sro.core.placement;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Operations of a JSON Patch (RFC 6902), as trees. Stateless. */
public final class PatchOperations {
    private PatchOperations() {}

    /** One operation; without a value for one that has none. */
    public static Map<String, Object> operation(String op, String path, @Nullable Object value) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("op", op);
        operation.put("path", path);
        if (value != null) {
            operation.put("value", value);
        }
        return operation;
    }

    /** A key as a part of a path (RFC 6901). */
    public static String escaped(String key) {
        return key.replace("~", "~0").replace("/", "~1");
    }
}
