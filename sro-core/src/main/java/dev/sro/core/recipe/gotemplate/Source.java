package dev.sro.core.recipe.gotemplate;

import java.util.Arrays;

/** A template's text with its name, and the places of its lines. */
final class Source {
    private final String name;
    private final String text;
    private final int[] lineStarts;

    Source(String name, String text) {
        this.name = name;
        this.text = text;
        this.lineStarts = lineStarts(text);
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
        return new Position(name, line, text.codePointCount(lineStarts[line - 1], offset) + 1);
    }

    TemplateException error(int offset, String detail) {
        return new TemplateException(position(offset), detail);
    }
}
