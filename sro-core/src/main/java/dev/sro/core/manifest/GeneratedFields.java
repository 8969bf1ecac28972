package dev.sro.core.manifest;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fields that a chart makes anew each time that it is rendered, named by an annotation of the object: what was written first stays, and
 * they are no difference between one rendering and another. Stateless.
 */
public final class GeneratedFields {
    private GeneratedFields() {}

    /** The digest of the object without them. */
    static String digest(KubeObject object) {
        List<List<String>> paths = paths(object.tree());
        return paths.isEmpty() ? object.digest() : digest(object.tree());
    }

    /** The same of a tree. */
    static String digest(Map<String, Object> tree) {
        List<List<String>> paths = paths(tree);
        if (paths.isEmpty()) {
            return ValueTrees.digest(tree);
        }
        Map<String, Object> copy = ValueTrees.mutableCopy(tree);
        paths.forEach(path -> set(copy, path, null));
        return ValueTrees.digest(copy);
    }

    /** Whether an object has any. */
    public static boolean has(KubeObject object) {
        return object.annotation(MetadataKeys.GENERATED).isPresent();
    }

    /** The object with the values that a live one has there. */
    public static KubeObject kept(KubeObject wanted, KubeObject live) {
        List<List<String>> paths = paths(wanted.tree());
        return paths.isEmpty()
                ? wanted
                : wanted.edit(tree -> paths.forEach(path -> {
                    Object value = get(live.tree(), path);
                    if (value != null && get(tree, path) != null) {
                        set(tree, path, value);
                    }
                }));
    }

    private static List<List<String>> paths(Map<String, Object> tree) {
        String text = ValueTrees.text(tree, "metadata", "annotations", MetadataKeys.GENERATED);
        List<List<String>> paths = new ArrayList<>();
        if (read(text) instanceof List<?> pointers) {
            for (Object pointer : pointers) {
                if (pointer instanceof String at && at.startsWith("/")) {
                    List<String> path = new ArrayList<>();
                    for (String key : at.substring(1).split("/", -1)) {
                        path.add(key.replace("~1", "/").replace("~0", "~"));
                    }
                    paths.add(path);
                }
            }
        }
        return paths;
    }

    /** What an author wrote there, who need not know of it, names nothing. */
    private static @Nullable Object read(String text) {
        try {
            return text.isEmpty() ? null : Json.read(text);
        } catch (IllegalStateException e) {
            return null;
        }
    }

    private static @Nullable Object get(Object tree, List<String> path) {
        Object value = tree;
        for (String key : path) {
            value = child(value, key);
        }
        return value;
    }

    private static @Nullable Object child(@Nullable Object parent, String key) {
        if (parent instanceof Map<?, ?> map) {
            return map.get(key);
        }
        if (parent instanceof List<?> list && key.matches("\\d{1,6}")) {
            int index = Integer.parseInt(key);
            return index < list.size() ? list.get(index) : null;
        }
        return null;
    }

    /** Null takes it away from a map. */
    @SuppressWarnings("unchecked")
    private static void set(Map<String, Object> tree, List<String> path, @Nullable Object value) {
        Object parent = get(tree, path.subList(0, path.size() - 1));
        String key = path.get(path.size() - 1);
        if (parent instanceof Map<?, ?> map && map.containsKey(key)) {
            if (value == null) {
                map.remove(key);
            } else {
                ((Map<String, Object>) map).put(key, value);
            }
        } else if (parent instanceof List<?> list && child(list, key) != null) {
            ((List<Object>) list).set(Integer.parseInt(key), value == null ? "" : value);
        }
    }
}
