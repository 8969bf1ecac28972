package dev.sro.core.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Trees as they are written down in code, in the order in which they are to be read. Stateless. */
public final class TreeLiterals {

    private TreeLiterals() {}

    /** A map of these keys and values, which alternate. */
    public static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return map;
    }

    /** The same; pairs with an empty string, list or map are left out. */
    public static Map<String, Object> present(Object... pairs) {
        Map<String, Object> map = map(pairs);
        map.values()
                .removeIf(value -> value.equals("")
                        || (value instanceof List<?> list && list.isEmpty())
                        || (value instanceof Map<?, ?> inner && inner.isEmpty()));
        return map;
    }

    /** A list of these items. */
    public static List<Object> list(Object... items) {
        return List.of(items);
    }
}
