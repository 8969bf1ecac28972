package dev.sro.testkit.monitoring;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A word of PromQL, as its documentation describes the lexical parts of the language.
 *
 * @param kind what sort of word
 * @param text as written; of strings, what is between the quotes
 * @param at where it begins
 */
record PromToken(Kind kind, String text, int at) {

    enum Kind {
        NAME,
        NUMBER,
        STRING,
        SYMBOL
    }

    private static final String OPERATORS = "()[]{},=!~<>+-*/%^@:";

    boolean is(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    boolean isName(String... names) {
        return kind == Kind.NAME && List.of(names).contains(text.toLowerCase(Locale.ROOT));
    }

    /**
     * All words of an expression.
     *
     * @throws IllegalArgumentException on what is no PromQL, with the place
     */
    static List<PromToken> of(String expression) {
        List<PromToken> tokens = new ArrayList<>();
        int at = 0;
        while (at < expression.length()) {
            char c = expression.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
            } else if (c == '#') {
                at = lineEnd(expression, at);
            } else if (c == '"' || c == '\'' || c == '`') {
                int end = stringEnd(expression, at);
                tokens.add(new PromToken(Kind.STRING, expression.substring(at + 1, end), at));
                at = end + 1;
            } else {
                PromToken token = word(expression, at);
                tokens.add(token);
                at += token.text().length();
            }
        }
        return tokens;
    }

    private static PromToken word(String expression, int at) {
        char c = expression.charAt(at);
        if (isDigit(c) || (c == '.' && at + 1 < expression.length() && isDigit(expression.charAt(at + 1)))) {
            return new PromToken(Kind.NUMBER, expression.substring(at, numberEnd(expression, at)), at);
        }
        if (isNameStart(c) && c != ':') {
            int end = at;
            while (end < expression.length()
                    && (isNameStart(expression.charAt(end)) || isDigit(expression.charAt(end)))) {
                end++;
            }
            return new PromToken(Kind.NAME, expression.substring(at, end), at);
        }
        if (OPERATORS.indexOf(c) < 0) {
            throw new IllegalArgumentException("unexpected '" + c + "' at " + at + " of " + expression);
        }
        return new PromToken(Kind.SYMBOL, String.valueOf(c), at);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isNameStart(char c) {
        return c == '_' || c == ':' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    /** Numbers and durations: digits with letters and points; a sign only in an exponent. */
    private static int numberEnd(String expression, int at) {
        int end = at;
        while (end < expression.length()) {
            char c = expression.charAt(end);
            boolean exponent = (c == '+' || c == '-')
                    && (expression.charAt(end - 1) == 'e' || expression.charAt(end - 1) == 'E')
                    && !expression.startsWith("0x", at);
            if (!isDigit(c) && !Character.isLetter(c) && c != '.' && c != '_' && !exponent) {
                return end;
            }
            end++;
        }
        return end;
    }

    private static int stringEnd(String expression, int at) {
        char quote = expression.charAt(at);
        for (int i = at + 1; i < expression.length(); i++) {
            if (expression.charAt(i) == '\\' && quote != '`') {
                i++;
            } else if (expression.charAt(i) == quote) {
                return i;
            }
        }
        throw new IllegalArgumentException("the string at " + at + " does not end in " + expression);
    }

    private static int lineEnd(String expression, int at) {
        int end = expression.indexOf('\n', at);
        return end < 0 ? expression.length() : end;
    }
}
