package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The compiled structural schema of one version of a custom resource. Immutable and thread-safe. CEL rules are compiled when they
 * are first evaluated.
 */
public final class CustomSchema {
    private static final Set<String> BLOCKING = Set.of(
            "FieldValueNotSupported",
            "FieldValueRequired",
            "FieldValueTooLong",
            "FieldValueTooMany",
            "FieldValueTypeInvalid");
    private static final String NOT_CHECKED =
            "some validation rules were not checked because the object was invalid; correct the existing errors to complete"
                    + " validation";

    private final SchemaNode root;
    private final TypeSchema types;

    private CustomSchema(SchemaNode root) {
        this.root = root;
        this.types = SchemaTypes.root(root);
    }

    /**
     * Compiles {@code spec.versions[].schema.openAPIV3Schema}; null (a served CRD always has one, but tests may not) keeps
     * everything.
     */
    public static CustomSchema compile(@Nullable JsonNode openApiV3Schema) {
        JsonNode json = openApiV3Schema != null
                ? openApiV3Schema
                : JsonNodeFactory.instance
                        .objectNode()
                        .put("type", "object")
                        .put("x-kubernetes-preserve-unknown-fields", true);
        return new CustomSchema(SchemaNode.read(json));
    }

    /** The merge topology. */
    public TypeSchema types() {
        return types;
    }

    /** Sets defaults in place. */
    public void applyDefaults(ObjectNode object) {
        for (var p : root.properties.entrySet()) {
            JsonNode defaultValue = p.getValue().defaultValue;
            JsonNode old = object.get(p.getKey());
            if (defaultValue != null && (old == null || old.isNull())) {
                object.set(p.getKey(), defaultValue.deepCopy());
            }
        }
        Defaulting.apply(root, object);
    }

    /**
     * Removes what the schema does not specify, in place, and nulls that are neither allowed nor to be defaulted.
     *
     * @return the paths of unknown fields, sorted
     */
    public List<String> prune(ObjectNode object) {
        return Pruning.prune(root, object);
    }

    /**
     * What the schema specifies where an unknown field is, for somebody who meant one of these.
     *
     * @param path as {@link #prune} gives it, such as {@code spec.dependencies[0].name}
     * @return names of fields, sorted; empty where there may be any, or nothing is specified at that place
     */
    public SortedSet<String> fieldsBeside(String path) {
        SchemaNode node = root;
        String[] steps = path.split("\\.", -1);
        for (int i = 0; i < steps.length - 1 && node != null; i++) {
            String name = steps[i].replaceAll("\\[.*", "");
            SchemaNode inner = node.properties.getOrDefault(name, node.additional);
            for (int list = steps[i].indexOf('['); list >= 0 && inner != null; list = steps[i].indexOf('[', list + 1)) {
                inner = inner.items;
            }
            node = inner;
        }
        return node == null ? Collections.emptySortedSet() : new TreeSet<>(node.properties.keySet());
    }

    /** Like {@link #prune}, but nulls stay. */
    public List<String> pruneApplied(ObjectNode object) {
        return Pruning.pruneButNulls(root, object);
    }

    /**
     * Validates types, values and CEL rules of the whole object. What has not changed since {@code old} is not looked at.
     *
     * @param old the stored object on update, null on create
     */
    public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old) {
        return validate(object, old, new ArrayList<>());
    }

    /**
     * The same.
     *
     * @param warnings gets what rules refuse of values that have not changed, which is no error
     */
    public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old, List<FieldError> warnings) {
        List<FieldError> errors = new ArrayList<>(new SchemaValidator("").validate(root, object, old));
        errors.addAll(ListTypes.validate(root, object));
        errors.addAll(rules(object, old, errors, warnings));
        return errors;
    }

    /** Validates an update through the status subresource: only the status is looked at. */
    public List<FieldError> validateStatus(ObjectNode object, @Nullable ObjectNode old, List<FieldError> warnings) {
        SchemaNode status = root.properties.get("status");
        JsonNode value = object.get("status");
        if (status == null || value == null) {
            return List.of();
        }
        JsonNode before = old == null ? null : old.get("status");
        List<FieldError> errors = new ArrayList<>(new SchemaValidator("status").validate(status, value, before));
        errors.addAll(ListTypes.validateAt(status, value, "status"));
        errors.addAll(rules(object, old, errors, warnings));
        return errors;
    }

    /** Rules see only objects that are not broken otherwise. */
    private List<FieldError> rules(
            ObjectNode object, @Nullable ObjectNode old, List<FieldError> errors, List<FieldError> warnings) {
        if (!root.hasRules) {
            return List.of();
        }
        if (errors.stream().anyMatch(e -> BLOCKING.contains(e.reason()))) {
            return List.of(FieldError.invalid("", NullNode.getInstance(), NOT_CHECKED));
        }
        return CelRules.evaluateUpdate(root, object, old, warnings);
    }
}
