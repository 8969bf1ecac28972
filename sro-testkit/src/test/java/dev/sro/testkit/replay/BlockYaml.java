package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;

/** Writes JSON as YAML in blocks, as people write it: texts without quotes where they are plain words. Stateless. */
final class BlockYaml {
    private BlockYaml() {}

    static String of(JsonNode node) {
        StringBuilder text = new StringBuilder();
        write(node, "", text);
        return text.toString();
    }

    private static void write(JsonNode node, String indent, StringBuilder text) {
        if (node.isObject()) {
            node.properties().forEach(field -> {
                text.append(indent).append(scalar(field.getKey())).append(':');
                value(field.getValue(), indent + "  ", text);
            });
        } else if (node.isArray()) {
            node.forEach(item -> {
                text.append(indent).append('-');
                value(item, indent + "  ", text);
            });
        } else {
            value(node, indent, text);
        }
    }

    private static void value(JsonNode node, String indent, StringBuilder text) {
        if (node.isContainerNode() && !node.isEmpty()) {
            text.append('\n');
            write(node, indent, text);
        } else {
            text.append(' ')
                    .append(node.isTextual() ? scalar(node.textValue()) : node.toString())
                    .append('\n');
        }
    }

    private static String scalar(String text) {
        boolean plain =
                text.matches("[A-Za-z][A-Za-z0-9._/-]*") && !text.matches("(?i)y|n|yes|no|on|off|true|false|null");
        return plain ? text : Endpoint.JSON.getNodeFactory().textNode(text).toString();
    }
}
