package dev.sro.core.cel;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Splits a CEL expression into tokens. One use. */
final class CelLexer {
    enum Kind {
        NAME,
        LITERAL,
        SIGN,
        END
    }

    /**
     * A token.
     *
     * @param text the sign or name
     * @param value of a literal
     */
    record Token(Kind kind, String text, @Nullable Object value, int at) {
        boolean is(String sign) {
            return kind == Kind.SIGN && text.equals(sign);
        }
    }

    private static final List<String> SIGNS = List.of(
            "||", "&&", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "!", "?", ":", ".", ",", "(", ")",
            "[", "]", "{", "}");

    private final String source;
    private int at;

    CelLexer(String source) {
        this.source = source;
    }

    List<Token> tokens() {
        List<Token> out = new ArrayList<>();
        Token token = next();
        while (token.kind() != Kind.END) {
            out.add(token);
            token = next();
        }
        out.add(token);
        return out;
    }

    private Token next() {
        skipBlanks();
        int start = at;
        if (at >= source.length()) {
            return new Token(Kind.END, "<EOF>", null, start);
        }
        char c = source.charAt(at);
        if (Character.isDigit(c)
                || (c == '.' && at + 1 < source.length() && Character.isDigit(source.charAt(at + 1)))) {
            return number(start);
        }
        int quote = quoteOffset();
        if (quote >= 0) {
            return string(start, quote);
        }
        if (Character.isLetter(c) || c == '_') {
            return name(start);
        }
        for (String sign : SIGNS) {
            if (source.startsWith(sign, at)) {
                at += sign.length();
                return new Token(Kind.SIGN, sign, null, start);
            }
        }
        throw new CelException("Syntax error: token recognition error at: '" + c + "'", start);
    }

    private void skipBlanks() {
        while (at < source.length()) {
            if (Character.isWhitespace(source.charAt(at))) {
                at++;
            } else if (source.startsWith("//", at)) {
                int end = source.indexOf('\n', at);
                at = end < 0 ? source.length() : end;
            } else {
                return;
            }
        }
    }

    private Token name(int start) {
        while (at < source.length() && (Character.isLetterOrDigit(source.charAt(at)) || source.charAt(at) == '_')) {
            at++;
        }
        String text = source.substring(start, at);
        return switch (text) {
            case "true" -> new Token(Kind.LITERAL, text, true, start);
            case "false" -> new Token(Kind.LITERAL, text, false, start);
            case "null" -> new Token(Kind.LITERAL, text, null, start);
            case "in" -> new Token(Kind.SIGN, text, null, start);
            default -> new Token(Kind.NAME, text, null, start);
        };
    }

    private Token number(int start) {
        if (source.startsWith("0x", at) || source.startsWith("0X", at)) {
            at += 2;
            int digits = at;
            while (at < source.length() && Character.digit(source.charAt(at), 16) >= 0) {
                at++;
            }
            try {
                return literal(start, Long.valueOf(Long.parseLong(source.substring(digits, at), 16)));
            } catch (NumberFormatException e) {
                throw new CelException("invalid int literal", start);
            }
        }
        boolean fraction = false;
        while (at < source.length()) {
            char c = source.charAt(at);
            boolean exponentSign = (c == '+' || c == '-') && "eE".indexOf(source.charAt(at - 1)) >= 0;
            boolean point = c == '.' && at + 1 < source.length() && Character.isDigit(source.charAt(at + 1));
            if (!Character.isDigit(c) && c != 'e' && c != 'E' && !point && !(exponentSign && fraction)) {
                break;
            }
            fraction |= point || c == 'e' || c == 'E';
            at++;
        }
        String text = source.substring(start, at);
        if (!fraction && at < source.length() && (source.charAt(at) == 'u' || source.charAt(at) == 'U')) {
            at++;
        }
        try {
            return literal(start, fraction ? (Object) Double.valueOf(text) : Long.valueOf(text));
        } catch (NumberFormatException e) {
            throw new CelException("invalid int literal", start);
        }
    }

    private Token literal(int start, Object value) {
        return new Token(Kind.LITERAL, source.substring(start, at), value, start);
    }

    /** Where the opening quote is if a string starts here, after prefixes; negative if none does. */
    private int quoteOffset() {
        int i = at;
        while (i < source.length() && i - at < 2 && "rRbB".indexOf(source.charAt(i)) >= 0) {
            i++;
        }
        return i < source.length() && (source.charAt(i) == '\'' || source.charAt(i) == '"') ? i : -1;
    }

    private Token string(int start, int quote) {
        String prefix = source.substring(start, quote).toLowerCase(Locale.ROOT);
        char mark = source.charAt(quote);
        String triple = String.valueOf(mark).repeat(3);
        boolean isTriple = source.startsWith(triple, quote);
        String end = isTriple ? triple : String.valueOf(mark);
        at = quote + end.length();
        StringBuilder text = new StringBuilder();
        while (!source.startsWith(end, at)) {
            if (at >= source.length() || (!isTriple && source.charAt(at) == '\n')) {
                throw new CelException(
                        "Syntax error: token recognition error at: '" + source.substring(start) + "'", start);
            }
            if (source.charAt(at) == '\\' && !prefix.contains("r")) {
                escape(text);
            } else {
                text.append(source.charAt(at++));
            }
        }
        at += end.length();
        boolean bytes = prefix.contains("b");
        Object value = bytes ? CelValues.Bytes.of(text.toString().getBytes(StandardCharsets.UTF_8)) : text.toString();
        return new Token(Kind.LITERAL, source.substring(start, at), value, start);
    }

    private void escape(StringBuilder out) {
        int start = at;
        if (at + 1 >= source.length()) {
            throw new CelException("Syntax error: token recognition error at: '\\'", start);
        }
        char c = source.charAt(at + 1);
        at += 2;
        int simple = "abfnrtv\\'\"`?".indexOf(c);
        if (simple >= 0) {
            out.append("\u0007\b\f\n\r\t\u000b\\'\"`?".charAt(simple));
            return;
        }
        int digits = switch (c) {
            case 'x', 'X' -> 2;
            case 'u' -> 4;
            case 'U' -> 8;
            default -> 0;
        };
        boolean octal = c >= '0' && c <= '3';
        if (octal) {
            at--;
            digits = 3;
        }
        if (digits == 0 || at + digits > source.length()) {
            throw new CelException("Syntax error: token recognition error at: '\\" + c + "'", start);
        }
        try {
            out.appendCodePoint(Integer.parseInt(source.substring(at, at + digits), octal ? 8 : 16));
        } catch (IllegalArgumentException e) {
            throw new CelException("Syntax error: token recognition error at: '\\" + c + "'", start);
        }
        at += digits;
    }
}
