package dev.sro.core.recipe.gotemplate;

import java.nio.charset.StandardCharsets;

/** What Go says about characters. */
final class GoText {
    private static final int REPLACEMENT = 0xfffd;

    private GoText() {}

    /** The code point at an index; U+FFFD for half of one. */
    static int codePointAt(String text, int index) {
        int codePoint = text.codePointAt(index);
        boolean half = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
        return half ? REPLACEMENT : codePoint;
    }

    /** Letters, marks, numbers, punctuation, symbols and the space of ASCII. */
    static boolean isPrint(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> codePoint == ' ';
            default -> true;
        };
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
