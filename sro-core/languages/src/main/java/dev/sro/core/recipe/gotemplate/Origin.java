package dev.sro.core.recipe.gotemplate;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a value comes from: a path from the template's data, or unknown. */
record Origin(@Nullable List<String> path) {
    static final Origin UNKNOWN = new Origin(null);
    static final Origin DATA = new Origin(List.of());

    /** Of no use in longer ones, and a text can make them grow with each of its lines. */
    private static final int MAX = 64;

    Origin field(List<String> names) {
        if (path == null || names.isEmpty()) {
            return this;
        }
        if (path.size() + names.size() > MAX) {
            return UNKNOWN;
        }
        List<String> longer = new ArrayList<>(path);
        longer.addAll(names);
        return new Origin(List.copyOf(longer));
    }

    Origin element() {
        return field(List.of(FieldReference.ELEMENT));
    }
}
