package dev.sro.testkit.schema;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One thing that is wrong with an object, in the words of a kube-apiserver. Immutable.
 *
 * @param reason the cause's reason, for instance {@code FieldValueInvalid}
 * @param message the cause's message, for instance {@code Invalid value: "x": must be an integer}
 * @param field path of the field, for instance {@code spec.containers[0].name}
 */
public record FieldError(String reason, String message, String field) {
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
