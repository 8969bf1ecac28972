package dev.sro.core.slicing.input;

import java.util.List;

/** A file that cannot be used, with every reason found, each naming file, line and field. */
public final class InputException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final List<String> errors;

    /** All {@code errors} at once; at least one. */
    public InputException(List<String> errors) {
        super(String.join("\n", errors));
        this.errors = List.copyOf(errors);
    }

    /** Each reason on its own. */
    public List<String> errors() {
        return errors;
    }
}
