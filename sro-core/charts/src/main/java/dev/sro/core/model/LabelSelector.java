package dev.sro.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A label selector as kubectl has it: {@code a=b,c!=d,e in (x,y),f notin (z),g,!h}. Immutable. */
public final class LabelSelector {

    private static final String KEY = "[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?";
    private static final Pattern EQUALS = Pattern.compile("(" + KEY + ")\\s*(==|=|!=)\\s*([-A-Za-z0-9_.]*)");
    private static final Pattern SET = Pattern.compile("(" + KEY + ")\\s+(in|notin)\\s*\\(([-A-Za-z0-9_., ]*)\\)");
    private static final Pattern EXISTS = Pattern.compile("(!?)\\s*(" + KEY + ")");

    private static final int VALUE = 4;

    private record Term(String key, boolean wanted, Set<String> values, boolean any) {
        boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            return any ? (value != null) == wanted : (value != null && values.contains(value)) == wanted;
        }
    }

    private final List<Term> terms;

    private LabelSelector(List<Term> terms) {
        this.terms = List.copyOf(terms);
    }

    /**
     * Reads a selector; an empty one matches everything.
     *
     * @param field where it is from, for messages
     * @throws IllegalArgumentException if it is none
     */
    public static LabelSelector parse(String field, String text) {
        List<Term> terms = new ArrayList<>();
        for (String part : text.strip().split(",(?![^(]*\\))", -1)) {
            String term = part.strip();
            if (!term.isEmpty()) {
                terms.add(term(field, term));
            } else if (!text.isBlank()) {
                throw broken(field, text);
            }
        }
        return new LabelSelector(terms);
    }

    private static Term term(String field, String text) {
        Matcher equal = EQUALS.matcher(text);
        if (equal.matches()) {
            return new Term(equal.group(1), !equal.group(3).equals("!="), Set.of(equal.group(VALUE)), false);
        }
        Matcher set = SET.matcher(text);
        if (set.matches()) {
            Set<String> values = Set.copyOf(List.of(set.group(VALUE).strip().split("\\s*,\\s*", -1)));
            return new Term(set.group(1), set.group(3).equals("in"), values, false);
        }
        Matcher exists = EXISTS.matcher(text);
        if (exists.matches()) {
            return new Term(exists.group(2), exists.group(1).isEmpty(), Set.of(), true);
        }
        throw broken(field, text);
    }

    private static IllegalArgumentException broken(String field, String text) {
        return new IllegalArgumentException(
                field + ": \"" + text + "\" is no label selector; write it as for kubectl, for example app=trainer");
    }

    /** Whether labels are selected. */
    public boolean matches(Map<String, String> labels) {
        return terms.stream().allMatch(term -> term.matches(labels));
    }

    /** Keys of the labels that it looks at. */
    public Set<String> keys() {
        return terms.stream().map(Term::key).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether it selects everything. */
    public boolean isEmpty() {
        return terms.isEmpty();
    }
}
