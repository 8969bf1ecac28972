package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluation of CEL rules. */
final class CelRules {
    private CelRules() {}

    static List<FieldError> evaluate(SchemaNode root, ObjectNode object, @Nullable ObjectNode old) {
        return List.of();
    }
}
