package dev.sro.core.cel;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Operators, conversions and the methods of numbers, lists, optionals and times; those of texts are in {@link CelTexts}. */
final class CelFunctions {
    /** Every function and method name that there is, for the check of expressions that are not yet run. */
    static final Set<String> NAMES = Set.of(
            "size",
            "int",
            "uint",
            "double",
            "string",
            "bool",
            "bytes",
            "timestamp",
            "duration",
            "type",
            "dyn",
            "contains",
            "startsWith",
            "endsWith",
            "matches",
            "charAt",
            "indexOf",
            "lastIndexOf",
            "join",
            "lowerAscii",
            "upperAscii",
            "replace",
            "split",
            "substring",
            "trim",
            "reverse",
            "format",
            "find",
            "findAll",
            "isSorted",
            "sum",
            "min",
            "max",
            "flatten",
            "distinct",
            "slice",
            "sort",
            "first",
            "last",
            "hasValue",
            "value",
            "orValue",
            "or",
            "of",
            "none",
            "ofNonZeroValue",
            "equivalent",
            "intersects",
            "quote",
            "greatest",
            "least",
            "quantity",
            "isQuantity",
            "sign",
            "isInteger",
            "asInteger",
            "asApproximateFloat",
            "isGreaterThan",
            "isLessThan",
            "compareTo",
            "add",
            "sub",
            "url",
            "isURL",
            "getScheme",
            "getHost",
            "getHostname",
            "getPort",
            "getEscapedPath",
            "getQuery",
            "isIP",
            "ip",
            "isCanonical",
            "family",
            "isUnspecified",
            "isLoopback",
            "isLinkLocalMulticast",
            "isLinkLocalUnicast",
            "isGlobalUnicast",
            "cidr",
            "isCIDR",
            "containsIP",
            "containsCIDR",
            "masked",
            "prefixLength",
            "semver",
            "isSemver",
            "major",
            "minor",
            "patch",
            "getFullYear",
            "getMonth",
            "getDate",
            "getDayOfMonth",
            "getDayOfWeek",
            "getDayOfYear",
            "getHours",
            "getMinutes",
            "getSeconds",
            "getMilliseconds",
            "validate",
            "named");

    private CelFunctions() {}

    /** A global function or an operator. */
    static @Nullable Object call(String name, List<@Nullable Object> args) {
        return switch (name) {
            case "!" -> !bool(args.get(0));
            case "-_" -> negated(args.get(0));
            case "==" -> CelValues.equal(args.get(0), args.get(1));
            case "!=" -> !CelValues.equal(args.get(0), args.get(1));
            case "<" -> CelValues.compare(args.get(0), args.get(1)) < 0;
            case "<=" -> CelValues.compare(args.get(0), args.get(1)) <= 0;
            case ">" -> CelValues.compare(args.get(0), args.get(1)) > 0;
            case ">=" -> CelValues.compare(args.get(0), args.get(1)) >= 0;
            case "in" -> in(args.get(0), args.get(1));
            case "+", "-", "*", "/", "%" -> CelArithmetic.apply(name, args.get(0), args.get(1));
            case "size" -> size(args.get(0));
            case "int", "uint" -> integer(args.get(0));
            case "double" -> decimal(args.get(0));
            case "string" -> CelTexts.string(args.get(0));
            case "bool" -> truth(args.get(0));
            case "bytes" ->
                args.get(0) instanceof String s ? CelValues.Bytes.of(s.getBytes(StandardCharsets.UTF_8)) : args.get(0);
            case "timestamp" -> args.get(0) instanceof String s ? CelTime.timestamp(s) : args.get(0);
            case "duration" -> args.get(0) instanceof String s ? CelTime.duration(s) : args.get(0);
            case "type" -> CelValues.typeOf(args.get(0));
            case "dyn" -> args.get(0);
            case "optional.of" -> Optional.ofNullable(args.get(0));
            case "optional.none" -> Optional.empty();
            case "optional.ofNonZeroValue" -> isZero(args.get(0)) ? Optional.empty() : Optional.ofNullable(args.get(0));
            case "math.greatest", "math.least" ->
                extreme(args.size() == 1 ? list(args.get(0)) : args, name.endsWith("greatest") ? 1 : -1);
            default -> library(name, args);
        };
    }

    private static @Nullable Object library(String name, List<@Nullable Object> args) {
        if (name.startsWith("sets.") && args.size() == 2) {
            List<?> a = list(args.get(0));
            List<?> b = list(args.get(1));
            return switch (name) {
                case "sets.contains" -> b.stream().allMatch(x -> in(x, a));
                case "sets.equivalent" ->
                    b.stream().allMatch(x -> in(x, a)) && a.stream().allMatch(x -> in(x, b));
                case "sets.intersects" -> b.stream().anyMatch(x -> in(x, a));
                default -> throw CelException.noOverload();
            };
        }
        if (name.equals("jsonpatch.escapeKey") && args.get(0) instanceof String key) {
            return key.replace("~", "~0").replace("/", "~1");
        }
        if (name.equals("strings.quote") && args.get(0) instanceof String s) {
            return CelTexts.quoted(s);
        }
        if (name.startsWith("format.")) {
            return CelFormats.call(name.substring("format.".length()), args);
        }
        return CelKubernetes.call(name, args);
    }

