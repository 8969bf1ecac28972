package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.core.recipe.chart.ChartException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which versions of a chart somebody wants, in the language of Helm ({@code github.com/Masterminds/semver} 3.4): an exact
 * version, {@code >=1.2 <2}, {@code ^1.2}, {@code ~1.2}, {@code 1.x}, {@code 1.2 - 1.4}, {@code 1.2 || 2.x}. Pre-releases are
 * meant only where an alternative names one. Immutable.
 */
final class VersionConstraint {

    private static final String SEGMENT = "(\\d+|[xX*])";

    private static final String VERSION = "v?" + SEGMENT + "(?:\\." + SEGMENT + ")?(?:\\." + SEGMENT
            + ")?(-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?";

    private static final Pattern TERM =
            Pattern.compile("\\s*(>=|=>|<=|=<|!=|~>|=|>|<|~|\\^)?\\s*" + VERSION + "(\\s*,\\s*|\\s+|$)");

    private static final Pattern RANGE = Pattern.compile("(\\S+)\\s+-\\s+(\\S+)");

    /** What one alternative asks for, all of it. */
    private record Alternative(List<Term> terms, boolean withPre) {
        boolean admits(ChartVersion version) {
            return (withPre || version.pre().isEmpty()) && terms.stream().allMatch(term -> term.holds.test(version));
        }
    }

    private record Term(Predicate<ChartVersion> holds, boolean namesPre) {}

    /** How much of the version in a term is a number: the rest is left open. */
    private enum Given {
        NOTHING,
        MAJOR,
        MINOR,
        ALL
    }

    private final List<Alternative> alternatives;

    private VersionConstraint(List<Alternative> alternatives) {
        this.alternatives = alternatives;
    }

    /**
     * @param text empty for any release
     * @throws ChartException if it cannot be read
     */
    static VersionConstraint of(String text) {
        List<Alternative> alternatives = new ArrayList<>();
        for (String part : (text.isEmpty() ? "*" : text).split("\\|\\|", -1)) {
            String ranges = RANGE.matcher(part).replaceAll(">=$1 <=$2");
            List<Term> terms = terms(ranges);
            if (terms.isEmpty()) {
                throw new ChartException(Problem.user(
                        "InvalidChartReference",
                        "spec.chart.version: \"" + text + "\" is no version and no constraint on versions, such as"
                                + " 1.2.3, ^1.2, ~1.2.3, 1.x or \">=1.2 <2\""));
            }
            alternatives.add(new Alternative(terms, terms.stream().anyMatch(Term::namesPre)));
        }
        return new VersionConstraint(alternatives);
    }

    boolean admits(ChartVersion version) {
        return alternatives.stream().anyMatch(alternative -> alternative.admits(version));
    }

    /**
     * What Helm takes: the one with exactly this text, else the newest that the constraint admits.
     *
     * @param versionOf what has no semantic version is taken only by its text
     */
    static <T> Optional<T> choose(String wanted, Collection<T> all, Function<T, String> versionOf) {
        VersionConstraint constraint = of(wanted);
        Optional<T> exact =
                all.stream().filter(one -> versionOf.apply(one).equals(wanted)).findFirst();
        return exact.isPresent()
                ? exact
                : newestFirst(all, versionOf).stream()
                        .filter(one -> ChartVersion.parse(versionOf.apply(one))
                                .filter(constraint::admits)
                                .isPresent())
                        .findFirst();
    }

    /** Those with a semantic version, by precedence; of equal ones the first stays the first. */
    static <T> List<T> newestFirst(Collection<T> all, Function<T, String> versionOf) {
        record Dated<T>(ChartVersion version, T one) {}
        return all.stream()
                .flatMap(
                        one -> ChartVersion.parse(versionOf.apply(one)).stream().map(v -> new Dated<>(v, one)))
                .sorted(Comparator.comparing((Dated<T> dated) -> dated.version, ChartVersion.ORDER.reversed()))
                .map(Dated::one)
                .toList();
    }

