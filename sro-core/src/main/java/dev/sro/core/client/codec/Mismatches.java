package dev.sro.core.client.codec;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import dev.sro.core.model.MismatchException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says where a tree does not fit the type that it shall become, and why, in the words of YAML: neither the library that found out nor
 * the type is anything to its author. Stateless.
 */
final class Mismatches {

    private static final int MAX_SHOWN = 40;

    private Mismatches() {}

    /** What this is in words; empty if it is about something else. */
    static Optional<MismatchException> in(Throwable failure, Map<String, ?> tree) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof JsonMappingException wrong) {
                return Optional.of(explain(wrong, tree));
            }
        }
        return Optional.empty();
    }

    private static MismatchException explain(JsonMappingException wrong, Map<String, ?> tree) {
        StringBuilder field = new StringBuilder();
        @Nullable Object value = tree;
        for (JsonMappingException.Reference step : wrong.getPath()) {
            String name = step.getFieldName();
            field.append(name == null ? "[" + step.getIndex() + "]" : (field.isEmpty() ? "" : ".") + name);
            value = name == null ? item(value, step.getIndex()) : value instanceof Map<?, ?> map ? map.get(name) : null;
        }
        if (wrong instanceof UnrecognizedPropertyException) {
            return new MismatchException(field.toString(), "there is no such field; correct its name, or take it away");
        }
        String there = wrong instanceof InvalidFormatException format ? there(format.getValue()) : there(value);
        String wanted = wrong instanceof MismatchedInputException mismatch ? wanted(mismatch.getTargetType()) : "";
        return new MismatchException(
                field.toString(),
                wanted.isEmpty() ? "it cannot be " + there : "it has to be " + wanted + ", and it is " + there);
    }

    private static @Nullable Object item(@Nullable Object list, int index) {
        return list instanceof List<?> items && index >= 0 && index < items.size() ? items.get(index) : null;
    }

    private static String there(@Nullable Object value) {
        if (value == null) {
            return "nothing";
        }
        if (value instanceof Map) {
            return "a map";
        }
        if (value instanceof Collection) {
            return "a list";
        }
        String text = String.valueOf(value);
        String shown = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
        return value instanceof Number || value instanceof Boolean ? shown : "the text \"" + shown + "\"";
    }

    private static String wanted(@Nullable Class<?> type) {
        if (type == null) {
            return "";
        }
        if (Collection.class.isAssignableFrom(type) || type.isArray()) {
            return "a list";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        if (type == Integer.class || type == int.class || type == Long.class || type == long.class) {
            return "a whole number";
        }
        if (Number.class.isAssignableFrom(type) || type == double.class || type == float.class) {
            return "a number";
        }
        if (CharSequence.class.isAssignableFrom(type)) {
            return "a text";
        }
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(String::valueOf)
                            .collect(Collectors.joining(", "));
        }
        return "a map";
    }
}
