package dev.sro.core.recipe.gotemplate;

/**
 * A place in a template file, as an editor shows it. Immutable.
 *
 * @param file the name that the template was parsed under
 * @param line from 1
 * @param column from 1, in Unicode code points
 */
public record Position(String file, int line, int column) {
    /** {@code file:line:column}. */
    @Override
    public String toString() {
        return file + ":" + line + ":" + column;
    }
}
