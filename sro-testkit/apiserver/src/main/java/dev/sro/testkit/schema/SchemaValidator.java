package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Validation of a value against a structural schema, with the server's texts. Paths in the texts start at the validated value, the
 * paths of the errors at {@code base}. Not thread-safe; one use.
 */
final class SchemaValidator {
    private final String base;
    private List<FieldError> errors = new ArrayList<>();

    SchemaValidator(String base) {
        this.base = base;
    }

    /** All errors. A value that equals its old one is accepted as it is. */
    List<FieldError> validate(SchemaNode schema, JsonNode value, @Nullable JsonNode old) {
        check(schema, value, old, "");
        return errors;
    }

    private String field(String path) {
        if (path.isEmpty()) {
            return base;
        }
        String below = path.startsWith(".") ? path.substring(1) : path;
        return base.isEmpty() ? below : base + "." + below;
    }

    /** An error about the value as a whole, which the server reports without its path. */
    private void addGeneral(String message) {
        errors.add(FieldError.invalid(base, TextNode.valueOf(""), message));
    }

    private void check(SchemaNode schema, JsonNode value, @Nullable JsonNode old, String path) {
        if (old != null && old.equals(value)) {
            return;
        }
        if (value.isNull() && schema.nullable) {
            return;
        }
        checkType(schema, value, path);
        combinators(schema, value, path);
        if (value.isTextual()) {
            text(schema, value, path);
        } else if (value.isNumber()) {
            number(schema, value, path);
        } else if (value.isArray()) {
            array(schema, value, old, path);
        } else if (value.isObject()) {
            object(schema, value, old, path);
        }
        enumeration(schema, value, path);
    }

    /** As the server does it: of formats and types some are taken for each other. */
    private void checkType(SchemaNode schema, JsonNode value, String path) {
        List<String> wanted = schema.intOrString
                ? List.of("integer", "string")
                : schema.type.isEmpty() ? List.of() : List.of(schema.type);
        String format = Formats.isKnown(schema.type, schema.format) ? schema.format : "";
        String actual = value.isIntegralNumber() ? "integer" : value.isNumber() ? "number" : typeOf(value);
        boolean numeric = wanted.contains("number") || wanted.contains("integer");
        boolean whole = value.isNumber() && isInteger(value) && wanted.contains("integer");
        boolean fits = wanted.contains(actual) || whole || (actual.equals("integer") && wanted.contains("number"));
        if (fits || (wanted.isEmpty() && format.isEmpty())) {
            return;
        }
        boolean series = value.isTextual() || value.isArray();
        if (!format.isEmpty() && !value.isNull()) {
            String own = value.isIntegralNumber() ? "int64" : value.isNumber() ? "float64" : "";
            if (!series && !own.equals(format)) {
                mistyped(path, format, own);
                return;
            } else if (series && !numeric) {
                return;
            }
        }
        mistyped(path, String.join(",", wanted), actual);
    }

    private void mistyped(String path, String wanted, String actual) {
        errors.add(FieldError.typeInvalid(
                field(path), actual, path + " in body must be of type " + wanted + ": \"" + actual + "\""));
    }

    private static boolean isInteger(JsonNode value) {
        return value.isIntegralNumber()
                || (value.isNumber()
                        && value.decimalValue().stripTrailingZeros().scale() <= 0);
    }

