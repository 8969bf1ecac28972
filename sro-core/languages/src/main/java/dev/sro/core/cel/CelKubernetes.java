package dev.sro.core.cel;

import dev.sro.core.cel.CelValues.Quantity;
import dev.sro.core.cel.CelValues.Url;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The Kubernetes extensions for quantities, URLs and IP addresses. */
final class CelKubernetes {
    private CelKubernetes() {}

    static @Nullable Object call(String name, List<@Nullable Object> args) {
        if (name.equals("semver") || name.equals("isSemver")) {
            return CelSemver.call(name, args);
        }
        if (args.size() != 1 || !(args.get(0) instanceof String text)) {
            throw CelException.noOverload();
        }
        return switch (name) {
            case "quantity" ->
                new Quantity(CelQuantity.value(text)
                        .orElseThrow(() -> new CelException("quantities must match the regular expression"
                                + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")));
            case "isQuantity" -> CelQuantity.value(text).isPresent();
            case "url" -> url(text);
            case "isURL" -> isUrl(text);
            default -> CelNetwork.call(name, text);
        };
    }

    static @Nullable Object method(String name, List<@Nullable Object> args) {
        Object target = args.get(0);
        if (target instanceof Quantity quantity) {
            return quantity(name, quantity.value(), args);
        }
        if (target instanceof CelSemver version) {
            return version.method(name, args);
        }
        if (target instanceof Url url) {
            return part(name, url.uri());
        }
        return CelNetwork.method(name, args);
    }

    private static Object quantity(String name, BigDecimal value, List<@Nullable Object> args) {
        BigDecimal other = BigDecimal.ZERO;
        if (args.size() > 1) {
            other = args.get(1) instanceof Quantity q
                    ? q.value()
                    : args.get(1) instanceof Long n ? BigDecimal.valueOf(n) : BigDecimal.ZERO;
        }
        boolean whole = value.stripTrailingZeros().scale() <= 0;
        return switch (name) {
            case "sign" -> (long) value.signum();
            case "isInteger" -> whole;
            case "asInteger" -> {
                if (!whole) {
                    throw new CelException("cannot convert value to integer");
                }
                yield value.longValueExact();
            }
            case "asApproximateFloat" -> value.doubleValue();
            case "isGreaterThan" -> value.compareTo(other) > 0;
            case "isLessThan" -> value.compareTo(other) < 0;
            case "compareTo" -> (long) value.compareTo(other);
            case "add" -> new Quantity(value.add(other));
            case "sub" -> new Quantity(value.subtract(other));
            default -> throw CelException.noOverload();
        };
    }

    private static boolean isUrl(String text) {
        try {
            URI uri = new URI(text);
            return uri.isAbsolute() || text.startsWith("/");
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static Url url(String text) {
        try {
            if (isUrl(text)) {
                return new Url(new URI(text));
            }
        } catch (URISyntaxException e) {
            throw new CelException("URL parse error during conversion from string: " + e.getMessage());
        }
        throw new CelException(
                "URL parse error during conversion from string: parse \"" + text + "\": invalid URI for request");
    }

    private static Object part(String name, URI uri) {
        String host = uri.getHost() == null ? "" : uri.getHost();
        return switch (name) {
            case "getScheme" -> uri.getScheme() == null ? "" : uri.getScheme();
            case "getHost" -> uri.getPort() < 0 ? host : host + ":" + uri.getPort();
            case "getHostname" -> host;
            case "getPort" -> uri.getPort() < 0 ? "" : String.valueOf(uri.getPort());
            case "getEscapedPath" -> uri.getRawPath() == null ? "" : uri.getRawPath();
            case "getQuery" -> query(uri.getQuery());
            default -> throw CelException.noOverload();
        };
    }

    private static Map<Object, List<@Nullable Object>> query(@Nullable String query) {
        Map<Object, List<@Nullable Object>> out = new LinkedHashMap<>();
        if (query != null) {
            for (String pair : query.split("&")) {
                int equals = pair.indexOf('=');
                String key = equals < 0 ? pair : pair.substring(0, equals);
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                out.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
            }
        }
        return out;
    }
}
