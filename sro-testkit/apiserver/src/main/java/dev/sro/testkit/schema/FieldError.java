package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with an object, in the words of a kube-apiserver. Immutable.
 *
 * @param reason the cause's reason, for instance {@code FieldValueInvalid}
 * @param message the cause's message, for instance {@code Invalid value: "x": must be an integer}
 * @param field path of the field, for instance {@code spec.containers[0].name}; {@code <nil>} for the object itself
 */
public record FieldError(String reason, String message, String field) {
    private static final String ROOT = "<nil>";

    /** A wrong value; {@code value} is shown as JSON, and not at all if it is null. */
    public static FieldError invalid(String field, @Nullable JsonNode value, String detail) {
        String shown = value == null ? "" : shown(value) + (detail.isEmpty() ? "" : ": ");
        return of("FieldValueInvalid", "Invalid value: " + shown + detail, field);
    }

    /** Objects and lists as Go writes JSON: fit to stand in HTML. */
    private static String shown(JsonNode value) {
        if (value.isTextual()) {
            return GoText.quoted(value.textValue());
        }
        String text = value.toString();
        return value.isContainerNode()
                ? text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
                : text;
    }

    /** A missing value; the detail may be empty. */
    public static FieldError required(String field, String detail) {
        return of("FieldValueRequired", detail.isEmpty() ? "Required value" : "Required value: " + detail, field);
    }

    /** Something that must not be. */
    public static FieldError forbidden(String field, String detail) {
        return of("FieldValueForbidden", "Forbidden: " + detail, field);
    }

    static FieldError typeInvalid(String field, String shown, String detail) {
        return of("FieldValueTypeInvalid", "Invalid value: \"" + shown + "\": " + detail, field);
    }

    static FieldError notSupported(String field, JsonNode value, List<String> supported) {
        String values = String.join(", ", supported);
        return of(
                "FieldValueNotSupported",
                "Unsupported value: " + shown(value) + ": supported values: " + values,
                field);
    }

    static FieldError duplicate(String field, JsonNode value) {
        return of("FieldValueDuplicate", "Duplicate value: " + shown(value), field);
    }

    static FieldError tooLong(String field, long max) {
        return of(
                "FieldValueTooLong", "Too long: may not be more than " + max + (max == 1 ? " byte" : " bytes"), field);
    }

    static FieldError tooMany(String field, long actual, long max) {
        return of(
                "FieldValueTooMany",
                "Too many: " + actual + ": must have at most " + max + (max == 1 ? " item" : " items"),
                field);
    }

    static FieldError of(String reason, String message, String field) {
        return new FieldError(reason, message, field.isEmpty() ? ROOT : field);
    }

    /** The message of the {@code Status}: {@code DaemonSet.apps "a" is invalid: ...}. Doubles are named once. */
    public static String statusMessage(String groupKind, String name, List<FieldError> errors) {
        List<String> texts =
                errors.stream().map(FieldError::toString).distinct().collect(Collectors.toList());
        String all = texts.size() == 1 ? texts.get(0) : texts.stream().collect(Collectors.joining(", ", "[", "]"));
        return groupKind + " \"" + name + "\" is invalid: " + all;
    }

    @Override
    public String toString() {
        return field + ": " + message;
    }
}
