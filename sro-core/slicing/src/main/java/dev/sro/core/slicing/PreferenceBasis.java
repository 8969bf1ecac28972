package dev.sro.core.slicing;

import dev.sro.core.slicing.policy.PolicyTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@link SliceAllocator#preference} goes by at one moment: while it is equal, devices in equal states have equal preferences. For callers that
 * remember them, as keys of maps. Immutable and thread-safe.
 */
public final class PreferenceBasis {
    /** Of the models that have the profile, the best first. A model has its own, and another one when what it places by changes. */
    private final List<PolicyTable> tables;

    PreferenceBasis(List<PolicyTable> tables) {
        this.tables = tables;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PreferenceBasis basis && tables.equals(basis.tables);
    }

    @Override
    public int hashCode() {
        return tables.hashCode();
    }
}
