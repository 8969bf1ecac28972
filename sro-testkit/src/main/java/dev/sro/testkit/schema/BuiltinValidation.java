package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validation of built-in types: the mistakes that users make, not all of the server's rules. Stateless. */
public final class BuiltinValidation {
    private BuiltinValidation() {}

    /**
     * What is wrong with an object of a built-in type.
     *
     * @param object after defaulting, with its name
     * @param old the stored object on update, null on create
     */
    public static List<FieldError> validate(
            String group, String version, String kind, ObjectNode object, @Nullable ObjectNode old) {
        return List.of();
    }
}
