package dev.sro.core.yaml;

import dev.sro.core.yaml.YamlTree.InvalidTreeException;

/** The characters of a YAML text and where one is among them. Breaks of lines are those of YAML 1.1. Not thread-safe. */
final class YamlCharacters {

    /** Behind the last character; no character that a text may have. */
    static final char END = '\0';

    private static final char BYTE_ORDER_MARK = '\ufeff';

    private final String text;
    private int index;
    private int line = 1;
    private int column;

    /**
     * @throws InvalidTreeException if the text has characters that YAML does not
     */
    YamlCharacters(String text) {
        this.text = text;
        check();
        // One is for who reads bytes, and one more is no content either.
        while (index < 2 && index < text.length() && text.charAt(index) == BYTE_ORDER_MARK) {
            index++;
        }
    }

    private void check() {
        int at = 1;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                at++;
            }
            boolean allowed = c == '\t' || c == '\n' || c == '\r' || c == '\u0085' || (c >= ' ' && c <= '~');
            if (!allowed && (c < '\u00a0' || c > '\ufffd')) {
                throw new InvalidTreeException(
                        "it has the character U+" + String.format("%04X", (int) c)
                                + ", which YAML does not allow; remove it, or write it as \\x in double quotes",
                        at);
            }
        }
    }

    int index() {
        return index;
    }

    /** From one. */
    int line() {
        return line;
    }

    /** From zero. */
    int column() {
        return column;
    }

    char peek() {
        return peek(0);
    }

    char peek(int ahead) {
        int at = index + ahead;
        return at < text.length() ? text.charAt(at) : END;
    }

    boolean isAtEnd() {
        return index >= text.length();
    }

    /** The character, which is no break of a line. */
    char next() {
        char c = text.charAt(index);
        index++;
        if (!Character.isLowSurrogate(c)) {
            column++;
        }
        return c;
    }

    void skip(int count) {
        for (int i = 0; i < count; i++) {
            next();
        }
    }

    /** A break of a line as a text has it: all but two kinds are a line feed. Empty at the end. */
    String nextBreak() {
        if (isAtEnd()) {
            return "";
        }
        char c = text.charAt(index);
        index += c == '\r' && peek(1) == '\n' ? 2 : 1;
        line++;
        column = 0;
        return c == '\u2028' || c == '\u2029' ? String.valueOf(c) : "\n";
    }

    boolean isBlank(int ahead) {
        char c = peek(ahead);
        return c == ' ' || c == '\t';
    }

    boolean isBreak(int ahead) {
        char c = peek(ahead);
        return c == '\n' || c == '\r' || c == '\u0085' || c == '\u2028' || c == '\u2029';
    }

    boolean isBreakOrEnd(int ahead) {
        return index + ahead >= text.length() || isBreak(ahead);
    }

    boolean isBlankOrBreakOrEnd(int ahead) {
        return isBlank(ahead) || isBreakOrEnd(ahead);
    }

    /** Whether a document begins or ends here. */
    boolean isDocumentMark() {
        return column == 0 && (isMark('-') || isMark('.'));
    }

    private boolean isMark(char c) {
        return peek(0) == c && peek(1) == c && peek(2) == c && isBlankOrBreakOrEnd(3);
    }

    /** To the end of the line, over blanks and a comment; whether nothing else is there. */
    boolean skipToBreak() {
        while (isBlank(0)) {
            next();
        }
        if (peek() == '#') {
            while (!isBreakOrEnd(0)) {
                next();
            }
        }
        return isBreakOrEnd(0);
    }

    InvalidTreeException invalid(String why) {
        return new InvalidTreeException("it is not valid YAML: " + why, line);
    }
}
