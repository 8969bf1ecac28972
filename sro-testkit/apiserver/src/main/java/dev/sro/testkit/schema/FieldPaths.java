package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;

/** Paths such as {@code .spec.a['b.c']}, by which definitions name fields of their own schemas. Stateless. */
final class FieldPaths {
    /**
     * Where a path leads.
     *
     * @param path as errors name it, without the dot in front
     * @param root the first field
     * @param schema of the place; missing if the path is faulty
     * @param fault why it leads nowhere; empty if it leads somewhere
     */
    record Place(String path, String root, JsonNode schema, String fault) {}

    private FieldPaths() {}

    /** @param brackets whether {@code ['name']} may be said */
    static Place find(String path, JsonNode root, boolean brackets) {
        List<String> tokens = tokens(path);
        StringBuilder shown = new StringBuilder();
        String first = "";
        JsonNode schema = root;
        for (int i = 0; i < tokens.size(); i++) {
            String token = tokens.get(i);
            String name;
            if (token.equals("[") && !brackets) {
                return faulty("array notation is not allowed");
            } else if (!token.equals("[") && !token.equals(".")) {
                return faulty("expected [ or . but got: " + token);
            } else if (++i >= tokens.size()) {
                return faulty("unexpected end of JSON path");
            }
            name = tokens.get(i);
            if (token.equals("[")) {
                if (name.length() < 2 || !name.startsWith("'") || !name.endsWith("'")) {
                    return faulty("expected single quoted string but got " + name);
                }
                name = name.substring(1, name.length() - 1).replaceAll("\\\\(.)", "$1");
            }
            boolean named = !schema.path("properties").isEmpty();
            if (!named && !schema.has("additionalProperties")) {
                return faulty("does not refer to a valid field");
            }
            shown.append(named ? (shown.isEmpty() ? "" : ".") + name : "[" + name + "]");
            first = first.isEmpty() ? name : first;
            schema = named ? schema.path("properties").path(name) : schema.path("additionalProperties");
            if (named && schema.isMissingNode()) {
                return faulty("does not refer to a valid field");
            }
            if (token.equals("[")) {
                if (++i >= tokens.size()) {
                    return faulty("unexpected end of JSON path");
                } else if (!tokens.get(i).equals("]")) {
                    return faulty("expected ] but got " + tokens.get(i));
                }
            }
        }
        return new Place(shown.toString(), first, schema, "");
    }

    private static Place faulty(String fault) {
        return new Place("", "", MissingNode.getInstance(), fault);
    }

    /** Dots and brackets by themselves, and what is between them; a quoted text is one. */
    private static List<String> tokens(String path) {
        List<String> tokens = new ArrayList<>();
        int begin = 0;
        for (int i = 0; i <= path.length(); i++) {
            boolean quoted = begin < path.length() && path.charAt(begin) == '\'';
            if (i == path.length()) {
                add(tokens, path.substring(begin));
            } else if (quoted) {
                if (i > begin && path.charAt(i) == '\'' && path.charAt(i - 1) != '\\') {
                    add(tokens, path.substring(begin, i + 1));
                    begin = i + 1;
                }
            } else if (".[]".indexOf(path.charAt(i)) >= 0) {
                add(tokens, path.substring(begin, i));
                tokens.add(path.substring(i, i + 1));
                begin = i + 1;
            }
        }
        return tokens;
    }

    private static void add(List<String> tokens, String token) {
        if (!token.isEmpty()) {
            tokens.add(token);
        }
    }
}
