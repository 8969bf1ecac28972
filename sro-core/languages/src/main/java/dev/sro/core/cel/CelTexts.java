package dev.sro.core.cel;

import com.google.re2j.Matcher;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The methods of texts: standard, the strings extension and the regular expressions of Kubernetes. */
final class CelTexts {
    private CelTexts() {}

    static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int at = "\u0007\b\f\n\r\t\u000b\\\"".indexOf(c);
            out.append(at < 0 ? String.valueOf(c) : "\\" + "abfnrtv\\\"".charAt(at));
        }
        return out.append('"').toString();
    }

    static Object string(@Nullable Object value) {
        if (value instanceof CelValues.Bytes b) {
            return StandardCharsets.UTF_8.decode(b.content().duplicate()).toString();
        }
        if (value instanceof Double d) {
            return d == Math.rint(d) && Math.abs(d) < 1e21
                    ? new BigDecimal(d).toBigInteger().toString()
                    : d.toString();
        }
        if (value instanceof Duration d) {
            return CelTime.text(d);
        }
        if (value == null || value instanceof List || value instanceof Map) {
            throw CelException.noOverload();
        }
        return value.toString();
    }

    static @Nullable Object method(String name, String text, List<@Nullable Object> args) {
        return switch (name) {
            case "contains" -> text.contains(string(args, 1));
            case "startsWith" -> text.startsWith(string(args, 1));
            case "endsWith" -> text.endsWith(string(args, 1));
            case "matches" -> Re2.compile(string(args, 1)).matcher(text).find();
            case "lowerAscii" -> text.toLowerCase(Locale.ROOT);
            case "upperAscii" -> text.toUpperCase(Locale.ROOT);
            case "trim" -> text.strip();
            case "reverse" -> new StringBuilder(text).reverse().toString();
            case "charAt" -> charAt(text, number(args, 1));
            case "indexOf" -> (long) text.indexOf(string(args, 1), args.size() > 2 ? (int) number(args, 2) : 0);
            case "lastIndexOf" ->
                (long)
                        (args.size() > 2
                                ? text.lastIndexOf(string(args, 1), (int) number(args, 2))
                                : text.lastIndexOf(string(args, 1)));
            case "substring" -> substring(text, number(args, 1), args.size() > 2 ? number(args, 2) : text.length());
            case "replace" -> replace(text, string(args, 1), string(args, 2), args.size() > 3 ? number(args, 3) : -1);
            case "split" -> split(text, string(args, 1), args.size() > 2 ? number(args, 2) : -1);
            case "find" -> find(text, string(args, 1));
            case "findAll" -> findAll(text, string(args, 1), args.size() > 2 ? number(args, 2) : -1);
            case "format" -> CelFormat.format(text, CelFunctions.list(args.get(1)));
            default -> CelKubernetes.method(name, args);
        };
    }

    private static String string(List<@Nullable Object> args, int i) {
        if (i < args.size() && args.get(i) instanceof String s) {
            return s;
        }
        throw CelException.noOverload();
    }

    private static long number(List<@Nullable Object> args, int i) {
        if (i < args.size() && args.get(i) instanceof Long n) {
            return n;
        }
        throw CelException.noOverload();
    }

    private static String charAt(String text, long at) {
        if (at < 0 || at > text.length()) {
            throw new CelException("index out of range: " + at);
        }
        return at == text.length() ? "" : text.substring((int) at, (int) at + 1);
    }

    private static String substring(String text, long from, long to) {
        if (from < 0 || to > text.length() || from > to) {
            throw new CelException("index out of range: " + (from < 0 || from > text.length() ? from : to));
        }
        return text.substring((int) from, (int) to);
    }

    private static String replace(String text, String old, String with, long limit) {
        if (limit < 0) {
            return text.replace(old, with);
        }
        String out = text;
        int at = 0;
        for (long i = 0; i < limit; i++) {
            at = out.indexOf(old, at);
            if (at < 0) {
                break;
            }
            out = out.substring(0, at) + with + out.substring(at + old.length());
            at += with.length();
        }
        return out;
    }

    private static List<@Nullable Object> split(String text, String separator, long limit) {
        List<@Nullable Object> out = new ArrayList<>();
        if (limit == 0) {
            return out;
        }
        if (separator.isEmpty()) {
            text.codePoints().forEach(c -> out.add(Character.toString(c)));
            return out;
        }
        int at = 0;
        int found = text.indexOf(separator);
        while (found >= 0 && (limit < 0 || out.size() < limit - 1)) {
            out.add(text.substring(at, found));
            at = found + separator.length();
            found = text.indexOf(separator, at);
        }
        out.add(text.substring(at));
        return out;
    }

    private static String find(String text, String regex) {
        Matcher matcher = Re2.compile(regex).matcher(text);
        return matcher.find() ? matcher.group() : "";
    }

    private static List<@Nullable Object> findAll(String text, String regex, long limit) {
        Matcher matcher = Re2.compile(regex).matcher(text);
        List<@Nullable Object> out = new ArrayList<>();
        while ((limit < 0 || out.size() < limit) && matcher.find()) {
            out.add(matcher.group());
        }
        return out;
    }
}
