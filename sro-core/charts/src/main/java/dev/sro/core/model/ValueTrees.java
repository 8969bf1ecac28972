package dev.sro.core.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads, copies and digests trees of maps, lists and scalars, as parsers of YAML and JSON return them. Stateless. */
public final class ValueTrees {

    /** Digits of a digest: 64 bits, plenty for "did this object change". */
    private static final int DIGEST_BYTES = 8;

    private ValueTrees() {}

    /** The value at the path, or null. */
    public static @Nullable Object get(Map<String, ?> tree, String... path) {
        Object at = tree;
        for (String key : path) {
            if (!(at instanceof Map<?, ?> map)) {
                return null;
            }
            at = map.get(key);
        }
        return at;
    }

    /** The map at the path, empty when there is none. */
    public static Map<String, Object> map(Map<String, ?> tree, String... path) {
        Object value = get(tree, path);
        return value instanceof Map<?, ?> map ? cast(map) : Map.of();
    }

    /** The maps in the list at the path, empty when there is none. */
    public static List<Map<String, Object>> maps(Map<String, ?> tree, String... path) {
        if (!(get(tree, path) instanceof List<?> list)) {
            return List.of();
        }
        List<Map<String, Object>> result = new ArrayList<>(list.size());
        for (Object item : list) {
            if (item instanceof Map<?, ?> map) {
                result.add(cast(map));
            }
        }
        return result;
    }

    /** The text of the scalar at the path, empty when there is none. */
    public static String text(Map<String, ?> tree, String... path) {
        Object value = get(tree, path);
        return value == null || value instanceof Map || value instanceof List ? "" : value.toString();
    }

    /** The number at the path. */
    public static long number(Map<String, ?> tree, String key, long otherwise) {
        return tree.get(key) instanceof Number number ? number.longValue() : otherwise;
    }

    /** The map under the key, made when it is absent or something else. The tree must be mutable. */
    public static Map<String, Object> ensureMap(Map<String, Object> tree, String... path) {
        Map<String, Object> at = tree;
        for (String key : path) {
            if (at.get(key) instanceof Map<?, ?> map) {
                at = cast(map);
            } else {
                Map<String, Object> made = new LinkedHashMap<>();
                at.put(key, made);
                at = made;
            }
        }
        return at;
    }

    /** An unmodifiable deep copy without null values. */
    public static Map<String, Object> copy(Map<String, ?> tree) {
        return freeze(mutableCopy(tree));
    }

    /** A deep copy, mutable throughout, without null values in maps. */
    public static Map<String, Object> mutableCopy(Map<String, ?> tree) {
        Map<String, Object> copy = new LinkedHashMap<>(tree.size() * 2);
        tree.forEach((key, value) -> {
            if (value != null) {
                copy.put(String.valueOf(key), mutableValue(value));
            }
        });
        return copy;
    }

    private static Object mutableValue(Object value) {
        if (value instanceof Map<?, ?> map) {
            return mutableCopy(cast(map));
        }
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>(list.size());
            for (Object item : list) {
                copy.add(mutableValue(item));
            }
            return copy;
        }
        return value;
    }

    static Map<String, Object> freeze(Map<String, Object> tree) {
        tree.replaceAll((key, value) -> frozen(value));
        return Collections.unmodifiableMap(tree);
    }

    private static Object frozen(Object value) {
        if (value instanceof Map<?, ?> map) {
            return freeze(cast(map));
        }
        if (value instanceof List<?> list) {
            List<Object> items = new ArrayList<>(list.size());
            list.forEach(item -> items.add(frozen(item)));
            return Collections.unmodifiableList(items);
        }
        return value;
    }

    /** 16 hexadecimal digits, equal for equal trees whatever the order of keys. */
    public static String digest(Map<String, ?> tree) {
        StringBuilder text = new StringBuilder(1024);
        canonical(tree, text);
        return Digests.sha256(text.toString()).substring(0, 2 * DIGEST_BYTES);
    }

    private static void canonical(@Nullable Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            out.append('{');
            new TreeMap<>(cast(map)).forEach((key, item) -> {
                out.append(key.length()).append(':').append(key).append('=');
                canonical(item, out);
            });
            out.append('}');
        } else if (value instanceof List<?> list) {
            out.append('[');
            for (Object item : list) {
                canonical(item, out);
                out.append(',');
            }
            out.append(']');
        } else {
            String text = String.valueOf(value);
            // A type letter, so that "1" and 1 differ; the length, so that no text can imitate structure.
            out.append(value instanceof String ? 's' : value instanceof Number ? 'n' : 'x')
                    .append(text.length())
                    .append(':')
                    .append(text);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cast(Map<?, ?> map) {
        return (Map<String, Object>) map;
    }
}
