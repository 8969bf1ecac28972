package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** Values for the fields of served schemas: most of them such as the field's name and type ask for, some at or beyond its bounds. */
final class GeneratedValues {
    private static final int DEEPEST = 5;
    private static final int WRONG = 12;
    private static final List<Object> NUMBERS =
            List.of(1, 2, 0, 5, 80, 100, 1, 3, -1, 65_535, 65_536, 2_147_483_647, 2_147_483_648L, 1.5);
    private static final List<String> QUANTITIES =
            List.of("1", "100m", "1Gi", "2", "0", "1e3", "0.5", "-1", "x", "1.0001", "1Ti");
    private static final List<String> TEXTS = List.of(
            "a", "b", "a-b", "a.b", "example.com/a", "", "A", "a b", "-a", "é", "x".repeat(64), "y".repeat(254));
    /** Texts by what the name of a field ends with; the first ones are right most of the time. */
    private static final Map<String, List<String>> BY_NAME = Map.ofEntries(
            Map.entry("path", List.of("/a", "a", "/a/b", "/", "a/../b", "..", "/a:b")),
            Map.entry("ip", List.of("10.0.0.1", "2001:db8::1", "10.0.0.01", "x", "127.0.0.1", "::ffff:10.0.0.1")),
            Map.entry("ips", List.of("10.0.0.1", "2001:db8::1", "10.0.0.01", "x", "169.254.0.1")),
            Map.entry("cidr", List.of("10.0.0.0/8", "2001:db8::/32", "10.0.0.1/8", "x")),
            Map.entry("key", List.of("a", "example.com/a", "kubernetes.io/hostname", "a b", "")),
            Map.entry("operator", List.of("In", "Exists", "NotIn", "DoesNotExist", "Equal", "Gt", "Lt", "in")),
            Map.entry("effect", List.of("NoSchedule", "NoExecute", "PreferNoSchedule", "x")),
            Map.entry("expression", List.of("true", "1 == 1", "'a'", "object.x", "1 +", "self.x")),
            Map.entry("namespace", List.of("default", "other", "Bad_")),
            Map.entry("kind", List.of("Pod", "ConfigMap", "Deployment", "", "a b")),
            Map.entry("apiversion", List.of("v1", "apps/v1", "a/b/c", "")),
            Map.entry("apigroup", List.of("", "apps", "example.com", "rbac.authorization.k8s.io", "A")),
            Map.entry("protocol", List.of("TCP", "UDP", "SCTP", "tcp")),
            Map.entry("hostname", List.of("a", "a.example.com", "A", "a_b")),
            Map.entry("host", List.of("a.example.com", "*.example.com", "a", "10.0.0.1", "A", "*.*.com")),
            Map.entry("url", List.of("https://a.example.com/x", "http://a", "x", "https://u:p@a/?q#f")),
            Map.entry("policy", List.of("Always", "Never", "OnFailure", "IfNotPresent", "x")),
            Map.entry("image", List.of("i", "example.com/i:1", "", " i", "I")),
            Map.entry("verbs", List.of("get", "*", "list", "")),
            Map.entry("driver", List.of("a.example.com", "a", "A B")),
            Map.entry("modes", List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteOncePod", "x")),
            Map.entry("schedule", List.of("* * * * *", "@daily", "x", "60 * * * *", "TZ=UTC * * * * *")),
            Map.entry("timezone", List.of("Etc/UTC", "Europe/Berlin", "Local", "", "x")),
            Map.entry("name", List.of("a", "b", "c", "a-b", "example.com", "A_b", "", "x".repeat(64))));

    private final Random random;
    private final ServedSchemas schemas;

    GeneratedValues(Random random, ServedSchemas schemas) {
        this.random = random;
        this.schemas = schemas;
    }

    <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** One of the first ones most of the time. */
    private <T> T likely(List<T> of) {
        return of.get(one(3) ? random.nextInt(of.size()) : random.nextInt(Math.min(2, of.size())));
    }

    boolean one(int of) {
        return random.nextInt(of) == 0;
    }

    /**
     * A value for a field.
     *
     * @param version that the schemas are of, as objects name it
     */
    JsonNode value(String version, String field, JsonNode schema) {
        return value(version, field, schema, 0);
    }

    private JsonNode value(String version, String field, JsonNode given, int depth) {
        JsonNode schema = schemas.resolved(version, given);
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (one(WRONG * 3)) {
            return pick(List.of(nodes.textNode("zzz"), nodes.numberNode(-3), nodes.nullNode(), nodes.objectNode()))
                    .deepCopy();
        }
        String format = schema.path("format").asText();
        if (schema.path("oneOf").isArray() || format.equals("int-or-string") || flexible(schema)) {
            return flexible(schema) || format.equals("int-or-string")
                    ? Endpoint.JSON.valueToTree(likely(List.of(1, "50%", "http", 0, "x y", -1, "101%", 65_536)))
                    : nodes.textNode(likely(QUANTITIES));
        }
        return switch (schema.path("type").asText()) {
            case "integer", "number" -> Endpoint.JSON.valueToTree(one(3) ? pick(NUMBERS) : random.nextInt(5));
            case "boolean" -> nodes.booleanNode(one(2));
            case "array" -> items(version, field, schema, depth);
            case "object" -> schema.has("properties") ? members(version, schema, depth) : map(version, schema, depth);
            case "string" -> nodes.textNode(text(field, schema, format));
            default -> nodes.objectNode();
        };
    }

    private static boolean flexible(JsonNode schema) {
        return schema.path("x-kubernetes-int-or-string").asBoolean();
    }

    private String text(String field, JsonNode schema, String format) {
        if (schema.path("enum") instanceof ArrayNode values && !values.isEmpty() && !one(WRONG)) {
            return values.get(random.nextInt(values.size())).asText();
        }
        if (format.equals("date-time")) {
            return likely(List.of("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000001Z", "2026-01-02", "x"));
        }
        if (format.equals("byte")) {
            return likely(List.of("YWJj", "", "!"));
        }
        String name = field.toLowerCase(Locale.ROOT);
        return BY_NAME.entrySet().stream()
                .filter(entry -> name.endsWith(entry.getKey()))
                .max(Map.Entry.comparingByKey(
                        (a, b) -> a.length() != b.length() ? a.length() - b.length() : a.compareTo(b)))
                .map(entry -> likely(entry.getValue()))
                .orElseGet(() -> likely(TEXTS));
    }

    private ArrayNode items(String version, String field, JsonNode schema, int depth) {
        ArrayNode items = JsonNodeFactory.instance.arrayNode();
        for (int i = one(5) ? random.nextInt(4) : 1; i > 0; i--) {
            items.add(value(version, field, schema.path("items"), depth + 1));
        }
        return items;
    }

    private ObjectNode map(String version, JsonNode schema, int depth) {
        ObjectNode map = JsonNodeFactory.instance.objectNode();
        for (int i = one(5) ? random.nextInt(3) : 1; i > 0; i--) {
            JsonNode of = schema.path("additionalProperties");
            String key = likely(List.of("a", "example.com/b", "cpu", "memory", "Bad Key", "", "a/b/c"));
            map.set(key, of.isObject() ? value(version, key, of, depth + 1) : JsonNodeFactory.instance.textNode("v"));
        }
        return map;
    }

    private ObjectNode members(String version, JsonNode schema, int depth) {
        ObjectNode members = JsonNodeFactory.instance.objectNode();
        int few = Math.max(3, schema.path("properties").size());
        schema.path("properties").properties().forEach(property -> {
            boolean needed = false;
            for (JsonNode one : schema.path("required")) {
                needed |= one.asText().equals(property.getKey());
            }
            boolean wanted = needed ? !one(WRONG * 2) : depth < DEEPEST && random.nextInt(few) < 2;
            if (wanted) {
                members.set(property.getKey(), value(version, property.getKey(), property.getValue(), depth + 1));
            }
        });
        if (one(WRONG * 3)) {
            members.put("unknownField", 1);
        }
        return members;
    }
}
