package dev.sro.runtime.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.core.yaml.Yaml;
import dev.sro.runtime.Cli;
import java.util.ArrayList;
import java.util.List;

/** The page with every field of every kind that SRO defines. Stateless. */
final class FieldPage {
    private FieldPage() {}

    static String write() {
        StringBuilder page = new StringBuilder("""
                # Fields

                Every field of the kinds that SRO defines, with its type and what the definition says of it; it is written from the
                definitions that `sro crd` prints. What the fields of a special resource do: [SpecialResource](specialresource.md).

                """);
        Yaml.documents("crd", Cli.run("crd").out())
                .forEach(definition -> kind(page, new ObjectMapper().valueToTree(definition)));
        return page.toString().stripTrailing() + "\n";
    }

    private static void kind(StringBuilder page, JsonNode definition) {
        JsonNode spec = definition.path("spec");
        spec.path("versions").forEach(version -> {
            page.append("## ")
                    .append(spec.path("names").path("kind").asText())
                    .append("\n\n`")
                    .append(spec.path("group").asText())
                    .append('/')
                    .append(version.path("name").asText())
                    .append("`, ")
                    .append(spec.path("scope").asText().equals("Cluster") ? "cluster-scoped" : "namespaced")
                    .append(".\n\n| field | type | description |\n|---|---|---|\n");
            JsonNode schema = version.at("/schema/openAPIV3Schema");
            for (String part : List.of("spec", "status")) {
                fields(page, part, schema.path("properties").path(part));
            }
            page.append('\n');
        });
    }

    private static void fields(StringBuilder page, String path, JsonNode schema) {
        page.append("| `")
                .append(path)
                .append("` | ")
                .append(type(schema))
                .append(" | ")
                .append(description(schema))
                .append(" |\n");
        inner(page, path, schema);
    }

    private static void inner(StringBuilder page, String path, JsonNode schema) {
        schema.path("properties")
                .properties()
                .forEach(field -> fields(page, path + "." + field.getKey(), field.getValue()));
        if (schema.path("items").isObject()) {
            inner(page, path + "[]", schema.path("items"));
        }
        if (schema.path("additionalProperties").isObject()) {
            inner(page, path + ".*", schema.path("additionalProperties"));
        }
    }

    private static String type(JsonNode schema) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return "integer or string";
        }
        if (schema.path("items").isObject()) {
            return "list of " + type(schema.path("items"));
        }
        if (schema.path("additionalProperties").isObject()) {
            return "map of " + type(schema.path("additionalProperties"));
        }
        String type = schema.path("type").asText("any");
        return schema.has("format") ? type + " (" + schema.path("format").asText() + ")" : type;
    }

    private static String description(JsonNode schema) {
        List<String> parts = new ArrayList<>();
        parts.add(schema.path("description").asText());
        if (schema.has("enum")) {
            List<String> values = new ArrayList<>();
            schema.path("enum").forEach(value -> values.add("`" + value.asText() + "`"));
            parts.add("One of " + String.join(", ", values) + ".");
        }
        if (schema.has("default")) {
            parts.add("Default: `" + schema.path("default") + "`.");
        }
        if (schema.has("pattern")) {
            parts.add("Pattern: `" + schema.path("pattern").asText() + "`.");
        }
        for (String bound : List.of("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")) {
            if (schema.has(bound)) {
                parts.add(bound + " " + schema.path(bound).asText() + ".");
            }
        }
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(name -> required.add("`" + name.asText() + "`"));
        if (!required.isEmpty()) {
            parts.add("Required: " + String.join(", ", required) + ".");
        }
        return String.join(" ", parts)
                .strip()
                .replace("|", "\\|")
                .replace("\n", " ")
                .replace("<", "&lt;");
    }
}
