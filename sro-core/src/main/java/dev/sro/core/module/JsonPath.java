package dev.sro.core.module;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * JSONPath as kubectl has it: {@code $.a.b}, {@code .a['b.c']}, {@code .a.b\.c}, {@code [0]}, {@code [-1]}, {@code [0:2]},
 * {@code [*]}, {@code .*}, {@code ..a} and {@code [?(@.name == "x")]}, with or without braces around it and {@code $} in front.
 * What is not there is no error and gives nothing. Immutable.
 */
public final class JsonPath {

    private interface Step {
        void apply(Object value, List<Object> found);
    }

    private final List<Step> steps;

    private JsonPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    /**
     * Reads a path.
     *
     * @throws IllegalArgumentException if it is none; the message names the place
     */
    public static JsonPath parse(String text) {
        String path = text.strip();
        if (path.startsWith("{") && path.endsWith("}")) {
            path = path.substring(1, path.length() - 1).strip();
        }
        return new JsonPath(new Parser(text, path).steps(false));
    }

    /** What the path leads to, in the order of the object; maps in the order of their keys. */
    public List<Object> find(Object root) {
        List<Object> values = List.of(root);
        for (Step step : steps) {
            List<Object> next = new ArrayList<>();
            values.forEach(value -> step.apply(value, next));
            values = next;
        }
        return values;
    }

    private static void add(List<Object> found, @Nullable Object value) {
        if (value != null) {
            found.add(value);
        }
    }

    private static void children(Object value, List<Object> found) {
        if (value instanceof Map<?, ?> map) {
            new TreeMap<Object, Object>(map).values().forEach(child -> add(found, child));
        } else if (value instanceof List<?> list) {
            list.forEach(child -> add(found, child));
        }
    }

    private static void descendants(Object value, List<Object> found) {
        found.add(value);
        List<Object> children = new ArrayList<>();
        children(value, children);
        children.forEach(child -> descendants(child, found));
    }

    private static void slice(Object value, List<Object> found, @Nullable Integer from, @Nullable Integer to) {
        if (value instanceof List<?> list) {
            int start = from == null ? 0 : from < 0 ? from + list.size() : from;
            int end = to == null ? list.size() : to < 0 ? to + list.size() : to;
            for (int i = Math.max(0, start); i < Math.min(end, list.size()); i++) {
                add(found, list.get(i));
            }
        }
    }

    private static boolean holds(String operator, List<Object> left, List<Object> right) {
        if (left.size() != 1 || right.size() != 1) {
            return operator.equals("!=") && left.size() != right.size();
        }
        Object a = left.get(0);
        Object b = right.get(0);
        boolean numbers = a instanceof Number && b instanceof Number;
        boolean comparable = numbers || (a instanceof String && b instanceof String);
        int order = numbers
                ? new BigDecimal(a.toString()).compareTo(new BigDecimal(b.toString()))
                : a.toString().compareTo(b.toString());
        boolean equal = comparable ? order == 0 : Objects.equals(a, b);
        return switch (operator) {
            case "==" -> equal;
            case "!=" -> !equal;
            case "<" -> comparable && order < 0;
            case "<=" -> comparable && order <= 0;
            case ">" -> comparable && order > 0;
            default -> comparable && order >= 0;
        };
    }

    /** For one use. */
    private static final class Parser {
        private final String whole;
        private final String text;
        private int at;

        Parser(String whole, String text) {
            this.whole = whole;
            this.text = text;
        }

        /** @param inFilter whether it is a part of a filter, which ends it */
        List<Step> steps(boolean inFilter) {
            List<Step> steps = new ArrayList<>();
            if (is('$') || is('@')) {
                at++;
            } else if (!inFilter && at < text.length() && !is('.') && !is('[')) {
                steps.add(child(name()));
            }
            while (at < text.length() && (is('.') || is('['))) {
                if (is('[')) {
                    steps.add(bracket());
                } else {
                    dot(steps);
                }
            }
            if (!inFilter && (at < text.length() || steps.isEmpty())) {
                throw wrong("a name, .name or [...] is expected");
            }
            return steps;
        }

        private void dot(List<Step> steps) {
            at++;
            if (is('.')) {
                at++;
                steps.add(JsonPath::descendants);
                if (is('[')) {
                    return;
                }
            }
            if (is('*')) {
                at++;
                steps.add(JsonPath::children);
            } else if (!is('[')) {
                steps.add(child(name()));
            }
        }

