package dev.sro.core.slicing.catalogue;

import java.util.List;

/** A catalogue or a device model that cannot be used, with every reason found, each naming the entry and the field. */
public final class CatalogueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final List<String> errors;

    /** All {@code errors} at once; at least one. */
    public CatalogueException(List<String> errors) {
        super(String.join("\n", errors));
        this.errors = List.copyOf(errors);
    }

    /** Each reason on its own. */
    public List<String> errors() {
        return errors;
    }
}
