package dev.sro.agent.plugin;

import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.ClaimState;
import dev.sro.core.das.NodeAccelerator.AcceleratorGpu;
import java.io.IOException;
import java.util.List;

/** Slices of this node that pods were promised before they came, and what is said of them. Every call throws if the API server gives no answer. Thread-safe. */
@FunctionalInterface
public interface PromisedPlaces {
    /** Nobody promises anything. */
    PromisedPlaces NONE = List::of;

    /** All claims of this node. */
    List<AllocationClaim> claims() throws IOException;

    /** Tells what the node has, to whoever places pods; nothing is written if that is known. */
    default void inventory(List<AcceleratorGpu> gpus) throws IOException {}

    /** Has a claim stay until {@link #release}, whatever becomes of its pod. */
    default void keep(AllocationClaim claim) throws IOException {}

    /** Lets a claim go that is deleted. */
    default void release(AllocationClaim claim) throws IOException {}

    /** Tells how far a claim is. */
    default void state(AllocationClaim claim, ClaimState state) throws IOException {}

    /** Whether the pod of a claim has ended, or is another one by now. */
    default boolean ended(AllocationClaim claim) throws IOException {
        return false;
    }

    /** Deletes a claim. */
    default void delete(AllocationClaim claim) throws IOException {}
}
