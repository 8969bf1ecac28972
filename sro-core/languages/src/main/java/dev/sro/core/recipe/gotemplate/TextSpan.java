package dev.sro.core.recipe.gotemplate;

/**
 * A piece of a template's text, as {@link String#substring(int, int)} takes it. Immutable.
 *
 * @param start index of its first {@code char}
 * @param end index behind its last {@code char}
 */
public record TextSpan(int start, int end) {
    /** Refuses what is no piece of any text. */
    public TextSpan {
        if (start < 0 || end < start) {
            throw new IllegalArgumentException("from " + start + " to " + end + " is no piece of a text");
        }
    }

    /** The piece of {@code text}. */
    public String of(String text) {
        return text.substring(start, end);
    }
}
