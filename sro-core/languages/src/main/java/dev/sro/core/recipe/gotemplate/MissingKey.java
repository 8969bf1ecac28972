package dev.sro.core.recipe.gotemplate;

import java.util.List;

/**
 * A key that a template asked for and that its map did not have. Immutable.
 *
 * @param position where in the template
 * @param path the path as {@link FieldReference#path()} has it, of all the field although it may be its beginning that is
 *     missing; as it is written, where the way from the data is unknown
 * @param guarded whether the template provides for it; see {@link FieldReference#guarded()}
 */
public record MissingKey(Position position, List<String> path, boolean guarded) {
    /** Copies the path. */
    public MissingKey {
        path = List.copyOf(path);
    }
}
