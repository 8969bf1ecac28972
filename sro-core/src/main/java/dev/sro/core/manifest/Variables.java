package dev.sro.core.manifest;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Values for placeholders: names, and paths of names joined by dots. Immutable. */
public final class Variables {

    private final Map<String, Object> values;

    private Variables(Map<String, Object> values) {
        this.values = values;
    }

    /** These values. */
    public static Variables of(Map<String, ?> values) {
        return new Variables(Map.copyOf(values));
    }

    /**
     * These values and more.
     *
     * @param source who gives them, for the message
     * @throws RenderException if a name is there already: nobody can change what another one says
     */
    public Variables and(String source, Map<String, ?> more) {
        if (more.isEmpty()) {
            return this;
        }
        Map<String, Object> all = new HashMap<>(values);
        more.forEach((name, value) -> {
            if (all.putIfAbsent(name, value) != null) {
                throw RenderException.vendor(
                        "VariableRedefined",
                        source + " gives a value for \"" + name + "\", which already has one; choose another name");
            }
        });
        return new Variables(Map.copyOf(all));
    }

    /** These values, and one more unless somebody gave one of this name. */
    Variables orElse(String name, Object value) {
        if (values.containsKey(name)) {
            return this;
        }
        Map<String, Object> all = new HashMap<>(values);
        all.put(name, value);
        return new Variables(Map.copyOf(all));
    }

    /** The value at this path. */
    Optional<Object> find(String path) {
        Object whole = values.get(path);
        if (whole != null) {
            return Optional.of(whole);
        }
        Object at = values;
        for (String name : path.split("\\.", -1)) {
            if (!(at instanceof Map<?, ?> map)) {
                return Optional.empty();
            }
            at = map.get(name);
        }
        return Optional.ofNullable(at);
    }
}
