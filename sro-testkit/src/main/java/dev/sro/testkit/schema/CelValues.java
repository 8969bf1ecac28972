package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values of CEL: Long, Double, Boolean, String, {@link Bytes}, Instant, Duration, List, Map, Optional, {@link Quantity}, {@link Url},
 * {@link TypeName} and null; and how JSON becomes one of them.
 */
final class CelValues {
    /** A byte string; the buffer is never read from, so that its content stays all of it. */
    record Bytes(ByteBuffer content) {
        static Bytes of(byte[] content) {
            return new Bytes(ByteBuffer.wrap(content).asReadOnlyBuffer());
        }
    }

    /** A resource quantity. */
    record Quantity(BigDecimal value) {}

    /** A URL. */
    record Url(URI uri) {}

    /** What {@code type(x)} returns. */
    record TypeName(String name) {}

    /** Words that cannot be field names in expressions as they are. */
    private static final Set<String> RESERVED = Set.of(
            "true",
            "false",
            "null",
            "in",
            "as",
            "break",
            "const",
            "continue",
            "else",
            "for",
            "function",
            "if",
            "import",
            "let",
            "loop",
            "package",
            "namespace",
            "return",
            "var",
            "void",
            "while");

    private CelValues() {}

    /** The field name as expressions write it: {@code a-b} is {@code a__dash__b}. */
    static String escaped(String name) {
        if (RESERVED.contains(name)) {
            return "__" + name + "__";
        }
        return name.replace("__", "__underscores__")
                .replace(".", "__dot__")
                .replace("-", "__dash__")
                .replace("/", "__slash__");
    }

    /** Whether a field can be named in an expression at all. */
    static boolean nameable(String name) {
        return name.matches("[A-Za-z_.][A-Za-z0-9._/-]*");
    }

    static @Nullable Object of(@Nullable SchemaNode schema, JsonNode json) {
        return switch (json.getNodeType()) {
            case OBJECT -> map(schema, json);
            case ARRAY -> list(schema, json);
            case STRING -> text(schema, json.textValue());
            case BOOLEAN -> json.booleanValue();
            case NUMBER -> number(schema, json);
            default -> null;
        };
    }

    private static Object number(@Nullable SchemaNode schema, JsonNode json) {
        boolean fraction = schema != null && schema.type.equals("number");
        if (!fraction && (json.isIntegralNumber() || json.doubleValue() == Math.rint(json.doubleValue()))) {
            return json.longValue();
        }
        return json.doubleValue();
    }

    private static Object text(@Nullable SchemaNode schema, String text) {
        String format = schema == null ? "" : schema.format;
        try {
            return switch (format) {
                case "byte" -> Bytes.of(Base64.getDecoder().decode(text));
                case "date-time" -> OffsetDateTime.parse(text).toInstant();
                case "duration" -> CelTime.duration(text);
                default -> text;
            };
        } catch (DateTimeParseException | IllegalArgumentException | CelException e) {
            return text;
        }
    }

    private static List<@Nullable Object> list(@Nullable SchemaNode schema, JsonNode json) {
        List<@Nullable Object> out = new ArrayList<>(json.size());
        for (JsonNode item : json) {
            out.add(of(schema == null ? null : schema.items, item));
        }
        return out;
    }

    /** Declared fields are named as in expressions, keys of free maps as they are. */
    private static Map<Object, @Nullable Object> map(@Nullable SchemaNode schema, JsonNode json) {
        Map<Object, @Nullable Object> out = new LinkedHashMap<>();
        boolean struct = schema != null && (!schema.properties.isEmpty() || schema.embedded);
        for (Map.Entry<String, JsonNode> e : json.properties()) {
            SchemaNode property = schema == null ? null : schema.properties.get(e.getKey());
            SchemaNode known = property == null && schema != null ? schema.additional : property;
            boolean named = struct && (property != null || known == null);
            out.put(named ? escaped(e.getKey()) : e.getKey(), of(known, e.getValue()));
        }
        return out;
    }

    /** Equality of the language: numbers by value, maps and lists by content. */
    static boolean equal(@Nullable Object a, @Nullable Object b) {
        if (a == null || b == null) {
            return a == null && b == null;
        }
        if (a instanceof Number x && b instanceof Number y) {
            return compare(x, y) == 0;
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            return equalLists(x, y);
        }
        if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
            return x.size() == y.size()
                    && x.entrySet().stream()
                            .allMatch(e -> y.containsKey(e.getKey()) && equal(e.getValue(), y.get(e.getKey())));
        }
        if (a instanceof Quantity x && b instanceof Quantity y) {
            return x.value().compareTo(y.value()) == 0;
        }
        if (a instanceof Optional<?> x && b instanceof Optional<?> y) {
            return x.isPresent() == y.isPresent() && equal(x.orElse(null), y.orElse(null));
        }
        return a.equals(b);
    }

    private static boolean equalLists(List<?> x, List<?> y) {
        if (x.size() != y.size()) {
            return false;
        }
        Iterator<?> other = y.iterator();
        for (Object item : x) {
            if (!equal(item, other.next())) {
                return false;
            }
        }
        return true;
    }

    /**
     * Order of the language.
     *
     * @throws CelException if the values have no order
     */
    static int compare(@Nullable Object a, @Nullable Object b) {
        if (a instanceof Number x && b instanceof Number y) {
            if (x instanceof Long l && y instanceof Long r) {
                return l.compareTo(r);
            }
            return new BigDecimal(x.toString()).compareTo(new BigDecimal(y.toString()));
        }
        if (a instanceof String x && b instanceof String y) {
            return x.compareTo(y);
        }
        if (a instanceof Boolean x && b instanceof Boolean y) {
            return x.compareTo(y);
        }
        if (a instanceof Instant x && b instanceof Instant y) {
            return x.compareTo(y);
        }
        if (a instanceof Duration x && b instanceof Duration y) {
            return x.compareTo(y);
        }
        if (a instanceof Bytes x && b instanceof Bytes y) {
            return x.content().compareTo(y.content());
        }
        throw CelException.noOverload();
    }

    static TypeName typeOf(@Nullable Object value) {
        if (value == null) {
            return new TypeName("null_type");
        }
        if (value instanceof Long) {
            return new TypeName("int");
        }
        if (value instanceof Double) {
            return new TypeName("double");
        }
        if (value instanceof Boolean) {
            return new TypeName("bool");
        }
        if (value instanceof String) {
            return new TypeName("string");
        }
        if (value instanceof Bytes) {
            return new TypeName("bytes");
        }
        if (value instanceof List) {
            return new TypeName("list");
        }
        if (value instanceof Map) {
            return new TypeName("map");
        }
        if (value instanceof Instant) {
            return new TypeName("google.protobuf.Timestamp");
        }
        return new TypeName(value instanceof Duration ? "google.protobuf.Duration" : "type");
    }
}
