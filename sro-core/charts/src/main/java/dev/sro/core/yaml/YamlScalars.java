package dev.sro.core.yaml;

import dev.sro.core.yaml.YamlToken.Kind;

/** Reads the texts of scalars, plain, quoted and in blocks, as libyaml does. Not thread-safe. */
final class YamlScalars {

    private static final String ESCAPES = "0abt\tnvfre \"'\\N_LP";
    private static final String ESCAPED = "\0\u0007\b\t\t\n\u000b\f\r\u001b \"'\\\u0085\u00a0\u2028\u2029";

    private final YamlCharacters in;
    private boolean newLine;

    YamlScalars(YamlCharacters in) {
        this.in = in;
    }

    /** Whether the last plain scalar ended with the end of its line, so that a key may follow. */
    boolean endedOnNewLine() {
        return newLine;
    }

    /** Blanks and breaks between the words of a scalar that has several lines. */
    private static final class Gap {
        private final StringBuilder blanks = new StringBuilder();
        private final StringBuilder more = new StringBuilder();
        private String first = "";
        private boolean broken;

        void lineBreak(String text) {
            if (broken) {
                more.append(text);
            } else {
                blanks.setLength(0);
                first = text;
                broken = true;
            }
        }

        /** What is between the words then: one break is a blank. */
        String folded() {
            String result = !broken
                    ? blanks.toString()
                    : !first.startsWith("\n") ? first + more : more.length() == 0 ? " " : more.toString();
            clear();
            return result;
        }

        void clear() {
            blanks.setLength(0);
            more.setLength(0);
            first = "";
            broken = false;
        }
    }

    /**
     * @param indent of the collection that it is in
     * @param inFlow whether that has brackets or braces
     */
    YamlToken plain(int indent, boolean inFlow) {
        int line = in.line();
        StringBuilder text = new StringBuilder();
        Gap gap = new Gap();
        while (!in.isDocumentMark() && in.peek() != '#') {
            while (!in.isBlankOrBreakOrEnd(0) && !endsPlain(inFlow)) {
                text.append(gap.folded()).append(in.next());
            }
            if (!in.isBlank(0) && !in.isBreak(0)) {
                break;
            }
            gap(gap, indent + 1);
            if (!inFlow && in.column() < indent + 1) {
                break;
            }
        }
        newLine = gap.broken;
        return new YamlToken(Kind.SCALAR, text.toString(), "", true, line);
    }

    private boolean endsPlain(boolean inFlow) {
        char c = in.peek();
        return (c == ':' && in.isBlankOrBreakOrEnd(1)) || (inFlow && ",?[]{}".indexOf(c) >= 0);
    }

    /** @param indent tabs may not stand before it; negative where they may */
    private void gap(Gap gap, int indent) {
        while (in.isBlank(0) || in.isBreak(0)) {
            if (in.isBreak(0)) {
                gap.lineBreak(in.nextBreak());
            } else {
                if (gap.broken && in.column() < indent && in.peek() == '\t') {
                    throw in.invalid("a tab indents nothing; use blanks");
                }
                char blank = in.next();
                if (!gap.broken) {
                    gap.blanks.append(blank);
                }
            }
        }
    }

    YamlToken quoted() {
        int line = in.line();
        char quote = in.next();
        StringBuilder text = new StringBuilder();
        Gap gap = new Gap();
        while (true) {
            if (in.isDocumentMark()) {
                throw in.invalid("a document begins within quotes; close them");
            }
            while (!in.isBlankOrBreakOrEnd(0) && in.peek() != quote && !(quote == '"' && in.peek() == '\\')) {
                text.append(in.next());
            }
            if (in.isAtEnd()) {
                throw in.invalid("the text ends within quotes; close them");
            }
            if (in.peek() == quote) {
                if (quote == '"' || in.peek(1) != quote) {
                    in.next();
                    return new YamlToken(Kind.SCALAR, text.toString(), "", false, line);
                }
                in.skip(2);
                text.append(quote);
            } else if (in.peek() == '\\' && quote == '"' && in.isBreak(1)) {
                in.next();
                in.nextBreak();
                // Nothing comes between; further breaks do.
                gap.lineBreak("");
                gap(gap, -1);
                text.append(gap.more);
                gap.clear();
            } else if (in.peek() == '\\' && quote == '"') {
                escape(text);
            } else {
                gap(gap, -1);
                text.append(gap.folded());
            }
        }
    }

