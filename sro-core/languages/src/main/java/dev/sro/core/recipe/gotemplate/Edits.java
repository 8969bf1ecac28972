package dev.sro.core.recipe.gotemplate;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Replacements in a text. One that has others inside of it takes their place. */
final class Edits {
    private record Edit(int end, String replacement) {}

    private final String text;
    private final TreeMap<Integer, Edit> edits = new TreeMap<>();

    Edits(String text) {
        this.text = text;
    }

    void replace(TextSpan extent, String replacement) {
        edits.subMap(extent.start(), extent.end()).clear();
        edits.put(extent.start(), new Edit(extent.end(), replacement));
    }

    boolean isEmpty() {
        return edits.isEmpty();
    }

    /** A piece of the text with the replacements inside of it, or null if there are none. */
    @Nullable String edited(TextSpan extent) {
        Map<Integer, Edit> inside = edits.subMap(extent.start(), extent.end());
        return inside.isEmpty() ? null : apply(inside, extent);
    }

    String edited() {
        return apply(edits, new TextSpan(0, text.length()));
    }

    private String apply(Map<Integer, Edit> inside, TextSpan extent) {
        StringBuilder out = new StringBuilder();
        int at = extent.start();
        for (Map.Entry<Integer, Edit> each : inside.entrySet()) {
            out.append(text, at, each.getKey()).append(each.getValue().replacement());
            at = each.getValue().end();
        }
        return out.append(text, at, extent.end()).toString();
    }
}
