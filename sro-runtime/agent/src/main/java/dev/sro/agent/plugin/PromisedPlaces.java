package dev.sro.agent.plugin;

import dev.sro.core.das.AllocationClaim;
import java.io.IOException;
import java.util.List;

/** Slices of this node that pods were promised before they came. Thread-safe. */
@FunctionalInterface
public interface PromisedPlaces {
    /** Nobody promises anything. */
    PromisedPlaces NONE = List::of;

    /**
     * All claims of this node.
     *
     * @throws IOException if the API server does not say
     */
    List<AllocationClaim> claims() throws IOException;
}
