package dev.sro.core.recipe.gotemplate;

import dev.sro.core.recipe.gotemplate.Token.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a template's text into tokens, each when it is asked for, in time linear in the text. After the first
 * {@link Kind#ERROR} or {@link Kind#EOF} there is no other token.
 */
final class Lexer {
    private static final String LEFT = "{{";
    private static final String RIGHT = "}}";
    private static final int NONE = -1;

    private final String text;
    private int at;
    private int depth;
    private boolean inAction;
    private @Nullable Token last;

    Lexer(String text) {
        this.text = text;
    }

    Token next() {
        if (last != null) {
            return last;
        }
        Token token = inAction ? inAction() : outside();
        if (token.is(Kind.ERROR) || token.is(Kind.EOF)) {
            last = token;
        }
        return token;
    }

    /** Text up to the next action, or the beginning of an action. Comments leave no token. */
    private Token outside() {
        while (true) {
            int delimiter = text.indexOf(LEFT, at);
            if (delimiter < 0) {
                int start = at;
                at = text.length();
                return token(at > start ? Kind.TEXT : Kind.EOF, start, at);
            }
            int inside = delimiter + LEFT.length();
            boolean trims = has(inside, '-') && isSpace(charAt(inside + 1));
            int start = at;
            int end = trims ? trimmedEnd(start, delimiter) : delimiter;
            at = delimiter;
            if (end > start) {
                return token(Kind.TEXT, start, end);
            }
            at = trims ? inside + 2 : inside;
            if (!text.startsWith("/*", at)) {
                inAction = true;
                depth = 0;
                return token(Kind.LEFT_DELIMITER, delimiter, inside);
            }
            Token wrong = skipComment();
            if (wrong != null) {
                return wrong;
            }
        }
    }

    private int trimmedEnd(int start, int end) {
        int trimmed = end;
        while (trimmed > start && isSpace(text.charAt(trimmed - 1))) {
            trimmed--;
        }
        return trimmed;
    }

    private @Nullable Token skipComment() {
        int close = text.indexOf("*/", at + 2);
        if (close < 0) {
            return error(at, "unclosed comment");
        }
        int start = at;
        at = close + 2;
        if (!atTrimmingRight() && !text.startsWith(RIGHT, at)) {
            return error(start, "comment ends before closing delimiter");
        }
        skipRight();
        return null;
    }

    /** Whether a space, a minus sign and the right delimiter come next. */
    private boolean atTrimmingRight() {
        return isSpace(charAt(at)) && has(at + 1, '-') && text.startsWith(RIGHT, at + 2);
    }

    private void skipRight() {
        boolean trims = atTrimmingRight();
        at += RIGHT.length() + (trims ? 2 : 0);
        while (trims && isSpace(charAt(at))) {
            at++;
        }
    }

    private Token inAction() {
        boolean spaced = skipSpace();
        int start = at;
        if (atTrimmingRight() || text.startsWith(RIGHT, at)) {
            if (depth > 0) {
                return error(start, "unclosed left paren");
            }
            int end = at + RIGHT.length() + (atTrimmingRight() ? 2 : 0);
            skipRight();
            inAction = false;
            return new Token(Kind.RIGHT_DELIMITER, start, end, spaced, null);
        }
        Token token = lex(start);
        return spaced ? new Token(token.kind(), token.start(), token.end(), true, token.error()) : token;
    }

    private boolean skipSpace() {
        int start = at;
        while (isSpace(charAt(at)) && !atTrimmingRight()) {
            at++;
        }
        return at > start;
    }

    private Token lex(int start) {
        int c = charAt(at);
        if (c == NONE) {
            return error(start, "unclosed action");
        }
        return switch (c) {
            case '"' -> quoted('"', Kind.STRING, "unterminated quoted string");
            case '\'' -> quoted('\'', Kind.CHARACTER, "unterminated character constant");
            case '`' -> rawString();
            case '$' -> named(Kind.VARIABLE, Kind.VARIABLE);
            case '(', ')' -> paren(c == '(');
            default -> other(c);
        };
    }

    private Token other(int c) {
        if (c == '+' || c == '-' || isDecimal(c) || (c == '.' && isDecimal(charAt(at + 1)))) {
            return number();
        }
        if (c == '.') {
            return named(Kind.DOT, Kind.FIELD);
        }
        return isAlphanumeric(text.codePointAt(at)) ? word() : symbol(c);
    }

    private Token paren(boolean left) {
        depth += left ? 1 : -1;
        if (depth < 0) {
            return error(at, "unexpected right paren");
        }
        at++;
        return token(left ? Kind.LEFT_PAREN : Kind.RIGHT_PAREN, at - 1, at);
    }

    private Token symbol(int c) {
        int start = at;
        if (c == ':') {
            if (!has(at + 1, '=')) {
                return error(start, "expected :=");
            }
            at += 2;
            return token(Kind.DECLARE, start, at);
        }
        if (c <= ' ' || c >= 0x7f) {
            return error(start, "unrecognized character in action: " + describe(text.codePointAt(at)));
        }
        at++;
        Kind kind = switch (c) {
            case '=' -> Kind.ASSIGN;
            case '|' -> Kind.PIPE;
            case ',' -> Kind.COMMA;
            default -> Kind.OTHER;
        };
        return token(kind, start, at);
    }

    private Token quoted(char quote, Kind kind, String unterminated) {
        int start = at;
        for (int i = at + 1; i < text.length() && text.charAt(i) != '\n'; i++) {
            if (text.charAt(i) == quote) {
                at = i + 1;
                return token(kind, start, at);
            }
            if (text.charAt(i) == '\\') {
                i++;
                if (has(i, '\n')) {
                    break;
                }
            }
        }
        return error(start, unterminated);
    }

    private Token rawString() {
        int start = at;
        int close = text.indexOf('`', at + 1);
        if (close < 0) {
            return error(start, "unterminated raw quoted string");
        }
        at = close + 1;
        return token(Kind.RAW_STRING, start, at);
    }

    private Token word() {
        int start = at;
        skipAlphanumeric();
        Token wrong = badCharacter();
        return wrong != null ? wrong : token(Token.ofWord(text.substring(start, at)), start, at);
    }

    /** A dot or dollar sign, and the name that follows, if any. */
    private Token named(Kind alone, Kind withName) {
        int start = at++;
        skipAlphanumeric();
        Token wrong = badCharacter();
        return wrong != null ? wrong : token(at == start + 1 ? alone : withName, start, at);
    }

    private @Nullable Token badCharacter() {
        int c = charAt(at);
        boolean terminated = c == NONE || isSpace(c) || ".,|:)(".indexOf(c) >= 0 || text.startsWith(RIGHT, at);
        return terminated ? null : error(at, "bad character " + describe(text.codePointAt(at)));
    }

    private void skipAlphanumeric() {
        while (at < text.length() && isAlphanumeric(text.codePointAt(at))) {
            at += Character.charCount(text.codePointAt(at));
        }
    }

    /** Takes more than is a number; {@link TextLiterals} says what is none. */
    private Token number() {
        int start = at;
        boolean good = skipNumber();
        if (good && (has(at, '+') || has(at, '-'))) {
            good = skipNumber() && text.charAt(at - 1) == 'i';
        }
        return good
                ? token(Kind.NUMBER, start, at)
                : error(start, "bad number syntax: \"" + text.substring(start, at) + "\"");
    }

    private boolean skipNumber() {
        skipOneOf("+-");
        String digits = "0123456789_";
        String exponent = "eE";
        if (skipOneOf("0")) {
            if (skipOneOf("xX")) {
                digits = "0123456789abcdefABCDEF_";
                exponent = "pP";
            } else if (skipOneOf("oO")) {
                digits = "01234567_";
                exponent = "";
            } else if (skipOneOf("bB")) {
                digits = "01_";
                exponent = "";
            }
        }
        skipAll(digits);
        if (skipOneOf(".")) {
            skipAll(digits);
        }
        if (skipOneOf(exponent)) {
            skipOneOf("+-");
            skipAll("0123456789_");
        }
        skipOneOf("i");
        if (at < text.length() && isAlphanumeric(text.codePointAt(at))) {
            at += Character.charCount(text.codePointAt(at));
            return false;
        }
        return true;
    }

    private boolean skipOneOf(String characters) {
        boolean found = at < text.length() && characters.indexOf(text.charAt(at)) >= 0;
        at += found ? 1 : 0;
        return found;
    }

    private void skipAll(String characters) {
        while (skipOneOf(characters)) {
            // The condition moves on.
        }
    }

    private int charAt(int index) {
        return index < text.length() ? text.charAt(index) : NONE;
    }

    private boolean has(int index, char wanted) {
        return charAt(index) == wanted;
    }

    private static boolean isSpace(int c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private static boolean isDecimal(int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isAlphanumeric(int codePoint) {
        return codePoint == '_' || Character.isLetter(codePoint) || Character.isDigit(codePoint);
    }

    private static String describe(int codePoint) {
        String code = "U+%04X".formatted(codePoint);
        boolean visible = !Character.isISOControl(codePoint) && Character.isDefined(codePoint);
        return visible ? code + " '" + Character.toString(codePoint) + "'" : code;
    }

    private static Token token(Kind kind, int start, int end) {
        return new Token(kind, start, end, false, null);
    }

    private static Token error(int at, String what) {
        return new Token(Kind.ERROR, at, at, false, what);
    }
}
