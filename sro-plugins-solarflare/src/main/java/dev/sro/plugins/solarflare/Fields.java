package dev.sro.plugins.solarflare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One object of the settings, read strictly: what is not known, or not of the right type, is an error. Confined to one thread. */
final class Fields {

    private final String path;
    private final Map<String, Object> values;
    private final List<String> errors;
    private final Set<String> known = new TreeSet<>();

    private Fields(String path, Map<String, Object> values, List<String> errors) {
        this.path = path;
        this.values = values;
        this.errors = errors;
    }

    static Fields of(Map<String, Object> config, List<String> errors) {
        return new Fields("spec.plugin.config", config, errors);
    }

    String path(String field) {
        return path + "." + field;
    }

    void error(String field, String rule) {
        errors.add(path(field) + ": " + rule);
    }

    boolean has(String field) {
        return value(field) != null;
    }

    /** Reports what nobody asked for; the last call. */
    void done() {
        for (String field : new TreeSet<>(values.keySet())) {
            if (!known.contains(field)) {
                error(field, "is not known; there are " + known + ". Correct or remove it");
            }
        }
    }

    /** Says of a field that is known elsewhere why it is not taken here. */
    void refuse(String field, String why) {
        if (value(field) != null) {
            error(field, why);
        }
    }

    private @Nullable Object value(String field) {
        known.add(field);
        return values.get(field);
    }

    Optional<String> text(String field) {
        Object value = value(field);
        if (value == null || (value instanceof String text && !text.isBlank())) {
            return Optional.ofNullable((String) value);
        }
        error(field, "must be text that is not empty; put numbers in quotes");
        return Optional.empty();
    }

    String text(String field, String otherwise) {
        return text(field).orElse(otherwise);
    }

    /** Text that has to be there. */
    String required(String field) {
        Optional<String> text = text(field);
        if (text.isEmpty() && values.get(field) == null) {
            error(field, "is missing; set it");
        }
        return text.orElse("");
    }

    String path(String field, String otherwise) {
        String text = text(field, otherwise);
        boolean up = (text + "/").contains("/../");
        if (!text.startsWith("/") || up || text.contains(" ")) {
            error(field, "\"" + text + "\" must be an absolute path without \"..\" and without spaces");
            return otherwise;
        }
        String trimmed = text;
        while (trimmed.length() > 1 && trimmed.endsWith("/")) {
            trimmed = trimmed.substring(0, trimmed.length() - 1);
        }
        return trimmed;
    }

    boolean bool(String field, boolean otherwise) {
        Object value = value(field);
        if (value == null || value instanceof Boolean) {
            return value == null ? otherwise : (Boolean) value;
        }
        error(field, "must be true or false");
        return otherwise;
    }

    int number(String field, int otherwise, int min, int max) {
        Object value = value(field);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof Number number
                && number.doubleValue() == number.intValue()
                && number.intValue() >= min
                && number.intValue() <= max) {
            return number.intValue();
        }
        error(field, "must be a whole number from " + min + " to " + max);
        return otherwise;
    }

    String oneOf(String field, String otherwise, List<String> words) {
        String word = text(field, otherwise);
        if (!words.contains(word)) {
            error(field, "\"" + word + "\" must be one of " + words);
            return otherwise;
        }
        return word;
    }

    List<String> texts(String field) {
        Object value = value(field);
        List<String> texts = new ArrayList<>();
        if (value instanceof List<?> list) {
            for (Object item : list) {
                if (item instanceof String text) {
                    texts.add(text);
                } else {
                    error(field, "must be a list of texts, and has " + item + "; put it in quotes");
                }
            }
        } else if (value != null) {
            error(field, "must be a list of texts");
        }
        return texts;
    }

    /** Names with texts; numbers and booleans count as their text. */
    Map<String, String> map(String field) {
        Map<String, String> map = new LinkedHashMap<>();
        tree(field).forEach((name, value) -> {
            if (value instanceof String || value instanceof Number || value instanceof Boolean) {
                map.put(name, String.valueOf(value));
            } else {
                error(field + "." + name, "must be text");
            }
        });
        return map;
    }

    /** Reads an object; the reader is called whether it is there or not, and unknown fields of it are reported. */
    void object(String field, Consumer<Fields> reader) {
        Fields inner = new Fields(path(field), tree(field), errors);
        reader.accept(inner);
        inner.done();
    }

    /** Reads the objects of a list. */
    void objects(String field, Consumer<Fields> reader) {
        Object value = value(field);
        if (value != null && !(value instanceof List)) {
            error(field, "must be a list");
            return;
        }
        List<?> items = value instanceof List<?> list ? list : List.of();
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i) instanceof Map<?, ?> map) {
                Fields inner = new Fields(path(field) + "[" + i + "]", strings(map), errors);
                reader.accept(inner);
                inner.done();
            } else {
                error(field + "[" + i + "]", "must be an object");
            }
        }
    }

    private Map<String, Object> tree(String field) {
        Object value = value(field);
        if (value != null && !(value instanceof Map)) {
            error(field, "must be an object");
        }
        return value instanceof Map<?, ?> map ? strings(map) : Map.of();
    }

    private static Map<String, Object> strings(Map<?, ?> map) {
        Map<String, Object> strings = new LinkedHashMap<>();
        map.forEach((key, value) -> strings.put(String.valueOf(key), value));
        return strings;
    }
}
