package dev.sro.core.recipe.gotemplate;

import java.util.List;
import java.util.function.Predicate;

/**
 * A field that a template reads. Immutable.
 *
 * @param template the template that reads it: the name of a {@code define}, or of the file. The path is from what this
 *     template is given
 * @param path the names from the template's data, with variables and {@code with} followed; {@value #ELEMENT} stands for
 *     each element of a list or map that {@code range} goes through
 * @param position where
 * @param extent where in the text
 * @param guarded whether it does no harm if the field is missing: it is only tested or has a default, or is read
 *     where a test of the same field, or of one in it, decides
 * @param requires paths of fields that a surrounding {@code if}, {@code with} or {@code range} asks for: it is only
 *     read where they are there. The innermost first
 */
public record FieldReference(
        String template,
        List<String> path,
        Position position,
        TextSpan extent,
        boolean guarded,
        List<List<String>> requires) {
    /** Stands for each element of a list or map; no field has this name. */
    public static final String ELEMENT = "*";

    /** Copies the lists. */
    public FieldReference {
        path = List.copyOf(path);
        requires = List.copyOf(requires);
    }

    /**
     * Whether it is to be feared that the field is read although it is missing.
     *
     * @param defined whether there is a value at a path
     */
    public boolean mayBeMissing(Predicate<List<String>> defined) {
        return !guarded && !defined.test(path) && requires.stream().allMatch(defined);
    }

    /** The path as it is written in a template. */
    public String dotted() {
        return "." + String.join(".", path);
    }
}