        private static Step child(String name) {
            return (value, found) -> {
                if (value instanceof Map<?, ?> map) {
                    add(found, map.get(name));
                }
            };
        }

        private String name() {
            StringBuilder name = new StringBuilder();
            while (at < text.length() && " .[]()=<>!,'\"".indexOf(text.charAt(at)) < 0) {
                if (is('\\') && at + 1 < text.length()) {
                    at++;
                }
                name.append(text.charAt(at++));
            }
            if (name.isEmpty()) {
                throw wrong("a name is expected");
            }
            return name.toString();
        }

        private Step bracket() {
            at++;
            blanks();
            if (is('?')) {
                return filter();
            }
            if (is('*')) {
                at++;
                close(']');
                return JsonPath::children;
            }
            if (is('\'') || is('"')) {
                List<String> names = new ArrayList<>(List.of(quoted()));
                for (blanks(); is(','); blanks()) {
                    at++;
                    blanks();
                    names.add(quoted());
                }
                close(']');
                return (value, found) -> names.forEach(name -> child(name).apply(value, found));
            }
            return numbers();
        }

        private Step numbers() {
            Integer from = is(':') ? null : number();
            blanks();
            if (!is(':')) {
                close(']');
                int index = from == null ? 0 : from;
                return (value, found) -> slice(value, found, index, index == -1 ? null : Integer.valueOf(index + 1));
            }
            at++;
            blanks();
            Integer to = is(']') ? null : number();
            close(']');
            return (value, found) -> slice(value, found, from, to);
        }

        private Integer number() {
            int start = at;
            if (is('-')) {
                at++;
            }
            while (at < text.length() && Character.isDigit(text.charAt(at))) {
                at++;
            }
            try {
                return Integer.valueOf(text.substring(start, at));
            } catch (NumberFormatException e) {
                throw wrong("a number, a name in quotes, * or ?(...) is expected");
            }
        }

        private Step filter() {
            at++;
            close('(');
            blanks();
            List<Step> path = steps(true);
            blanks();
            String operator = "";
            while (at < text.length() && "=<>!".indexOf(text.charAt(at)) >= 0) {
                operator += text.charAt(at++);
            }
            if (!List.of("", "==", "!=", "<", "<=", ">", ">=").contains(operator)) {
                throw wrong("\"" + operator + "\" is no comparison");
            }
            blanks();
            Object literal = operator.isEmpty() ? "" : literal();
            close(')');
            close(']');
            JsonPath left = new JsonPath(path);
            String compared = operator;
            return (value, found) -> {
                if (value instanceof List<?> list) {
                    for (Object item : list) {
                        List<Object> values = item == null ? List.of() : left.find(item);
                        if (compared.isEmpty() ? !values.isEmpty() : holds(compared, values, List.of(literal))) {
                            add(found, item);
                        }
                    }
                }
            };
        }

        private Object literal() {
            if (is('\'') || is('"')) {
                return quoted();
            }
            int start = at;
            while (at < text.length() && " )".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String word = text.substring(start, at);
            if (word.equals("true") || word.equals("false")) {
                return word.equals("true");
            }
            try {
                return new BigDecimal(word);
            } catch (NumberFormatException e) {
                throw wrong("\"" + word + "\" is neither a number nor in quotes");
            }
        }

        private String quoted() {
            if (!is('\'') && !is('"')) {
                throw wrong("a name in quotes is expected");
            }
            char quote = text.charAt(at++);
            StringBuilder result = new StringBuilder();
            while (at < text.length() && !is(quote)) {
                if (is('\\') && at + 1 < text.length()) {
                    at++;
                }
                result.append(text.charAt(at++));
            }
            if (at >= text.length()) {
                throw wrong("the text does not end");
            }
            at++;
            return result.toString();
        }

        private void close(char wanted) {
            blanks();
            if (!is(wanted)) {
                throw wrong("'" + wanted + "' is expected");
            }
            at++;
        }

        private void blanks() {
            while (is(' ')) {
                at++;
            }
        }

        private boolean is(char c) {
            return at < text.length() && text.charAt(at) == c;
        }

        private IllegalArgumentException wrong(String why) {
            return new IllegalArgumentException("\"" + whole + "\" is no JSONPath: " + why + " before \""
                    + text.substring(Math.min(at, text.length())) + "\"");
        }
    }
}
