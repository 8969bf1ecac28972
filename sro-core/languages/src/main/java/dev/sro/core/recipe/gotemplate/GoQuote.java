package dev.sro.core.recipe.gotemplate;

/** Strings and characters as Go writes them in its own syntax. */
final class GoQuote {
    private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b\\";
    private static final String LETTERS = "abfnrtv\\";

    private GoQuote() {}

    /** In double quotes. */
    static String quote(String text) {
        return quote(text, false);
    }

    static String quote(String text, boolean asciiOnly) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); ) {
            int codePoint = GoText.codePointAt(text, i);
            append(out, codePoint, '"', asciiOnly);
            i += Character.charCount(codePoint);
        }
        return out.append('"').toString();
    }

    /** In single quotes. */
    static String quoteCharacter(long codePoint, boolean asciiOnly) {
        boolean valid =
                Character.isValidCodePoint((int) codePoint) && (int) codePoint == codePoint && !isSurrogate(codePoint);
        StringBuilder out = new StringBuilder().append('\'');
        append(out, valid ? (int) codePoint : 0xfffd, '\'', asciiOnly);
        return out.append('\'').toString();
    }

    private static boolean isSurrogate(long codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    private static void append(StringBuilder out, int codePoint, char quote, boolean asciiOnly) {
        int known = ESCAPED.indexOf(codePoint);
        if (codePoint == quote) {
            out.append('\\').append(quote);
        } else if (known >= 0) {
            out.append('\\').append(LETTERS.charAt(known));
        } else if (codePoint < 0x80 ? GoText.isPrint(codePoint) : !asciiOnly && GoText.isPrint(codePoint)) {
            out.appendCodePoint(codePoint);
        } else if (codePoint < ' ' || codePoint == 0x7f) {
            out.append("\\x%02x".formatted(codePoint));
        } else {
            out.append((codePoint < 0x10000 ? "\\u%04x" : "\\U%08x").formatted(codePoint));
        }
    }
}
