package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** How large values of a schema can be in one request, and how many of them there can be: what the server reckons costs with. Stateless. */
final class CelSizes {
    /** More than any size: what is not known. */
    static final long UNKNOWN = Long.MAX_VALUE;

    private static final long REQUEST = 3L * 1024 * 1024;
    private static final int DURATION = 32;
    private static final int DATE = 12;
    private static final int TIME = 30;
    /** A code point has up to four bytes. */
    private static final int BYTES_OF_RUNE = 4;

    private CelSizes() {}

    /** Elements of a list or map, bytes of a string; 0 for what has no length. */
    static long max(SchemaNode schema) {
        if (schema.intOrString) {
            return REQUEST - 2;
        }
        return switch (schema.type) {
            case "string" -> text(schema);
            case "array" -> {
                Long limit = schema.limits.maxItems();
                long smallest = schema.items == null ? 1 : min(schema.items);
                yield limit == null ? (REQUEST - 2) / (smallest + 1) : limit;
            }
            case "object" -> {
                Long limit = schema.limits.maxProperties();
                long smallest = schema.additional == null ? 1 : min(schema.additional);
                boolean map = schema.additional != null && schema.properties.isEmpty() && !schema.anyAdditional;
                yield !map ? 0 : limit == null ? (REQUEST - 2) / (smallest + 6) : limit;
            }
            default -> 0;
        };
    }

    private static long text(SchemaNode schema) {
        Long limit = schema.limits.maxLength();
        return switch (schema.format) {
            case "duration" -> DURATION;
            case "date" -> DATE;
            case "date-time" -> TIME;
            default -> {
                if (limit != null) {
                    yield limit * BYTES_OF_RUNE;
                }
                long longest = 0;
                for (JsonNode value : schema.enumeration) {
                    longest = Math.max(longest, value.asText().length());
                }
                yield longest > 0 ? longest : REQUEST - 2;
            }
        };
    }

    /** The fewest bytes that a value takes. */
    static long min(SchemaNode schema) {
        return switch (schema.type) {
            case "boolean" -> 4;
            case "integer", "number" -> 1;
            case "object" -> {
                long size = 2;
                for (Map.Entry<String, SchemaNode> e : schema.properties.entrySet()) {
                    if (schema.required.contains(e.getKey()) && e.getValue().defaultValue == null) {
                        size += e.getKey().length() + min(e.getValue()) + 4;
                    }
                }
                yield size;
            }
            default -> 2;
        };
    }

    /** How many values of a schema a request can hold. */
    static long most(SchemaNode schema) {
        return 1 + REQUEST / (min(schema) + 1);
    }

    static long add(long a, long b) {
        return a > UNKNOWN - b ? UNKNOWN : a + b;
    }

    static long times(long a, long b) {
        if (a == 0 || b == 0) {
            return 0;
        }
        return a > UNKNOWN / b ? UNKNOWN : a * b;
    }

    /** Rounded up. */
    static long times(long a, double factor) {
        double product = Math.ceil(a * factor);
        return a == UNKNOWN || product >= UNKNOWN ? UNKNOWN : (long) product;
    }
}
