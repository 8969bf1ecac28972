package dev.sro.testkit.schema;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * What Go's {@code encoding/json} says of text that is no JSON, in its words. What is wrong at first is said, by bytes, as there. One use,
 * by one thread.
 */
public final class GoJsonSyntax {
    private static final String END = "unexpected end of JSON input";
    private static final int MAX_DEPTH = 10_000;

    /** A text is not what it should be, for the reason in the message. */
    private static final class SyntaxException extends Exception {
        private static final long serialVersionUID = 1;

        SyntaxException(String message) {
            super(message);
        }
    }

    /** What may come next. */
    private enum Next {
        VALUE,
        VALUE_OR_END,
        KEY,
        KEY_OR_END,
        COLON,
        AFTER
    }

    private final byte[] text;
    private final Deque<Character> open = new ArrayDeque<>();
    private int at;

    private GoJsonSyntax(byte[] text) {
        this.text = text;
    }

    /** What is wrong; empty for JSON. */
    public static Optional<String> fault(byte[] text) {
        try {
            new GoJsonSyntax(text).scan();
            return Optional.empty();
        } catch (SyntaxException e) {
            return Optional.ofNullable(e.getMessage());
        }
    }

    private void scan() throws SyntaxException {
        Next next = Next.VALUE;
        while (true) {
            blanks();
            if (at == text.length) {
                if (next == Next.AFTER && open.isEmpty()) {
                    return;
                }
                throw new SyntaxException(END);
            }
            int c = text[at] & 0xff;
            next = switch (next) {
                case VALUE, VALUE_OR_END -> {
                    if (next == Next.VALUE_OR_END && c == ']') {
                        yield close();
                    }
                    yield value(c);
                }
                case KEY, KEY_OR_END -> {
                    if (next == Next.KEY_OR_END && c == '}') {
                        yield close();
                    }
                    if (c != '"') {
                        throw invalid(c, "looking for beginning of object key string");
                    }
                    string();
                    yield Next.COLON;
                }
                case COLON -> {
                    if (c != ':') {
                        throw invalid(c, "after object key");
                    }
                    at++;
                    yield Next.VALUE;
                }
                case AFTER -> after(c);
            };
        }
    }

    private void blanks() {
        while (at < text.length && " \t\r\n".indexOf(text[at]) >= 0) {
            at++;
        }
    }

    private Next close() {
        open.pop();
        at++;
        return Next.AFTER;
    }

    private Next after(int c) throws SyntaxException {
        if (open.isEmpty()) {
            throw invalid(c, "after top-level value");
        }
        boolean object = open.peek() == '{';
        if (c == ',') {
            at++;
            return object ? Next.KEY : Next.VALUE;
        }
        if (c == (object ? '}' : ']')) {
            return close();
        }
        throw invalid(c, object ? "after object key:value pair" : "after array element");
    }

    private Next value(int c) throws SyntaxException {
        switch (c) {
            case '{', '[' -> {
                if (open.size() == MAX_DEPTH) {
                    throw new SyntaxException("exceeded max depth");
                }
                open.push((char) c);
                at++;
                return c == '{' ? Next.KEY_OR_END : Next.VALUE_OR_END;
            }
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> {
                if (c != '-' && !isDigit(c)) {
                    throw invalid(c, "looking for beginning of value");
                }
                number();
            }
        }
        return Next.AFTER;
    }

    private void literal(String word) throws SyntaxException {
        for (int i = 1; i < word.length(); i++) {
            at++;
            int c = hereOrBlank();
            if (c != word.charAt(i)) {
                throw invalid(c, "in literal " + word + " (expecting '" + word.charAt(i) + "')");
            }
        }
        at++;
    }

    private void string() throws SyntaxException {
        at++;
        for (int c = here(); c != '"'; c = here()) {
            if (c == '\\') {
                escape();
            } else if (c < ' ') {
                throw invalid(c, "in string literal");
            }
            at++;
        }
        at++;
    }

    private void escape() throws SyntaxException {
        at++;
        int c = hereOrBlank();
        if (c == 'u') {
            for (int i = 0; i < 4; i++) {
                at++;
                int digit = hereOrBlank();
                if (Character.digit(digit, 16) < 0) {
                    throw invalid(digit, "in \\u hexadecimal character escape");
                }
            }
        } else if ("bfnrt\\/\"".indexOf(c) < 0) {
            throw invalid(c, "in string escape code");
        }
    }

    private void number() throws SyntaxException {
        if (text[at] == '-') {
            at++;
            if (!isDigit(hereOrBlank())) {
                throw invalid(hereOrBlank(), "in numeric literal");
            }
        }
        if (text[at] == '0') {
            at++;
        } else {
            digits();
        }
        if (at < text.length && text[at] == '.') {
            at++;
            if (!isDigit(hereOrBlank())) {
                throw invalid(hereOrBlank(), "after decimal point in numeric literal");
            }
            digits();
        }
        if (at < text.length && (text[at] == 'e' || text[at] == 'E')) {
            at++;
            if (hereOrBlank() == '+' || hereOrBlank() == '-') {
                at++;
            }
            if (!isDigit(hereOrBlank())) {
                throw invalid(hereOrBlank(), "in exponent of numeric literal");
            }
            digits();
        }
    }

    private void digits() {
        while (at < text.length && isDigit(text[at])) {
            at++;
        }
    }

    /** At its end a text is read as if a blank came. */
    private int hereOrBlank() {
        return at == text.length ? ' ' : text[at] & 0xff;
    }

    private int here() throws SyntaxException {
        if (at == text.length) {
            throw new SyntaxException(END);
        }
        return text[at] & 0xff;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static SyntaxException invalid(int c, String where) {
        return new SyntaxException("invalid character " + quoted(c) + " " + where);
    }

    /** A byte as a character of Latin-1, as Go quotes one. */
    private static String quoted(int c) {
        return switch (c) {
            case '\'' -> "'\\''";
            case '"' -> "'\"'";
            case '\\' -> "'\\\\'";
            case 7 -> "'\\a'";
            case '\b' -> "'\\b'";
            case '\f' -> "'\\f'";
            case '\n' -> "'\\n'";
            case '\r' -> "'\\r'";
            case '\t' -> "'\\t'";
            case 11 -> "'\\v'";
            default -> {
                if (c < ' ' || c == 0x7f) {
                    yield String.format("'\\x%02x'", c);
                }
                // A blank that does not break and a soft hyphen are not printed.
                yield (c >= 0x80 && c <= 0xa0) || c == 0xad ? String.format("'\\u%04x'", c) : "'" + (char) c + "'";
            }
        };
    }
}
