package dev.sro.testkit.monitoring;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What a PromQL expression reads: the metrics, and which of their labels it counts on. It understands the structure of the
 * language, not its types: whether Prometheus accepts an expression is for {@link Promtool} to say. Immutable.
 */
public final class PromQuery {

    private static final Set<String> WORDS =
            Set.of("and", "or", "unless", "atan2", "bool", "offset", "start", "end", "inf", "nan");

    private final String text;
    private final List<PromToken> tokens;
    private final List<MetricUse> found = new ArrayList<>();
    private final Set<String> added = new LinkedHashSet<>();

    /**
     * A metric in an expression.
     *
     * @param metric its name
     * @param labels those that it is selected by, those that it is grouped by, and those that it is matched by with what is on the
     *     other side of an operator
     */
    public record Use(String metric, Set<String> labels) {

        /** Copies the labels. */
        public Use {
            labels = Set.copyOf(labels);
        }
    }

    /** A {@link Use} in the making. */
    private record MetricUse(String metric, Set<String> labels) {}

    private PromQuery(String text) {
        this.text = text;
        this.tokens = PromToken.of(text);
    }

    /**
     * Reads an expression.
     *
     * @throws IllegalArgumentException when it is not PromQL, with the place
     */
    public static PromQuery of(String expression) {
        PromQuery query = new PromQuery(expression);
        query.read(0, query.tokens.size(), Set.of());
        return query;
    }

    /** Metrics in the order of the text; one that is named twice is there twice. */
    public List<Use> uses() {
        return found.stream().map(use -> new Use(use.metric(), use.labels())).toList();
    }

    /** Labels that the expression itself brings in: by {@code group_left}, {@code label_replace} and the like. */
    public Set<String> addedLabels() {
        return Set.copyOf(added);
    }

    private void read(int from, int to, Set<String> groups) {
        int at = from;
        int left = found.size();
        Set<String> matched = new LinkedHashSet<>();
        while (at < to) {
            PromToken token = tokens.get(at);
            int before = found.size();
            if (token.isName("on") && isAt(at + 1, "(")) {
                at = labels(at + 1, matched);
                found.subList(left, before).forEach(use -> use.labels().addAll(matched));
                continue;
            }
            at = part(at, groups);
            if (found.size() > before) {
                found.subList(before, found.size()).forEach(use -> use.labels().addAll(matched));
                matched.clear();
                left = before;
            }
        }
    }

    private int part(int at, Set<String> groups) {
        PromToken token = tokens.get(at);
        if (token.is("[")) {
            return close(at, "[", "]") + 1;
        }
        if (token.is("{")) {
            return selector("", at, groups);
        }
        if (token.is("(")) {
            int end = close(at, "(", ")");
            read(at + 1, end, groups);
            return end + 1;
        }
        return token.kind() == PromToken.Kind.NAME ? name(at, groups) : at + 1;
    }

    private int name(int at, Set<String> groups) {
        PromToken token = tokens.get(at);
        if (token.isName("ignoring") && isAt(at + 1, "(")) {
            return labels(at + 1, new LinkedHashSet<>());
        }
        if (token.isName("group_left", "group_right")) {
            return isAt(at + 1, "(") ? labels(at + 1, added) : at + 1;
        }
        if (isGrouping(at + 1)) {
            Set<String> own = new LinkedHashSet<>(groups);
            int argument = labels(at + 2, tokens.get(at + 1).isName("by") ? own : new LinkedHashSet<>());
            int end = close(argument, "(", ")");
            read(argument + 1, end, own);
            return end + 1;
        }
        if (isAt(at + 1, "(")) {
            return call(at, groups);
        }
        if (WORDS.contains(token.text().toLowerCase(Locale.ROOT))) {
            return at + 1;
        }
        if (isAt(at + 1, "{")) {
            return selector(token.text(), at + 1, groups);
        }
        found.add(new MetricUse(token.text(), new LinkedHashSet<>(groups)));
        return at + 1;
    }

    /** A function, or an aggregation whose labels may come after it. */
    private int call(int at, Set<String> groups) {
        int end = close(at + 1, "(", ")");
        if (tokens.get(at).isName("label_replace", "label_join", "count_values")) {
            tokens.subList(at, end).stream()
                    .filter(token -> token.kind() == PromToken.Kind.STRING)
                    .findFirst()
                    .ifPresent(token -> added.add(token.text()));
        }
        Set<String> own = new LinkedHashSet<>(groups);
        int next = end + 1;
        if (isGrouping(next)) {
            next = labels(next + 1, tokens.get(next).isName("by") ? own : new LinkedHashSet<>());
        }
        read(at + 2, end, own);
        return next;
    }

    private boolean isGrouping(int at) {
        return at + 1 < tokens.size() && tokens.get(at).isName("by", "without") && isAt(at + 1, "(");
    }

    private boolean isAt(int at, String symbol) {
        return at < tokens.size() && tokens.get(at).is(symbol);
    }

    /** Puts the names of a list in parentheses into a set; returns what comes after it. */
    private int labels(int open, Set<String> into) {
        int end = close(open, "(", ")");
        tokens.subList(open, end).stream()
                .filter(token -> token.kind() == PromToken.Kind.NAME)
                .forEach(token -> into.add(token.text()));
        return end + 1;
    }

    private int selector(String name, int open, Set<String> groups) {
        int end = close(open, "{", "}");
        String metric = name;
        Set<String> labels = new LinkedHashSet<>(groups);
        for (int at = open + 1; at < end; at++) {
            PromToken token = tokens.get(at);
            boolean first = tokens.get(at - 1).is("{") || tokens.get(at - 1).is(",");
            if (token.kind() == PromToken.Kind.NAME && token.text().equals("__name__")) {
                metric = tokens.get(end - 1).kind() == PromToken.Kind.STRING ? valueAfter(at, end) : metric;
            } else if (token.kind() == PromToken.Kind.NAME && first) {
                labels.add(token.text());
            }
        }
        if (metric.isEmpty()) {
            throw new IllegalArgumentException(
                    "no metric is named at " + tokens.get(open).at() + " of " + text);
        }
        found.add(new MetricUse(metric, labels));
        return end + 1;
    }

    private String valueAfter(int at, int end) {
        return tokens.subList(at, end).stream()
                .filter(token -> token.kind() == PromToken.Kind.STRING)
                .findFirst()
                .map(PromToken::text)
                .orElse("");
    }

    private int close(int open, String opening, String closing) {
        if (!isAt(open, opening)) {
            throw new IllegalArgumentException("a " + opening + " is missing in " + text);
        }
        int depth = 0;
        for (int at = open; at < tokens.size(); at++) {
            if (tokens.get(at).is(opening)) {
                depth++;
            } else if (tokens.get(at).is(closing) && --depth == 0) {
                return at;
            }
        }
        throw new IllegalArgumentException(
                "the " + opening + " at " + tokens.get(open).at() + " has no end in " + text);
    }
}
