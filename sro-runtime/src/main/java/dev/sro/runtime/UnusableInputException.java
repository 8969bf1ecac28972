package dev.sro.runtime;

import dev.sro.core.slicing.input.Suggestions;
import java.io.Serial;
import java.util.List;

/** What the user gave cannot be used; the message says where, what and why. */
public final class UnusableInputException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * @param where file, document and field, or the option
     * @param what is wrong with it, and the fix
     */
    public UnusableInputException(String where, String what) {
        super(where + ": " + what);
    }

    /**
     * A word that is none of those of an option.
     *
     * @param option its name
     * @param value what was given
     * @param words what it knows, in the order in which they are told
     */
    public static UnusableInputException noneOf(String option, String value, List<String> words) {
        return new UnusableInputException(
                option + " " + value, "is none of " + String.join(", ", words) + Suggestions.meant(value, words));
    }
}
