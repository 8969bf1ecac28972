package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A label selector: a conjunction of requirements. Immutable.
 *
 * @param requirements all of them must hold; none matches everything
 */
public record LabelSelector(List<Requirement> requirements) {
    /** How a requirement compares. */
    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GREATER,
        LESS
    }

    /** One requirement on one label. */
    public record Requirement(String key, Operator operator, Set<String> values) {
        public Requirement {
            values = Collections.unmodifiableSet(new LinkedHashSet<>(values));
        }

        boolean matches(JsonNode labels) {
            JsonNode value = labels.get(key);
            boolean there = value != null;
            return switch (operator) {
                case IN -> there && values.contains(value.asText());
                case NOT_IN -> !there || !values.contains(value.asText());
                case EXISTS -> there;
                case DOES_NOT_EXIST -> !there;
                case GREATER, LESS -> there && compare(value.asText());
            };
        }

        private boolean compare(String value) {
            try {
                int byNumber = Long.compare(
                        Long.parseLong(value), Long.parseLong(values.iterator().next()));
                return operator == Operator.GREATER ? byNumber > 0 : byNumber < 0;
            } catch (NumberFormatException notANumber) {
                return false;
            }
        }

        @Override
        public String toString() {
            return switch (operator) {
                case EXISTS -> key;
                case DOES_NOT_EXIST -> "!" + key;
                case GREATER -> key + ">" + values.iterator().next();
                case LESS -> key + "<" + values.iterator().next();
                case IN, NOT_IN -> {
                    String list = values.stream().sorted().collect(Collectors.joining(","));
                    yield key + (operator == Operator.IN ? " in (" : " notin (") + list + ")";
                }
            };
        }
    }

    private static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    /** Matches every object. */
    public static LabelSelector everything() {
        return EVERYTHING;
    }

    /** Matches objects with this label. */
    public static LabelSelector equal(String key, String value) {
        return new LabelSelector(List.of(new Requirement(key, Operator.IN, Set.of(value))));
    }

    /** Matches objects with all these labels. */
    public static LabelSelector equal(Map<String, String> labels) {
        List<Requirement> all = new ArrayList<>();
        labels.forEach((k, v) -> all.add(new Requirement(k, Operator.IN, Set.of(v))));
        return new LabelSelector(all);
    }

    /**
     * Parses the text form of query parameters: {@code a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1,m<3}.
     *
     * @throws IllegalArgumentException with the API's own message
     */
    public static LabelSelector parse(String text) {
        return text.isBlank() ? EVERYTHING : new LabelSelector(new LabelSelectorParser(text).parse());
    }

    /** Reads the object form: {@code matchLabels} and {@code matchExpressions}. A missing node matches everything. */
    public static LabelSelector of(JsonNode selector) {
        List<Requirement> all = new ArrayList<>();
        selector.path("matchLabels")
                .properties()
                .forEach(e -> all.add(new Requirement(
                        e.getKey(), Operator.IN, Set.of(e.getValue().asText()))));
        for (JsonNode expression : selector.path("matchExpressions")) {
            Set<String> values = new LinkedHashSet<>();
            expression.path("values").forEach(v -> values.add(v.asText()));
            all.add(new Requirement(
                    expression.path("key").asText(),
                    operator(expression.path("operator").asText()),
                    values));
        }
        return all.isEmpty() ? EVERYTHING : new LabelSelector(all);
    }

    private static Operator operator(String name) {
        return switch (name) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            default -> throw new IllegalArgumentException("\"" + name + "\" is not a valid label selector operator");
        };
    }

    /** Whether labels (an object of strings; missing or null counts as none) satisfy every requirement. */
    public boolean matches(JsonNode labels) {
        for (Requirement requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the labels of this object match. */
    public boolean matchesObject(JsonNode object) {
        return requirements.isEmpty() || matches(object.path("metadata").path("labels"));
    }

    @Override
    public String toString() {
        return requirements.stream().map(Requirement::toString).collect(Collectors.joining(","));
    }
}
