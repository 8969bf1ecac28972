package dev.sro.api;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A match expression of a {@code NodeFeatureRule} ({@code nfd.k8s-sigs.io/v1alpha1}), with the meaning that Node Feature Discovery gives
 * it. Immutable.
 *
 * @param op what is asked
 * @param values what it is compared with; how many there are depends on {@code op}
 * @param type how values of order are compared
 * @since 0.1.0
 */
public record FeatureExpression(Op op, List<String> values, Type type) {

    /** The operators, by the names in rules. */
    public enum Op {
        /** One of the values. */
        In(1, Integer.MAX_VALUE),
        /** There, and none of the values. */
        NotIn(1, Integer.MAX_VALUE),
        /** There is a match of one of the regular expressions in it; they are those of Java, which has all that NFD's (RE2) have. */
        InRegexp(1, Integer.MAX_VALUE),
        /** It is there. */
        Exists(0, 0),
        /** It is not there. */
        DoesNotExist(0, 0),
        /** More than the value. */
        Gt(1, 1),
        /** At least the value. */
        Ge(1, 1),
        /** Less than the value. */
        Lt(1, 1),
        /** At most the value. */
        Le(1, 1),
        /** Between the two values. */
        GtLt(2, 2),
        /** Between the two values, or one of them. */
        GeLe(2, 2),
        /** {@code true}. */
        IsTrue(0, 0),
        /** {@code false}. */
        IsFalse(0, 0);

        private final int least;
        private final int most;

        Op(int least, int most) {
            this.least = least;
            this.most = most;
        }
    }

    /** The comparison of ordered values. */
    public enum Type {
        /** As whole numbers. */
        NUMBER,
        /** As versions: numbers between dots; what follows a dash or a plus is left out. */
        VERSION
    }

    /**
     * Checks the number of values, that they can be compared, and that regular expressions are some.
     *
     * @throws IllegalArgumentException saying which value is wrong
     */
    public FeatureExpression {
        values = List.copyOf(values);
        if (values.size() < op.least || values.size() > op.most) {
            throw new IllegalArgumentException("operator " + op + " cannot have " + values.size() + " values");
        }
        switch (op) {
            case Gt, Ge, Lt, Le, GtLt, GeLe -> {
                List<Order> orders = values.stream()
                        .map(value -> order(value, type)
                                .orElseThrow(() -> new IllegalArgumentException(
                                        "value \"" + value + "\" of " + op + " is no " + word(type))))
                        .toList();
                if (orders.size() == 2 && orders.get(0).compareTo(orders.get(1)) >= 0) {
                    throw new IllegalArgumentException(
                            "values of " + op + " must rise: " + values.get(0) + ", " + values.get(1));
                }
            }
            case InRegexp -> values.forEach(Pattern::compile);
            default -> {
                // Any text will do.
            }
        }
    }

    /** One that compares numbers, if it compares. */
    public static FeatureExpression of(Op op, String... values) {
        return new FeatureExpression(op, List.of(values), Type.NUMBER);
    }

    /**
     * Whether a feature of a node matches, for a {@link DeviceMatcher}.
     *
     * @param feature its key after {@code feature.node.kubernetes.io/}: {@code pci-10de.present}, {@code kernel-version.major}. The
     *     node's label counts, or else what Node Feature Discovery says of it otherwise
     */
    public boolean matches(NodeFacts node, String feature) {
        String key = "feature.node.kubernetes.io/" + feature;
        String label = node.labels().get(key);
        return matches(Optional.ofNullable(label == null ? node.features().get(key) : label));
    }

    /** The verdict on an element of this name, which may be missing. */
    public boolean matches(String name, Map<String, String> elements) {
        return matches(Optional.ofNullable(elements.get(name)));
    }

    /**
     * Whether a value matches. Only {@link Op#DoesNotExist} matches one that is missing; one that has to be compared and cannot be
     * does not match.
     */
    public boolean matches(Optional<String> element) {
        if (element.isEmpty()) {
            return op == Op.DoesNotExist;
        }
        String value = element.get();
        return switch (op) {
            case Exists -> true;
            case DoesNotExist -> false;
            case In -> values.contains(value);
            case NotIn -> !values.contains(value);
            case InRegexp ->
                values.stream()
                        .anyMatch(each -> Pattern.compile(each).matcher(value).find());
            case IsTrue -> value.equals("true");
            case IsFalse -> value.equals("false");
            case Gt -> compared(value, 0) > 0;
            case Ge -> compared(value, 0) >= 0;
            case Lt -> order(value, type).isPresent() && compared(value, 0) < 0;
            case Le -> order(value, type).isPresent() && compared(value, 0) <= 0;
            case GtLt -> compared(value, 0) > 0 && compared(value, 1) < 0;
            case GeLe -> compared(value, 0) >= 0 && compared(value, 1) <= 0;
        };
    }

    /** The order of the value against one of ours; less than any when it cannot be compared. */
    private int compared(String value, int index) {
        Optional<Order> mine = order(values.get(index), type);
        Optional<Order> other = order(value, type);
        return mine.isEmpty() || other.isEmpty() ? -1 : other.get().compareTo(mine.get());
    }

    private static String word(Type type) {
        return type == Type.NUMBER ? "whole number" : "version";
    }

    private static final Pattern NUMBER = Pattern.compile("[-+]?\\d{1,19}");
    private static final Pattern VERSION = Pattern.compile("v?(\\d{1,19}(?:\\.\\d{1,19})*)(?:[-+].*)?");

    private static Optional<Order> order(String text, Type type) {
        if (type == Type.NUMBER) {
            return NUMBER.matcher(text).matches()
                    ? Optional.of(new Order(List.of(new BigInteger(text))))
                    : Optional.empty();
        }
        Matcher matcher = VERSION.matcher(text);
        return matcher.matches()
                ? Optional.of(new Order(Arrays.stream(matcher.group(1).split("\\.", -1))
                        .map(BigInteger::new)
                        .toList()))
                : Optional.empty();
    }

    /** Numbers, the first of which counts most; those that are missing are zero. */
    private record Order(List<BigInteger> parts) implements Comparable<Order> {
        @Override
        public int compareTo(Order other) {
            for (int i = 0; i < Math.max(parts.size(), other.parts.size()); i++) {
                int order = at(i).compareTo(other.at(i));
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        }

        private BigInteger at(int index) {
            return index < parts.size() ? parts.get(index) : BigInteger.ZERO;
        }
    }
}