    /** Empty if the text cannot be read. */
    private static List<Term> terms(String text) {
        List<Term> terms = new ArrayList<>();
        Matcher matcher = TERM.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                return List.of();
            }
            Optional<Term> term = term(matcher);
            if (term.isEmpty()) {
                return List.of();
            }
            terms.add(term.get());
            at = matcher.end();
            if (at == text.length() && matcher.group(6).contains(",")) {
                return List.of();
            }
        }
        return terms;
    }

    private static Optional<Term> term(Matcher matcher) {
        Given given = given(matcher);
        String pre = matcher.group(5) == null ? "" : matcher.group(5);
        String version = (given.compareTo(Given.MAJOR) >= 0 ? matcher.group(2) : "0")
                + "." + (given.compareTo(Given.MINOR) >= 0 ? matcher.group(3) : "0")
                + "." + (given == Given.ALL ? matcher.group(4) : "0")
                + pre;
        String operator = matcher.group(1) == null ? "=" : matcher.group(1);
        return ChartVersion.parse(version)
                .map(limit ->
                        new Term(holds(operator, limit, given), !limit.pre().isEmpty()));
    }

    private static Given given(Matcher matcher) {
        if (isOpen(matcher.group(2))) {
            return Given.NOTHING;
        }
        if (isOpen(matcher.group(3))) {
            return Given.MAJOR;
        }
        return isOpen(matcher.group(4)) ? Given.MINOR : Given.ALL;
    }

    private static boolean isOpen(@Nullable String segment) {
        return segment == null || !Character.isDigit(segment.charAt(0));
    }

    private static Predicate<ChartVersion> holds(String operator, ChartVersion limit, Given given) {
        Predicate<ChartVersion> atLeast = version -> !version.isBefore(limit);
        return switch (operator) {
            case ">=", "=>" -> atLeast;
            case "<" -> atLeast.negate();
            case ">" -> version -> isAfter(version, limit, given);
            case "<=", "=<" -> version -> !isBeyond(version, limit, given);
            case "!=" -> version -> !isSame(version, limit, given);
            case "^" -> atLeast.and(version -> isCompatible(version, limit, given));
            case "~", "~>" -> atLeast.and(version -> isSameMinor(version, limit, given));
            default ->
                given == Given.ALL
                        ? version -> ChartVersion.ORDER.compare(version, limit) == 0
                        : atLeast.and(version -> isSameMinor(version, limit, given));
        };
    }

    /** {@code >1} is from 2 on, {@code >1.2} from 1.3 on; {@code >*} is what is beyond 0, by its major version alone. */
    private static boolean isAfter(ChartVersion version, ChartVersion limit, Given given) {
        if (given == Given.ALL) {
            return limit.isBefore(version);
        }
        if (version.major() != limit.major() || given == Given.MAJOR) {
            return version.major() > limit.major();
        }
        return given == Given.MINOR ? version.minor() > limit.minor() : limit.isBefore(version);
    }

    /** {@code <=1} is all of 1, {@code <=1.2} all of 1.2. */
    private static boolean isBeyond(ChartVersion version, ChartVersion limit, Given given) {
        if (given == Given.ALL) {
            return limit.isBefore(version);
        }
        return version.major() > limit.major()
                || (version.major() == limit.major() && version.minor() > limit.minor() && given != Given.MAJOR);
    }

    private static boolean isSame(ChartVersion version, ChartVersion limit, Given given) {
        if (given == Given.ALL || given == Given.NOTHING) {
            return ChartVersion.ORDER.compare(version, limit) == 0;
        }
        if (version.major() != limit.major() || given == Given.MAJOR) {
            return version.major() == limit.major();
        }
        return version.minor() == limit.minor() && version.pre().equals(limit.pre());
    }

    private static boolean isSameMinor(ChartVersion version, ChartVersion limit, Given given) {
        // Helm reads ~0.0.0 as any version, too.
        boolean any = given == Given.NOTHING
                || (given == Given.ALL && limit.major() == 0 && limit.minor() == 0 && limit.patch() == 0);
        return any || (version.major() == limit.major() && (given == Given.MAJOR || version.minor() == limit.minor()));
    }

    /** What is left of the first number that is not 0 stays. */
    private static boolean isCompatible(ChartVersion version, ChartVersion limit, Given given) {
        if (version.major() != limit.major() || limit.major() > 0 || given == Given.MAJOR) {
            return version.major() == limit.major();
        }
        if (version.minor() != limit.minor() || limit.minor() > 0 || given == Given.MINOR) {
            return version.minor() == limit.minor();
        }
        return version.patch() == limit.patch();
    }
}
