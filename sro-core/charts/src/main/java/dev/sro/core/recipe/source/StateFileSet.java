package dev.sro.core.recipe.source;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files of a recipe of the first generations. A value.
 *
 * @param from what messages call the place: {@code ConfigMap recipes/0000-acme}
 * @param files text by name; a name is {@code NNNN-name.yaml}, or {@code state-name/file.yaml} in a directory of folders
 * @param nodeFeature key of the label that a node must have with the value {@code true}; empty for none
 * @param hardware what the recipe calls the hardware; empty for the name of the special resource
 * @param rerendered whether what the templates make is a template again, so that fields of the special resource may be ones
 * @param placeholders values for words in objects that ask for them with the annotation {@code callback}
 * @param warnings what the user should know
 */
public record StateFileSet(
        String from,
        SortedMap<String, String> files,
        String nodeFeature,
        String hardware,
        boolean rerendered,
        Map<String, String> placeholders,
        List<String> warnings) {
    /** Copies. */
    public StateFileSet {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
        placeholders = Map.copyOf(placeholders);
        warnings = List.copyOf(warnings);
    }
}
