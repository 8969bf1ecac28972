package dev.sro.runtime;

import java.io.Serial;

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
}
