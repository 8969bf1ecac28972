package dev.sro.core.recipe.gotemplate;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The values of Go's literals of strings and characters. */
final class TextLiterals {
    private static final String SIMPLE = "abfnrtv\\";
    private static final String SIMPLE_VALUES = "\u0007\b\f\n\r\t\u000b\\";

    private final String text;
    private final int end;
    private final char quote;
    private int at = 1;

    private TextLiterals(String literal) {
        this.text = literal;
        this.end = literal.length() - 1;
        this.quote = literal.charAt(0);
    }

    /** What a literal means that cannot be read. */
    static final class BadLiteral extends Exception {
        private static final long serialVersionUID = 1L;

        BadLiteral(String message) {
            super(message);
        }
    }

    /**
     * The value of a literal in double quotes or back quotes. Strings of Go are bytes; what is not UTF-8 becomes
     * U+FFFD here.
     */
    static String string(String literal) throws BadLiteral {
        if (literal.charAt(0) == '`') {
            return literal.substring(1, literal.length() - 1).replace("\r", "");
        }
        if (literal.indexOf('\\') < 0) {
            return literal.substring(1, literal.length() - 1);
        }
        TextLiterals reader = new TextLiterals(literal);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(literal.length());
        while (reader.at < reader.end) {
            reader.readInto(bytes);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** The value of a literal in single quotes. */
    static long character(String literal) throws BadLiteral {
        TextLiterals reader = new TextLiterals(literal);
        if (reader.at == reader.end) {
            throw new BadLiteral("malformed character constant: " + literal);
        }
        int value = reader.text.charAt(1) == '\\' ? reader.escape() : reader.plain();
        if (reader.at != reader.end) {
            throw new BadLiteral("malformed character constant: " + literal);
        }
        return value;
    }

    private void readInto(ByteArrayOutputStream bytes) throws BadLiteral {
        if (text.charAt(at) != '\\') {
            bytes.writeBytes(Character.toString(plain()).getBytes(StandardCharsets.UTF_8));
            return;
        }
        char kind = text.charAt(at + 1);
        int value = escape();
        boolean isByte = kind == 'x' || (kind >= '0' && kind <= '7');
        if (isByte) {
            bytes.write(value);
        } else {
            bytes.writeBytes(Character.toString(value).getBytes(StandardCharsets.UTF_8));
        }
    }

    private int plain() {
        int codePoint = text.codePointAt(at);
        at += Character.charCount(codePoint);
        return codePoint;
    }

    private int escape() throws BadLiteral {
        char kind = text.charAt(at + 1);
        at += 2;
        int simple = SIMPLE.indexOf(kind);
        if (simple >= 0) {
            return SIMPLE_VALUES.charAt(simple);
        }
        if (kind == quote) {
            return quote;
        }
        return switch (kind) {
            case 'x' -> digits(2, 16, 0xff);
            case 'u' -> codePoint(4);
            case 'U' -> codePoint(8);
            case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                at--;
                yield digits(3, 8, 0xff);
            }
            default -> throw unknown(kind);
        };
    }

    private BadLiteral unknown(char kind) {
        return new BadLiteral("unknown escape sequence \\" + kind + " in " + text);
    }

    private int codePoint(int count) throws BadLiteral {
        int value = digits(count, 16, Character.MAX_CODE_POINT);
        if (value >= Character.MIN_SURROGATE && value <= Character.MAX_SURROGATE) {
            throw new BadLiteral("no Unicode character has the code of an escape sequence in " + text);
        }
        return value;
    }

    private int digits(int count, int radix, int max) throws BadLiteral {
        long value = 0;
        for (int i = 0; i < count; i++, at++) {
            int digit = at < end && text.charAt(at) < 0x80 ? Character.digit(text.charAt(at), radix) : -1;
            value = value * radix + digit;
            if (digit < 0) {
                throw new BadLiteral("an escape sequence in " + text + " needs " + count + " digits");
            }
        }
        if (value > max) {
            throw new BadLiteral("the number of an escape sequence in " + text + " is too large");
        }
        return (int) value;
    }
}