    private static String typeOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case STRING -> "string";
            case BOOLEAN -> "boolean";
            case NUMBER -> isInteger(value) ? "integer" : "number";
            default -> "null";
        };
    }

    private List<FieldError> tried(SchemaNode schema, JsonNode value, String path) {
        List<FieldError> kept = errors;
        errors = new ArrayList<>();
        check(schema, value, null, path);
        List<FieldError> found = errors;
        errors = kept;
        return found;
    }

    private void combinators(SchemaNode schema, JsonNode value, String path) {
        if (!schema.anyOf.isEmpty()) {
            anyOf(schema, value, path);
        }
        if (!schema.oneOf.isEmpty()) {
            oneOf(schema, value, path);
        }
        int valid = 0;
        for (SchemaNode part : schema.allOf) {
            List<FieldError> found = tried(part, value, path);
            valid += found.isEmpty() ? 1 : 0;
            errors.addAll(found);
        }
        if (valid < schema.allOf.size()) {
            String none = valid == 0 ? ". None validated" : "";
            addGeneral("\"" + path + "\" must validate all the schemas (allOf)" + none);
        }
        if (schema.not != null && tried(schema.not, value, path).isEmpty()) {
            addGeneral("\"" + path + "\" must not validate the schema (not)");
        }
    }

    private void anyOf(SchemaNode schema, JsonNode value, String path) {
        List<FieldError> first = List.of();
        for (int i = 0; i < schema.anyOf.size(); i++) {
            List<FieldError> found = tried(schema.anyOf.get(i), value, path);
            if (found.isEmpty()) {
                return;
            }
            first = i == 0 ? found : first;
        }
        addGeneral("\"" + path + "\" must validate at least one schema (anyOf)");
        errors.addAll(first);
    }

    private void oneOf(SchemaNode schema, JsonNode value, String path) {
        List<FieldError> first = List.of();
        int valid = 0;
        for (int i = 0; i < schema.oneOf.size(); i++) {
            List<FieldError> found = tried(schema.oneOf.get(i), value, path);
            valid += found.isEmpty() ? 1 : 0;
            first = i == 0 ? found : first;
        }
        if (valid != 1) {
            String detail = valid == 0 ? "Found none valid" : "Found " + valid + " valid alternatives";
            addGeneral("\"" + path + "\" must validate one and only one schema (oneOf). " + detail);
            if (valid == 0) {
                errors.addAll(first);
            }
        }
    }

    /** Of several faults of a text the server names the first one. */
    private void text(SchemaNode schema, JsonNode value, String path) {
        String text = value.textValue();
        int length = text.codePointCount(0, text.length());
        Long max = schema.limits.maxLength();
        Long min = schema.limits.minLength();
        if (max != null && length > max) {
            errors.add(FieldError.tooLong(field(path), max));
        } else if (min != null && length < min) {
            bad(path, value, "should be at least " + min + " chars long");
        } else if (schema.pattern != null && !schema.pattern.matcher(text).find()) {
            bad(path, value, "should match '" + schema.patternText + "'");
        }
        if (!schema.format.isEmpty() && !Formats.matches(schema.format, text)) {
            String message = path + " in body must be of type " + schema.format + ": " + value;
            errors.add(FieldError.of("FieldValueTypeInvalid", "Invalid value: " + value + ": " + message, field(path)));
        }
    }

    private void bad(String path, JsonNode value, String detail) {
        errors.add(FieldError.invalid(field(path), value, path + " in body " + detail));
    }

    private void number(SchemaNode schema, JsonNode value, String path) {
        if (schema.type.equals("integer") && !schema.intOrString && !inRange(schema.format, value)) {
            boolean sized = schema.format.equals("int32") || schema.format.equals("int64");
            String format = sized ? "with format " + schema.format : "(default format)";
            addGeneral("Checked value must be of type integer " + format + " in " + path);
        }
        BigDecimal number = value.decimalValue();
        SchemaNode.Limits limits = schema.limits;
        BigDecimal multiple = limits.multipleOf();
        if (multiple != null && multiple.signum() <= 0) {
            String detail = "factor MultipleOf declared for " + path + " must be positive: " + multiple.toPlainString();
            errors.add(FieldError.invalid(field(path), DecimalNode.valueOf(multiple), detail));
        } else if (multiple != null && number.remainder(multiple).signum() != 0) {
            bad(path, value, "should be a multiple of " + multiple.toPlainString());
        }
        BigDecimal max = limits.maximum();
        if (max != null && number.compareTo(max) >= (limits.exclusiveMaximum() ? 0 : 1)) {
            String relation = limits.exclusiveMaximum() ? "less than " : "less than or equal to ";
            bad(path, value, "should be " + relation + max.toPlainString());
        }
        BigDecimal min = limits.minimum();
        if (min != null && number.compareTo(min) <= (limits.exclusiveMinimum() ? 0 : -1)) {
            String relation = limits.exclusiveMinimum() ? "greater than " : "greater than or equal to ";
            bad(path, value, "should be " + relation + min.toPlainString());
        }
    }

    private static boolean inRange(String format, JsonNode value) {
        return isInteger(value)
                && (!format.equals("int32")
                        || value.decimalValue().toBigInteger().bitLength() < Integer.SIZE);
    }

    private void array(SchemaNode schema, JsonNode value, @Nullable JsonNode old, String path) {
        Long min = schema.limits.minItems();
        if (min != null && value.size() < min) {
            bad(path, IntNode.valueOf(value.size()), "should have at least " + min + " items");
        }
        Long max = schema.limits.maxItems();
        if (max != null && value.size() > max) {
            errors.add(FieldError.tooMany(field(path), value.size(), max));
        }
        if (schema.items == null) {
            return;
        }
        Map<JsonNode, JsonNode> byKey = new HashMap<>();
        if (old != null && schema.listType.equals("map")) {
            for (JsonNode item : old) {
                byKey.put(ListTypes.key(schema, item), item);
            }
        }
        for (int i = 0; i < value.size(); i++) {
            JsonNode before = byKey.get(ListTypes.key(schema, value.get(i)));
            check(schema.items, value.get(i), before, path + "[" + i + "]");
        }
    }

    private void object(SchemaNode schema, JsonNode value, @Nullable JsonNode old, String path) {
        Long min = schema.limits.minProperties();
        if (min != null && value.size() < min) {
            bad(path, IntNode.valueOf(value.size()), "should have at least " + min + " properties");
        }
        Long max = schema.limits.maxProperties();
        if (max != null && value.size() > max) {
            errors.add(FieldError.tooMany(field(path), value.size(), max));
        }
        schema.required.stream()
                .sorted()
                .filter(r -> !value.has(r))
                .forEach(r -> errors.add(FieldError.required(field(child(path, r)), "")));
        if (schema.embedded) {
            // An object within an object says what it is, as a whole one does.
            for (String identity : List.of("apiVersion", "kind")) {
                if (!schema.required.contains(identity)
                        && value.path(identity).asText("").isEmpty()) {
                    errors.add(FieldError.required(field(child(path, identity)), ""));
                }
            }
        }
        for (Map.Entry<String, JsonNode> e : value.properties()) {
            SchemaNode property = schema.properties.get(e.getKey());
            SchemaNode known = property != null ? property : schema.additional;
            if (known != null) {
                JsonNode before = old == null ? null : old.get(e.getKey());
                String below = property == null ? path + "." + e.getKey() : child(path, e.getKey());
                check(known, e.getValue(), before, below);
            }
        }
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private void enumeration(SchemaNode schema, JsonNode value, String path) {
        if (schema.enumeration.isEmpty()) {
            return;
        }
        for (JsonNode allowed : schema.enumeration) {
            boolean numbers = allowed.isNumber() && value.isNumber();
            boolean equal =
                    numbers ? allowed.decimalValue().compareTo(value.decimalValue()) == 0 : allowed.equals(value);
            if (equal) {
                return;
            }
        }
        List<String> supported = schema.enumeration.stream()
                .map(allowed -> allowed.isTextual()
                        ? allowed.toString()
                        : TextNode.valueOf(allowed.toString()).toString())
                .toList();
        errors.add(FieldError.notSupported(field(path), value, supported));
    }
}
