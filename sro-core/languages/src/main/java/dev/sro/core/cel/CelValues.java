package dev.sro.core.cel;

import java.math.BigDecimal;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values of CEL: Long, Double, Boolean, String, {@link Bytes}, Instant, Duration, List, Map, Optional, {@link Quantity}, {@link Url},
 * {@link Struct}, {@link TypeName} and null. Stateless.
 */
public final class CelValues {
    /** A byte string; the buffer is never read from, so that its content stays all of it. */
    public record Bytes(ByteBuffer content) {
        /** Wraps the bytes, which must not change. */
        public static Bytes of(byte[] content) {
            return new Bytes(ByteBuffer.wrap(content).asReadOnlyBuffer());
        }
    }

    /** A resource quantity. */
    public record Quantity(BigDecimal value) {}

    /** A URL. */
    public record Url(URI uri) {}

    /**
     * A value of a named type. Immutable.
     *
     * @param fields in the order in which they were given
     */
    public record Struct(String type, Map<String, @Nullable Object> fields) {

        /** Keeps the fields, which may be null and so are not copied with {@code Map.copyOf}. */
        public Struct {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }
    }

    /** What {@code type(x)} returns. */
    public record TypeName(String name) {}

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
    public static String escaped(String name) {
        if (RESERVED.contains(name)) {
            return "__" + name + "__";
        }
        return name.replace("__", "__underscores__")
                .replace(".", "__dot__")
                .replace("-", "__dash__")
                .replace("/", "__slash__");
    }

    /** Whether a field can be named in an expression at all. */
    public static boolean nameable(String name) {
        return name.matches("[A-Za-z_.][A-Za-z0-9._/-]*");
    }

    /** The value of a tree of maps, lists and scalars. */
    public static @Nullable Object convert(@Nullable Object tree) {
        if (tree instanceof Map<?, ?> map) {
            Map<Object, @Nullable Object> out = new LinkedHashMap<>();
            map.forEach((key, value) -> out.put(String.valueOf(key), convert(value)));
            return out;
        }
        if (tree instanceof List<?> list) {
            List<@Nullable Object> out = new ArrayList<>(list.size());
            list.forEach(item -> out.add(convert(item)));
            return out;
        }
        if (tree instanceof Number number) {
            boolean whole = number.doubleValue() == Math.rint(number.doubleValue());
            return whole ? (Object) number.longValue() : (Object) number.doubleValue();
        }
        return tree;
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
        if (a instanceof Struct x && b instanceof Struct y) {
            return x.type().equals(y.type()) && equal(x.fields(), y.fields());
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

    /** Its type. */
    public static TypeName typeOf(@Nullable Object value) {
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
        if (value instanceof Struct struct) {
            return new TypeName(struct.type());
        }
        if (value instanceof Instant) {
            return new TypeName("google.protobuf.Timestamp");
        }
        return new TypeName(value instanceof Duration ? "google.protobuf.Duration" : "type");
    }
}
