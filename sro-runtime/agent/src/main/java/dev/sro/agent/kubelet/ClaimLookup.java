package dev.sro.agent.kubelet;

import dev.sro.agent.slice.ClaimRef;
import java.io.IOException;
import java.util.List;

/** What the API server has of a claim. Thread-safe. */
public interface ClaimLookup {
    /**
     * What this driver is to give to a claim.
     *
     * @throws IOException if the API server cannot be asked, or the claim is gone, is another one of the same name, or is not allocated; the
     *     message is for the person whose pod waits
     */
    List<Allocation> allocations(ClaimRef claim) throws IOException;
}
