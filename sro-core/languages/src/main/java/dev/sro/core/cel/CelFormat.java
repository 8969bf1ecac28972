package dev.sro.core.cel;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The method {@code format} of texts: %s, %d, %f, %x, %o, %b and %e with a precision. */
final class CelFormat {
    /** More digits than any number has are a mistake, and would fill the memory. */
    private static final int MAX_PRECISION_DIGITS = 3;

    private CelFormat() {}

    static String format(String pattern, List<?> args) {
        StringBuilder out = new StringBuilder();
        int arg = 0;
        int i = 0;
        while (i < pattern.length()) {
            char c = pattern.charAt(i++);
            if (c != '%') {
                out.append(c);
                continue;
            }
            int precision = 6;
            if (i < pattern.length() && pattern.charAt(i) == '.') {
                int end = i + 1;
                while (end < pattern.length() && Character.isDigit(pattern.charAt(end))) {
                    end++;
                }
                precision = end == i + 1 ? 0 : precision(pattern.substring(i + 1, end));
                i = end;
            }
            if (i >= pattern.length()) {
                throw new CelException("could not parse formatting clause: unexpected end of string");
            }
            char clause = pattern.charAt(i++);
            if (clause == '%') {
                out.append('%');
            } else if (arg >= args.size()) {
                throw new CelException("index " + arg + " out of range");
            } else {
                out.append(one(clause, args.get(arg++), precision));
            }
        }
        return out.toString();
    }

    private static int precision(String digits) {
        if (digits.length() > MAX_PRECISION_DIGITS) {
            throw new CelException("could not parse formatting clause: precision " + digits + " is too large");
        }
        return Integer.parseInt(digits);
    }

    private static String one(char clause, @Nullable Object value, int precision) {
        return switch (clause) {
            case 's' -> text(value);
            case 'd' -> integer(value).toString();
            case 'x' -> value instanceof Long n ? Long.toHexString(n) : hex(value);
            case 'X' -> value instanceof Long n ? Long.toHexString(n).toUpperCase(Locale.ROOT) : hex(value);
            case 'o' -> Long.toOctalString(integer(value));
            case 'b' -> value instanceof Boolean b ? (b ? "1" : "0") : Long.toBinaryString(integer(value));
            case 'f' ->
                decimal(value).setScale(precision, RoundingMode.HALF_EVEN).toPlainString();
            case 'e' -> String.format(Locale.ROOT, "%." + precision + "e", decimal(value));
            default -> throw new CelException("unrecognized formatting clause \"" + clause + "\"");
        };
    }

    private static String hex(@Nullable Object value) {
        if (value instanceof String s) {
            return s.chars()
                    .mapToObj(c -> String.format(Locale.ROOT, "%02x", c))
                    .collect(Collectors.joining());
        }
        throw CelException.noOverload();
    }

    private static Long integer(@Nullable Object value) {
        if (value instanceof Long n) {
            return n;
        }
        throw new CelException("decimal clause can only be used on integers");
    }

    private static BigDecimal decimal(@Nullable Object value) {
        if (value instanceof Number n) {
            return new BigDecimal(n.toString());
        }
        throw new CelException("fixed-point clause can only be used on doubles");
    }

    private static String text(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof List<?> list) {
            return list.stream().map(CelFormat::text).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(e -> text(e.getKey()) + ": " + text(e.getValue()))
                    .sorted()
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        return (String) CelTexts.string(value);
    }
}
