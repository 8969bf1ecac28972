package dev.sro.runtime.install;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Objects of Kubernetes as trees, in the order in which they are to be read. Stateless. */
public final class Tree {

    private Tree() {}

    /** A map of these keys and values, in this order. */
    public static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }

    /** A list of these items, in this order. */
    public static List<Object> list(Object... items) {
        return List.of(items);
    }
}
