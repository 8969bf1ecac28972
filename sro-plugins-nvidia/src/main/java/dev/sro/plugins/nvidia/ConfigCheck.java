package dev.sro.plugins.nvidia;

import dev.sro.api.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds everything that is wrong with the settings, each with the field and what to write instead. Lives for one check. */
final class ConfigCheck {

    private static final String ROOT = "spec.plugin.config.";

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    private final ConfigFields fields;
    private final List<Problem> problems = new ArrayList<>();

    private ConfigCheck(ConfigFields fields) {
        this.fields = fields;
    }

    /** All problems, in the order of the settings. */
    static List<Problem> check(ConfigFields fields, Map<String, Object> config) {
        ConfigCheck check = new ConfigCheck(fields);
        check.section("", config);
        return List.copyOf(check.problems);
    }

    private void section(String path, Map<?, ?> given) {
        given.forEach((key, value) -> {
            String at = path.isEmpty() ? String.valueOf(key) : path + "." + key;
            ConfigFields.Field field = fields.field(at).orElse(null);
            if (fields.refused(at).isPresent()) {
                problem(
                        "NvidiaUnsupportedField",
                        at,
                        "is not for SRO: " + fields.refused(at).get().meaning());
            } else if (value == null) {
                return;
            } else if (field != null) {
                value(field, value);
            } else if (fields.isSection(at)) {
                if (value instanceof Map<?, ?> map) {
                    section(at, map);
                } else {
                    problem("NvidiaInvalidField", at, "must be a map with " + fields.below(at) + ", not " + value);
                }
            } else {
                unknown(path, String.valueOf(key), at);
            }
        });
    }

    private void unknown(String path, String key, String at) {
        String instead = fields.similar(path, key)
                .map(name -> "did you mean " + (path.isEmpty() ? name : path + "." + name) + "?")
                .orElseGet(() -> "there are " + fields.below(path));
        problem("NvidiaUnknownField", at, "there is no such field; " + instead);
    }

    private void value(ConfigFields.Field field, Object value) {
        String wanted = wanted(field.type(), value);
        if (wanted != null) {
            problem("NvidiaInvalidField", field.path(), "must be " + wanted + ", not " + value);
        }
    }

    /** What the value should be; null when it is right. */
    private static @Nullable String wanted(String type, Object value) {
        return switch (type) {
            case "boolean" -> value instanceof Boolean ? null : "true or false";
            case "string" -> value instanceof String || value instanceof Number ? null : "a text";
            case "name" ->
                value instanceof String text
                                && (text.isEmpty() || NAME.matcher(text).matches())
                        ? null
                        : "the name of an object: lower case letters, digits, '-' and '.'";
            case "integer" ->
                value instanceof Number number && number.doubleValue() == number.longValue() && number.longValue() >= 0
                        ? null
                        : "a whole number, 0 or more";
            case "duration" ->
                value instanceof String text && Durations.parse(text).isPresent()
                        ? null
                        : "a time such as 15s, 2m or 1m30s, a second or more";
            case "strings" -> isListOf(value, String.class) ? null : "a list of texts";
            case "labels" ->
                value instanceof Map<?, ?> map && map.values().stream().allMatch(String.class::isInstance)
                        ? null
                        : "a map from text to text";
            case "env" ->
                isListOf(value, Map.class)
                                && ((List<?>) value)
                                        .stream().allMatch(one -> ((Map<?, ?>) one).get("name") instanceof String)
                        ? null
                        : "a list of environment variables, each with a name";
            case "tolerations", "objects" -> isListOf(value, Map.class) ? null : "a list of objects";
            case "object" -> value instanceof Map ? null : "an object";
            default ->
                List.of(type.split(",", -1)).contains(String.valueOf(value))
                        ? null
                        : "one of " + type.replace(",", ", ");
        };
    }

    private static boolean isListOf(Object value, Class<?> type) {
        return value instanceof List<?> list && list.stream().allMatch(type::isInstance);
    }

    private void problem(String code, String path, String message) {
        problems.add(Problem.user(code, ROOT + path + ": " + message));
    }
}
