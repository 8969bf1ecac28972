package dev.sro.agent.slice;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/** How containers get the slices of a claim: a specification per claim. Thread-safe for different claims. */
public interface ClaimFiles {
    /**
     * Has the specification of a claim say this; writes nothing if it does.
     *
     * @return whether something was written
     */
    boolean write(ClaimRef claim, List<Holding> slices) throws IOException;

    /** Removes the specification of the claim with this UID, if there is one. */
    void remove(String uid) throws IOException;

    /** UIDs of all claims that have one. */
    Set<String> claims() throws IOException;
}
