package dev.sro.api;

import java.io.Serial;

/**
 * Thrown by a plugin whose special resource cannot be turned into states. The message is shown to the user as
 * {@code Failed(InvalidRecipe)}: it names the field and the fix.
 *
 * @since 0.1.0
 */
public final class InvalidRecipeException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * @param message names the field of the special resource, what is wrong with it, and the fix
     */
    public InvalidRecipeException(String message) {
        super(message);
    }
}
