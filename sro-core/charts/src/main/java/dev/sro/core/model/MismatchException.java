package dev.sro.core.model;

import java.io.Serial;

/** A tree does not fit the type that it shall become. */
public final class MismatchException extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String field;
    private final String why;

    /**
     * @param field such as {@code spec.taints[0].key}; empty for all of it
     * @param why what is expected there, and what is there
     */
    public MismatchException(String field, String why) {
        super(field.isEmpty() ? why : field + ": " + why);
        this.field = field;
        this.why = why;
    }

    /** Such as {@code spec.taints[0].key}; empty for all of it. */
    public String field() {
        return field;
    }

    /** What is expected there, and what is there. */
    public String why() {
        return why;
    }
}
