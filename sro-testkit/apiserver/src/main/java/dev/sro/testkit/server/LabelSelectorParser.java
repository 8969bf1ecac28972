package dev.sro.testkit.server;

import dev.sro.testkit.server.LabelSelector.Operator;
import dev.sro.testkit.server.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads the text form of a label selector; the messages are those of the API server, since clients show them. */
final class LabelSelectorParser {
    private static final String SPECIAL = "()!,=<>";

    private final String text;
    private int at;
    private String token = "";

    LabelSelectorParser(String text) {
        this.text = text;
        next();
    }

    List<Requirement> parse() {
        List<Requirement> all = new ArrayList<>();
        while (true) {
            if (token.isEmpty()) {
                return all;
            }
            if (!isIdentifier() && !token.equals("!")) {
                throw new IllegalArgumentException(
                        "found '" + token + "', expected: !, identifier, or 'end of string'");
            }
            try {
                all.add(requirement());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("unable to parse requirement: " + e.getMessage(), e);
            }
            if (token.isEmpty()) {
                return all;
            }
            if (!token.equals(",")) {
                throw new IllegalArgumentException("found '" + token + "', expected: ',' or 'end of string'");
            }
            next();
            if (!isIdentifier() && !token.equals("!")) {
                throw new IllegalArgumentException("found '" + token + "', expected: identifier after ','");
            }
        }
    }

    private Requirement requirement() {
        boolean negated = token.equals("!");
        if (negated) {
            next();
        }
        if (!isIdentifier()) {
            throw new IllegalArgumentException("found '" + token + "', expected: identifier");
        }
        String key = token;
        Labels.requireKey(key);
        next();
        if (negated) {
            return new Requirement(key, Operator.DOES_NOT_EXIST, Set.of());
        }
        if (token.isEmpty() || token.equals(",")) {
            return new Requirement(key, Operator.EXISTS, Set.of());
        }
        return comparison(key);
    }

    private Requirement comparison(String key) {
        String operator = token;
        return switch (operator) {
            case "in", "notin" -> {
                next();
                Operator op = operator.equals("in") ? Operator.IN : Operator.NOT_IN;
                yield new Requirement(key, op, checked(key, values()));
            }
            case "=", "==", "!=" -> {
                next();
                Operator op = operator.equals("!=") ? Operator.NOT_IN : Operator.IN;
                yield new Requirement(key, op, checked(key, exactValue()));
            }
            case ">", "<" -> {
                next();
                Set<String> number = exactValue();
                requireInteger(number.iterator().next());
                yield new Requirement(key, operator.equals(">") ? Operator.GREATER : Operator.LESS, number);
            }
            default ->
                throw new IllegalArgumentException("found '" + operator + "', expected: in, notin, =, ==, !=, gt, lt");
        };
    }

    private static void requireInteger(String value) {
        try {
            Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "values[0]: Invalid value: \"" + value
                            + "\": for 'Gt', 'Lt' operators, the value must be an integer",
                    e);
        }
    }

    private static Set<String> checked(String key, Set<String> values) {
        int i = 0;
        for (String value : values) {
            Labels.requireValue("values[" + i++ + "][" + key + "]", value);
        }
        return values;
    }

    private Set<String> exactValue() {
        if (token.isEmpty() || token.equals(",")) {
            return Set.of("");
        }
        if (!isIdentifier()) {
            throw new IllegalArgumentException("found '" + token + "', expected: identifier");
        }
        Set<String> one = Set.of(token);
        next();
        return one;
    }

    private Set<String> values() {
        if (!token.equals("(")) {
            throw new IllegalArgumentException("found '" + token + "' expected: '('");
        }
        next();
        Set<String> values = new LinkedHashSet<>();
        if (token.equals(")")) {
            next();
            values.add("");
            return values;
        }
        if (!isIdentifier() && !token.equals(",")) {
            throw new IllegalArgumentException("found '" + token + "', expected: ',', ')' or identifier");
        }
        boolean expectValue = true;
        while (true) {
            if (isIdentifier() && expectValue) {
                values.add(token);
                expectValue = false;
            } else if (token.equals(",")) {
                if (expectValue) {
                    values.add("");
                }
                expectValue = true;
            } else if (token.equals(")")) {
                if (expectValue) {
                    values.add("");
                }
                next();
                return values;
            } else {
                throw new IllegalArgumentException("found '" + token + "', expected: ',' or ')'");
            }
            next();
        }
    }

    private boolean isIdentifier() {
        return !token.isEmpty() && SPECIAL.indexOf(token.charAt(0)) < 0;
    }

    private void next() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        int from = at;
        if (at >= text.length()) {
            token = "";
            return;
        }
        char c = text.charAt(at++);
        if (SPECIAL.indexOf(c) >= 0) {
            boolean two = (c == '=' || c == '!') && at < text.length() && text.charAt(at) == '=';
            at += two ? 1 : 0;
        } else {
            while (at < text.length()
                    && SPECIAL.indexOf(text.charAt(at)) < 0
                    && !Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }
        token = text.substring(from, at);
    }
}
