package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Definitions as the server shows them in messages: the fields of its internal structs, unset ones included. */
final class CrdDump {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Fields of a schema in the server's order: internal name and name in JSON; {@code ?} may be null, {@code !} is a flag. */
    private static final String[][] SCHEMA = {
        {"ID", "id", ""},
        {"Schema", "$schema", ""},
        {"Ref", "$ref", "?"},
        {"Description", "description", ""},
        {"Type", "type", ""},
        {"Nullable", "nullable", "!"},
        {"Format", "format", ""},
        {"Title", "title", ""},
        {"Default", "default", "?"},
        {"Maximum", "maximum", "?"},
        {"ExclusiveMaximum", "exclusiveMaximum", "!"},
        {"Minimum", "minimum", "?"},
        {"ExclusiveMinimum", "exclusiveMinimum", "!"},
        {"MaxLength", "maxLength", "?"},
        {"MinLength", "minLength", "?"},
        {"Pattern", "pattern", ""},
        {"MaxItems", "maxItems", "?"},
        {"MinItems", "minItems", "?"},
        {"UniqueItems", "uniqueItems", "!"},
        {"MultipleOf", "multipleOf", "?"},
        {"Enum", "enum", "?"},
        {"MaxProperties", "maxProperties", "?"},
        {"MinProperties", "minProperties", "?"},
        {"Required", "required", "?"},
        {"Items", "items", "items"},
        {"AllOf", "allOf", "list"},
        {"OneOf", "oneOf", "list"},
        {"AnyOf", "anyOf", "list"},
        {"Not", "not", "schema"},
        {"Properties", "properties", "map"},
        {"AdditionalProperties", "additionalProperties", "allows"},
        {"PatternProperties", "patternProperties", "map"},
        {"Dependencies", "dependencies", "?"},
        {"AdditionalItems", "additionalItems", "allows"},
        {"Definitions", "definitions", "map"},
        {"ExternalDocs", "externalDocs", "?"},
        {"Example", "example", "?"},
        {"XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", "?"},
        {"XEmbeddedResource", "x-kubernetes-embedded-resource", "!"},
        {"XIntOrString", "x-kubernetes-int-or-string", "!"},
        {"XListMapKeys", "x-kubernetes-list-map-keys", "?"},
        {"XListType", "x-kubernetes-list-type", "?"},
        {"XMapType", "x-kubernetes-map-type", "?"},
        {"XValidations", "x-kubernetes-validations", "rules"},
    };

    private CrdDump() {}

    /** The versions; what they have in common is not part of them any more when the server validates. */
    static ArrayNode versions(List<ObjectNode> versions) {
        boolean commonSchema = common(versions, "schema");
        boolean commonSubresources = common(versions, "subresources");
        boolean commonColumns = common(versions, "additionalPrinterColumns");
        boolean commonSelectable = common(versions, "selectableFields");
        ArrayNode out = JSON.arrayNode();
        for (ObjectNode version : versions) {
            ObjectNode v = out.addObject();
            v.put("Name", version.path("name").asText());
            v.put("Served", version.path("served").asBoolean());
            v.put("Storage", version.path("storage").asBoolean());
            v.put("Deprecated", version.path("deprecated").asBoolean());
            v.set("DeprecationWarning", orNull(version.get("deprecationWarning")));
            JsonNode schema = version.path("schema").get("openAPIV3Schema");
            if (commonSchema || schema == null) {
                v.putNull("Schema");
            } else {
                v.putObject("Schema").set("OpenAPIV3Schema", schema(schema));
            }
            v.set("Subresources", commonSubresources ? JSON.nullNode() : subresources(version.get("subresources")));
            v.set(
                    "AdditionalPrinterColumns",
                    commonColumns ? JSON.nullNode() : orNull(version.get("additionalPrinterColumns")));
            v.set("SelectableFields", commonSelectable ? JSON.nullNode() : orNull(version.get("selectableFields")));
        }
        return out;
    }

    private static boolean common(List<ObjectNode> versions, String field) {
        return versions.stream().map(v -> v.path(field)).distinct().count() == 1;
    }

    private static JsonNode orNull(@Nullable JsonNode value) {
        return value == null ? JSON.nullNode() : value;
    }

    private static JsonNode subresources(@Nullable JsonNode subresources) {
        if (subresources == null) {
            return JSON.nullNode();
        }
        ObjectNode out = JSON.objectNode();
        out.set("Status", orNull(subresources.get("status")));
        out.set("Scale", orNull(subresources.get("scale")));
        return out;
    }

    /** The words of schemas in the server's order: its name for each, and the name in JSON. */
    static String[][] schemaWords() {
        return SCHEMA.clone();
    }

    /** A schema. */
    static JsonNode schema(JsonNode schema) {
        ObjectNode out = JSON.objectNode();
        for (String[] field : SCHEMA) {
            out.set(field[0], value(schema.get(field[1]), field[2]));
        }
        return out;
    }

    private static JsonNode value(@Nullable JsonNode value, String how) {
        if (value == null || value.isNull()) {
            return switch (how) {
                case "" -> JSON.textNode("");
                case "!" -> JSON.booleanNode(false);
                default -> JSON.nullNode();
            };
        }
        return switch (how) {
            case "schema" -> schema(value);
            case "list" -> list(value);
            case "map" -> map(value);
            case "items" ->
                JSON.objectNode().<ObjectNode>set("Schema", schema(value)).set("JSONSchemas", JSON.nullNode());
            case "allows" ->
                JSON.objectNode()
                        .put("Allows", value.isObject() || value.asBoolean())
                        .set("Schema", value.isObject() ? schema(value) : JSON.nullNode());
            case "rules" -> rules(value);
            default -> value;
        };
    }

    private static JsonNode list(JsonNode schemas) {
        ArrayNode out = JSON.arrayNode();
        schemas.forEach(s -> out.add(schema(s)));
        return out;
    }

    private static JsonNode map(JsonNode schemas) {
        Map<String, JsonNode> sorted = new TreeMap<>();
        schemas.properties().forEach(e -> sorted.put(e.getKey(), schema(e.getValue())));
        ObjectNode out = JSON.objectNode();
        sorted.forEach(out::set);
        return out;
    }

    private static JsonNode rules(JsonNode rules) {
        ArrayNode out = JSON.arrayNode();
        rules.forEach(r -> out.add(rule(r)));
        return out;
    }

    /** One rule. */
    static ObjectNode rule(JsonNode rule) {
        ObjectNode out = JSON.objectNode();
        out.put("Rule", rule.path("rule").asText());
        out.put("Message", rule.path("message").asText());
        out.put("MessageExpression", rule.path("messageExpression").asText());
        out.set("Reason", orNull(rule.get("reason")));
        out.put("FieldPath", rule.path("fieldPath").asText());
        out.set("OptionalOldSelf", orNull(rule.get("optionalOldSelf")));
        return out;
    }
}
