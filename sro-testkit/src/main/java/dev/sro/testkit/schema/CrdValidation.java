package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validation of CustomResourceDefinition objects themselves (their defaults are in {@link BuiltinDefaults}). Stateless. */
public final class CrdValidation {
    private CrdValidation() {}

    /**
     * What is wrong with the definition.
     *
     * @param crd after defaulting
     * @param old the stored one on update, null on create
     */
    public static List<FieldError> validate(ObjectNode crd, @Nullable ObjectNode old) {
        return List.of();
    }
}
