package dev.sro.core.recipe.source;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A semantic version as Helm reads it: a v in front is fine, and so are a missing minor and patch. Immutable.
 *
 * @param pre what follows the hyphen; empty for a release
 */
record ChartVersion(long major, long minor, long patch, String pre) {

    private static final String WORDS = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";

    private static final Pattern SYNTAX = Pattern.compile(
            "v?(\\d{1,18})(?:\\.(\\d{1,18}))?(?:\\.(\\d{1,18}))?" + "(?:-(" + WORDS + "))?" + "(?:\\+" + WORDS + ")?");

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** By precedence: a pre-release comes before its release, and build metadata is of no consequence. */
    static final Comparator<ChartVersion> ORDER = Comparator.comparingLong(ChartVersion::major)
            .thenComparingLong(ChartVersion::minor)
            .thenComparingLong(ChartVersion::patch)
            .thenComparing(ChartVersion::pre, ChartVersion::comparePre);

    /** The version in the text; empty if it is none. */
    static Optional<ChartVersion> parse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String pre = matcher.group(4) == null ? "" : matcher.group(4);
        for (String part : pre.split("\\.", -1)) {
            if (part.length() > 1 && part.startsWith("0") && isNumber(part)) {
                return Optional.empty();
            }
        }
        return Optional.of(new ChartVersion(
                Long.parseLong(matcher.group(1)), number(matcher.group(2)), number(matcher.group(3)), pre));
    }

    boolean isBefore(ChartVersion other) {
        return ORDER.compare(this, other) < 0;
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static boolean isNumber(String part) {
        return NUMBER.matcher(part).matches();
    }

    private static int comparePre(String one, String other) {
        if (one.isEmpty() || other.isEmpty()) {
            // The release, which has none, is the newer one.
            return Boolean.compare(one.isEmpty(), other.isEmpty());
        }
        String[] left = one.split("\\.", -1);
        String[] right = other.split("\\.", -1);
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            int order = comparePart(left[i], right[i]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.length, right.length);
    }

    private static int comparePart(String one, String other) {
        if (isNumber(one) && isNumber(other)) {
            return new BigInteger(one).compareTo(new BigInteger(other));
        }
        if (isNumber(one) || isNumber(other)) {
            return isNumber(one) ? -1 : 1;
        }
        return one.compareTo(other);
    }
}
