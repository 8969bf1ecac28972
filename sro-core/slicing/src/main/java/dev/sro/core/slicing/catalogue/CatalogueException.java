package dev.sro.core.slicing.catalogue;

import java.util.List;

/** A catalogue or a device model that cannot be used, with every reason found, each naming the entry and the field. */
public final class CatalogueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final List<String> errors;
    private final transient List<ModelChecks.Issue> issues;

    /** All {@code errors} at once; at least one. */
    public CatalogueException(List<String> errors) {
        this(errors, List.of());
    }

    CatalogueException(List<String> errors, List<ModelChecks.Issue> issues) {
        super(String.join("\n", errors));
        this.errors = List.copyOf(errors);
        this.issues = issues;
    }

    /** Each reason on its own. */
    public List<String> errors() {
        return errors;
    }

    /** The reasons by field, for readers that know where each field stands. */
    List<ModelChecks.Issue> issues() {
        return issues;
    }
}