    private void escape(StringBuilder text) {
        in.next();
        char c = in.peek();
        int known = ESCAPES.indexOf(c);
        int digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
        if (in.isAtEnd() || (known < 0 && digits == 0)) {
            throw in.invalid("there is no \\" + c + " in double quotes; write \\\\, or use single quotes");
        }
        in.next();
        if (digits == 0) {
            text.append(ESCAPED.charAt(known));
            return;
        }
        long code = 0;
        for (int i = 0; i < digits; i++) {
            int digit = in.peek() > '~' ? -1 : Character.digit(in.peek(), 16);
            if (digit < 0) {
                throw in.invalid("\\" + c + " needs " + digits + " hexadecimal digits");
            }
            code = code * 16 + digit;
            in.next();
        }
        if (code > Character.MAX_CODE_POINT || (code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE)) {
            throw in.invalid("\\" + c + " names no character");
        }
        text.appendCodePoint((int) code);
    }

    /** @param parent indentation of the collection that it is in */
    YamlToken block(int parent) {
        int line = in.line();
        boolean literal = in.next() == '|';
        int chomping = 0;
        int given = 0;
        for (int i = 0; i < 2; i++) {
            char c = in.peek();
            if ((c == '+' || c == '-') && chomping == 0) {
                chomping = c == '+' ? 1 : -1;
                in.next();
            } else if (c >= '0' && c <= '9' && given == 0) {
                given = c - '0';
                if (given == 0) {
                    throw in.invalid("a block is indented by 1 to 9 blanks");
                }
                in.next();
            }
        }
        if (!in.skipToBreak()) {
            throw in.invalid("behind | and > there is nothing in a line");
        }
        in.nextBreak();
        return new YamlToken(
                Kind.SCALAR,
                block(parent, given == 0 ? 0 : Math.max(parent, 0) + given, literal, chomping),
                "",
                false,
                line);
    }

    private String block(int parent, int given, boolean literal, int chomping) {
        StringBuilder text = new StringBuilder();
        StringBuilder trailing = new StringBuilder();
        String leading = "";
        boolean blankBefore = false;
        int indent = breaks(parent, given, trailing);
        while (in.column() == indent && !in.isAtEnd()) {
            boolean blank = in.isBlank(0);
            if (!literal && leading.startsWith("\n") && !blankBefore && !blank) {
                text.append(trailing.length() == 0 ? " " : "");
            } else {
                text.append(leading);
            }
            text.append(trailing);
            trailing.setLength(0);
            blankBefore = blank;
            while (!in.isBreakOrEnd(0)) {
                text.append(in.next());
            }
            leading = in.nextBreak();
            breaks(parent, indent, trailing);
        }
        if (chomping >= 0) {
            text.append(leading);
        }
        if (chomping > 0) {
            text.append(trailing);
        }
        return text.toString();
    }

    /** Takes indentation and empty lines; which indentation the block has. */
    private int breaks(int parent, int given, StringBuilder breaks) {
        int most = 0;
        while (true) {
            while ((given == 0 || in.column() < given) && in.peek() == ' ') {
                in.next();
            }
            most = Math.max(most, in.column());
            if ((given == 0 || in.column() < given) && in.peek() == '\t') {
                throw in.invalid("a tab indents nothing; use blanks");
            }
            if (!in.isBreak(0)) {
                break;
            }
            breaks.append(in.nextBreak());
        }
        return given == 0 ? Math.max(most, Math.max(parent + 1, 1)) : given;
    }
}
