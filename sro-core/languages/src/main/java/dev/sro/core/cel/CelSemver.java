package dev.sro.core.cel;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A semantic version (semver.org 2.0.0), as the Kubernetes extension of the language has it. Build metadata do not count in
 * comparisons. Immutable.
 *
 * @param pre what follows the hyphen, part by part; empty for a release
 */
public record CelSemver(BigInteger major, BigInteger minor, BigInteger patch, List<String> pre)
        implements Comparable<CelSemver> {
    private static final String PRE = "(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
    private static final Pattern STRICT = Pattern.compile("(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)" + "(?:-("
            + PRE + "(?:\\." + PRE + ")*))?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?");
    private static final Pattern LAX = Pattern.compile("v?(\\d+)(\\.\\d+)?(\\.\\d+)?([-+].*)?", Pattern.DOTALL);

    /** Keeps the parts. */
    public CelSemver {
        pre = List.copyOf(pre);
    }

    /** The version that a text names; empty if it names none. */
    public static Optional<CelSemver> parse(String text) {
        Matcher m = STRICT.matcher(text);
        if (!m.matches()) {
            return Optional.empty();
        }
        List<String> pre = m.group(4) == null ? List.of() : List.of(m.group(4).split("\\.", -1));
        return Optional.of(
                new CelSemver(new BigInteger(m.group(1)), new BigInteger(m.group(2)), new BigInteger(m.group(3)), pre));
    }

    /** The text in strict form: without a leading v and leading zeros, with all three numbers. */
    private static String normalized(String text) {
        Matcher m = LAX.matcher(text);
        if (!m.matches()) {
            return text;
        }
        StringBuilder out = new StringBuilder(number(m.group(1)));
        for (int i = 2; i <= 3; i++) {
            out.append('.').append(m.group(i) == null ? "0" : number(m.group(i).substring(1)));
        }
        return out.append(m.group(4) == null ? "" : m.group(4)).toString();
    }

    private static String number(String digits) {
        return new BigInteger(digits).toString();
    }

    /** {@code semver} and {@code isSemver}, of a text and whether it may be written laxly. */
    static Object call(String name, List<@Nullable Object> args) {
        if (args.isEmpty() || args.size() > 2 || !(args.get(0) instanceof String text)) {
            throw CelException.noOverload();
        }
        boolean lax = args.size() == 2 && Boolean.TRUE.equals(args.get(1));
        Optional<CelSemver> version = parse(lax ? normalized(text) : text);
        if (name.equals("isSemver")) {
            return version.isPresent();
        }
        return version.orElseThrow(() -> new CelException("No Major.Minor.Patch elements found"));
    }

    /** Its methods; the first argument is the version itself. */
    Object method(String name, List<@Nullable Object> args) {
        List<String> parts = List.of("major", "minor", "patch");
        if (parts.contains(name)) {
            return List.of(major, minor, patch).get(parts.indexOf(name)).longValueExact();
        }
        if (args.size() != 2 || !(args.get(1) instanceof CelSemver other)) {
            throw CelException.noOverload();
        }
        return switch (name) {
            case "isGreaterThan" -> compareTo(other) > 0;
            case "isLessThan" -> compareTo(other) < 0;
            case "compareTo" -> (long) compareTo(other);
            default -> throw CelException.noOverload();
        };
    }

    @Override
    public int compareTo(CelSemver other) {
        int order = major.compareTo(other.major);
        order = order != 0 ? order : minor.compareTo(other.minor);
        order = order != 0 ? order : patch.compareTo(other.patch);
        if (order != 0 || (pre.isEmpty() && other.pre.isEmpty())) {
            return Integer.signum(order);
        }
        if (pre.isEmpty() || other.pre.isEmpty()) {
            return pre.isEmpty() ? 1 : -1;
        }
        for (int i = 0; i < Math.min(pre.size(), other.pre.size()); i++) {
            order = part(pre.get(i), other.pre.get(i));
            if (order != 0) {
                return Integer.signum(order);
            }
        }
        return Integer.compare(pre.size(), other.pre.size());
    }

    private static int part(String a, String b) {
        boolean left = a.matches("\\d+");
        boolean right = b.matches("\\d+");
        if (left && right) {
            return new BigInteger(a).compareTo(new BigInteger(b));
        }
        return left == right ? a.compareTo(b) : left ? -1 : 1;
    }
}
