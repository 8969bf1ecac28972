package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One node of a structural schema, read from JSON. Immutable and thread-safe. */
final class SchemaNode {
    final String type;
    final boolean nullable;
    final @Nullable JsonNode defaultValue;
    final Map<String, SchemaNode> properties;
    final @Nullable SchemaNode additional;
    /** Whether there may be more fields of which nothing is said: {@code additionalProperties: true}. */
    final boolean anyAdditional;

    final @Nullable SchemaNode items;
    final Set<String> required;
    final List<JsonNode> enumeration;
    final String format;
    final @Nullable Pattern pattern;
    final String patternText;
    final Limits limits;
    final boolean preserveUnknown;
    final boolean embedded;
    final boolean intOrString;
    final String listType;
    final List<String> listKeys;
    final boolean atomicMap;
    final List<SchemaNode> allOf;
    final List<SchemaNode> anyOf;
    final List<SchemaNode> oneOf;
    final @Nullable SchemaNode not;
    final List<CelRule> rules;

    /** Whether this node or one below it has a rule. */
    final boolean hasRules;

    /**
     * Bounds; null where there is none.
     */
    record Limits(
            @Nullable BigDecimal maximum,
            boolean exclusiveMaximum,
            @Nullable BigDecimal minimum,
            boolean exclusiveMinimum,
            @Nullable BigDecimal multipleOf,
            @Nullable Long maxLength,
            @Nullable Long minLength,
            @Nullable Long maxItems,
            @Nullable Long minItems,
            @Nullable Long maxProperties,
            @Nullable Long minProperties) {
        static Limits of(JsonNode json) {
            return new Limits(
                    decimal(json, "maximum"),
                    json.path("exclusiveMaximum").asBoolean(),
                    decimal(json, "minimum"),
                    json.path("exclusiveMinimum").asBoolean(),
                    decimal(json, "multipleOf"),
                    integer(json, "maxLength"),
                    integer(json, "minLength"),
                    integer(json, "maxItems"),
                    integer(json, "minItems"),
                    integer(json, "maxProperties"),
                    integer(json, "minProperties"));
        }

        private static @Nullable BigDecimal decimal(JsonNode json, String name) {
            JsonNode value = json.get(name);
            return value == null || !value.isNumber() ? null : value.decimalValue();
        }

        private static @Nullable Long integer(JsonNode json, String name) {
            JsonNode value = json.get(name);
            return value == null || !value.isNumber() ? null : Long.valueOf(value.longValue());
        }
    }

    private SchemaNode(JsonNode json) {
        type = json.path("type").asText();
        nullable = json.path("nullable").asBoolean();
        defaultValue = json.hasNonNull("default") ? json.get("default") : null;
        properties = properties(json.get("properties"));
        JsonNode more = json.get("additionalProperties");
        additional = more == null || !more.isObject() ? anything(more) : new SchemaNode(more);
        anyAdditional = more != null && more.isBoolean() && more.booleanValue();
        JsonNode item = json.get("items");
        items = item == null || !item.isObject() ? null : new SchemaNode(item);
        required = new HashSet<>(texts(json.get("required")));
        enumeration = elements(json.get("enum"));
        format = json.path("format").asText();
        patternText = json.path("pattern").asText();
        pattern = pattern(patternText);
        limits = Limits.of(json);
        preserveUnknown = json.path("x-kubernetes-preserve-unknown-fields").asBoolean();
        embedded = json.path("x-kubernetes-embedded-resource").asBoolean();
        intOrString = json.path("x-kubernetes-int-or-string").asBoolean();
        listType = json.path("x-kubernetes-list-type").asText();
        listKeys = texts(json.get("x-kubernetes-list-map-keys"));
        atomicMap = json.path("x-kubernetes-map-type").asText().equals("atomic");
        allOf = nodes(json.get("allOf"));
        anyOf = nodes(json.get("anyOf"));
        oneOf = nodes(json.get("oneOf"));
        JsonNode negated = json.get("not");
        not = negated == null || !negated.isObject() ? null : new SchemaNode(negated);
        rules = CelRule.read(json.get("x-kubernetes-validations"));
        hasRules = !rules.isEmpty()
                || properties.values().stream().anyMatch(p -> p.hasRules)
                || (additional != null && additional.hasRules)
                || (items != null && items.hasRules);
    }

    static SchemaNode read(JsonNode json) {
        return new SchemaNode(json);
    }

    private static @Nullable SchemaNode anything(@Nullable JsonNode additionalProperties) {
        boolean allowed = additionalProperties != null && additionalProperties.asBoolean();
        return allowed ? new SchemaNode(KEEP_ALL) : null;
    }

    private static final JsonNode KEEP_ALL =
            JsonNodeFactory.instance.objectNode().put("x-kubernetes-preserve-unknown-fields", true);

    private static Map<String, SchemaNode> properties(@Nullable JsonNode json) {
        if (json == null || !json.isObject()) {
            return Map.of();
        }
        Map<String, SchemaNode> out = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> e : json.properties()) {
            out.put(e.getKey(), new SchemaNode(e.getValue()));
        }
        return Collections.unmodifiableMap(out);
    }

    private static List<SchemaNode> nodes(@Nullable JsonNode json) {
        List<SchemaNode> out = new ArrayList<>();
        for (JsonNode item : elements(json)) {
            out.add(new SchemaNode(item));
        }
        return List.copyOf(out);
    }

    private static List<JsonNode> elements(@Nullable JsonNode json) {
        List<JsonNode> out = new ArrayList<>();
        if (json != null && json.isArray()) {
            json.forEach(out::add);
        }
        return List.copyOf(out);
    }

    private static List<String> texts(@Nullable JsonNode json) {
        return elements(json).stream().map(JsonNode::asText).toList();
    }

    private static @Nullable Pattern pattern(String text) {
        if (text.isEmpty()) {
            return null;
        }
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            // CrdValidation reports it; a definition with such a pattern is never served.
            return null;
        }
    }
}
