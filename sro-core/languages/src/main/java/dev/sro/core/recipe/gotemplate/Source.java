package dev.sro.core.recipe.gotemplate;

import java.util.Arrays;

/** A template's text with its name, and the places of its lines. */
final class Source {
    private static final int BLOCK_BITS = 8;

    private final String name;
    private final String text;
    private final int[] lineStarts;
    /** How many characters of two {@code char}s end before each block; empty if there are none. */
    private final int[] pairs;

    Source(String name, String text) {
        this.name = name;
        this.text = text;
        this.lineStarts = lineStarts(text);
        this.pairs = text.chars().anyMatch(c -> Character.isLowSurrogate((char) c)) ? pairs(text) : new int[0];
    }

    private static int[] pairs(String text) {
        int[] pairs = new int[(text.length() >> BLOCK_BITS) + 1];
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            if (i >> BLOCK_BITS << BLOCK_BITS == i) {
                pairs[i >> BLOCK_BITS] = count;
            }
            count += endsPair(text, i) ? 1 : 0;
        }
        return pairs;
    }

    private static boolean endsPair(String text, int index) {
        return index > 0
                && Character.isLowSurrogate(text.charAt(index))
                && Character.isHighSurrogate(text.charAt(index - 1));
    }

    private static int[] lineStarts(String text) {
        int[] starts = new int[16];
        int lines = 1;
        for (int at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
            if (lines == starts.length) {
                starts = Arrays.copyOf(starts, lines * 2);
            }
            starts[lines++] = at + 1;
        }
        return Arrays.copyOf(starts, lines);
    }

    String name() {
        return name;
    }

    String text() {
        return text;
    }

    int line(int offset) {
        int found = Arrays.binarySearch(lineStarts, offset);
        return found >= 0 ? found + 1 : -found - 1;
    }

    Position position(int offset) {
        int line = line(offset);
        int start = lineStarts[line - 1];
        int shortened = pairs.length == 0 ? 0 : pairsBefore(offset) - pairsBefore(start);
        return new Position(name, line, offset - start - shortened + 1);
    }

    /** In constant time: a line may be all of the text, and have a hundred thousand fields. */
    private int pairsBefore(int offset) {
        if (offset == text.length()) {
            return offset == 0 ? 0 : pairsBefore(offset - 1) + (endsPair(text, offset - 1) ? 1 : 0);
        }
        int count = pairs[offset >> BLOCK_BITS];
        for (int i = offset >> BLOCK_BITS << BLOCK_BITS; i < offset; i++) {
            count += endsPair(text, i) ? 1 : 0;
        }
        return count;
    }

    TemplateException error(int offset, String detail) {
        return new TemplateException(position(offset), detail);
    }
}
