package dev.sro.core.cdi;

import java.util.List;

/** A configuration file of an OCI decorator that cannot be used; names everything that is wrong with it. */
public final class DecoratorFileException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> errors;

    DecoratorFileException(List<String> errors) {
        super(String.join("\n", errors));
        this.errors = List.copyOf(errors);
    }

    /** One line for each: file, field, what is wrong, what to do. */
    public List<String> errors() {
        return errors;
    }
}
