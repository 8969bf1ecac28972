package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The compiled structural schema of one version of a custom resource. Immutable and thread-safe. CEL rules are compiled when they
 * are first evaluated.
 */
public final class CustomSchema {
    private final TypeSchema types;

    private CustomSchema(TypeSchema types) {
        this.types = types;
    }

    /**
     * Compiles {@code spec.versions[].schema.openAPIV3Schema}; null (a CRD without a schema cannot be, but tests may) keeps
     * everything.
     */
    public static CustomSchema compile(@Nullable JsonNode openApiV3Schema) {
        return new CustomSchema(TypeSchema.deduced());
    }

    /** The merge topology. */
    public TypeSchema types() {
        return types;
    }

    /** Sets defaults in place; drops nulls of fields that are not nullable and have a default. */
    public void applyDefaults(ObjectNode object) {}

    /** Removes what the schema does not specify, in place. Returns the paths that were removed, sorted. */
    public List<String> prune(ObjectNode object) {
        return List.of();
    }

    /**
     * Validates types, values and CEL rules.
     *
     * @param old the stored object on update, null on create
     */
    public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old) {
        return List.of();
    }
}