    /** A method; the first argument is its target. */
    static @Nullable Object method(String name, List<@Nullable Object> args) {
        Object target = args.get(0);
        if (name.equals("size")) {
            return size(target);
        }
        if (target instanceof String text) {
            return CelTexts.method(name, text, args);
        }
        if (target instanceof List<?> list) {
            return CelLists.method(name, list, args);
        }
        if (CelAuthorizer.isValue(target)) {
            return CelAuthorizer.call(name, args);
        }
        if (target instanceof CelFormats.Format format && name.equals("validate")) {
            return CelFormats.validate(format, args);
        }
        if (target instanceof Optional<?> optional) {
            return optional(name, optional, args);
        }
        Long part = null;
        if (target instanceof Instant instant) {
            String zone = args.size() > 1 && args.get(1) instanceof String z ? z : null;
            part = CelTime.get(name, instant, zone);
        } else if (target instanceof Duration duration) {
            part = CelTime.get(name, duration);
        }
        return part != null ? part : CelKubernetes.method(name, args);
    }

    private static @Nullable Object optional(String name, Optional<?> optional, List<@Nullable Object> args) {
        return switch (name) {
            case "hasValue" -> optional.isPresent();
            case "value" -> {
                if (optional.isEmpty()) {
                    throw new CelException("optional.none() dereference");
                }
                yield optional.get();
            }
            case "orValue" -> optional.isPresent() ? optional.get() : args.get(1);
            case "or" -> optional.isPresent() ? optional : args.get(1);
            default -> throw CelException.noOverload();
        };
    }

    static boolean bool(@Nullable Object value) {
        if (value instanceof Boolean b) {
            return b;
        }
        throw CelException.noOverload();
    }

    static List<?> list(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw CelException.noOverload();
    }

    private static boolean isZero(@Nullable Object value) {
        return value == null
                || value.equals(0L)
                || value.equals(0.0)
                || value.equals(false)
                || value.equals("")
                || (value instanceof Collection<?> c && c.isEmpty())
                || (value instanceof Map<?, ?> m && m.isEmpty());
    }

    private static Object negated(@Nullable Object value) {
        if (value instanceof Long n) {
            return CelArithmetic.apply("-", 0L, n);
        }
        if (value instanceof Double d) {
            return -d;
        }
        throw CelException.noOverload();
    }

    static boolean in(@Nullable Object item, @Nullable Object container) {
        if (container instanceof List<?> list) {
            return list.stream().anyMatch(x -> CelValues.equal(x, item));
        }
        if (container instanceof Map<?, ?> map) {
            return map.keySet().stream().anyMatch(k -> CelValues.equal(k, item));
        }
        throw CelException.noOverload();
    }

    private static Object size(@Nullable Object value) {
        if (value instanceof String s) {
            return (long) s.codePointCount(0, s.length());
        }
        if (value instanceof Collection<?> c) {
            return (long) c.size();
        }
        if (value instanceof Map<?, ?> m) {
            return (long) m.size();
        }
        if (value instanceof CelValues.Bytes b) {
            return (long) b.content().remaining();
        }
        throw CelException.noOverload();
    }

    private static Object integer(@Nullable Object value) {
        if (value instanceof Long) {
            return value;
        }
        if (value instanceof Double d) {
            if (d.isNaN() || Math.abs(d) >= 0x1p63) {
                throw new CelException("integer overflow");
            }
            return d.longValue();
        }
        if (value instanceof Instant i) {
            return i.getEpochSecond();
        }
        if (value instanceof String s) {
            try {
                return Long.valueOf(s);
            } catch (NumberFormatException e) {
                throw new CelException("strconv.ParseInt: parsing \"" + s + "\": invalid syntax");
            }
        }
        throw CelException.noOverload();
    }

    private static Object decimal(@Nullable Object value) {
        if (value instanceof Number n) {
            return n.doubleValue();
        }
        if (value instanceof String s) {
            try {
                return new BigDecimal(s).doubleValue();
            } catch (NumberFormatException e) {
                throw new CelException("strconv.ParseFloat: parsing \"" + s + "\": invalid syntax");
            }
        }
        throw CelException.noOverload();
    }

    private static Object truth(@Nullable Object value) {
        if (value instanceof Boolean) {
            return value;
        }
        if (value instanceof String s
                && Set.of("true", "True", "TRUE", "t", "1").contains(s)) {
            return true;
        }
        if (value instanceof String s
                && Set.of("false", "False", "FALSE", "f", "0").contains(s)) {
            return false;
        }
        throw CelException.noOverload();
    }

    static @Nullable Object extreme(List<?> items, int sign) {
        List<@Nullable Object> all = new ArrayList<>(items);
        if (all.isEmpty()) {
            throw new CelException((sign > 0 ? "max" : "min") + " called on empty list");
        }
        Object best = all.get(0);
        for (Object item : all) {
            if (CelValues.compare(item, best) * sign > 0) {
                best = item;
            }
        }
        return best;
    }
}
