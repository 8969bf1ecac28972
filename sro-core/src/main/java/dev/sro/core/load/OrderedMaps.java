package dev.sro.core.load;

import java.util.LinkedHashMap;
import java.util.Map;

/** Small maps in the order in which they are written, so that objects look the same every time. Stateless. */
final class OrderedMaps {

    private OrderedMaps() {}

    static Map<String, Object> map(String key, Object value, String key2, Object value2) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(key, value);
        map.put(key2, value2);
        return map;
    }

    static Map<String, Object> map(String key, Object value, String key2, Object value2, String key3, Object value3) {
        Map<String, Object> map = map(key, value, key2, value2);
        map.put(key3, value3);
        return map;
    }
}
