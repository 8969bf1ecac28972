package dev.sro.agent.slice;

/** What the API server says of claims. Thread-safe. */
public interface ClaimSource {
    /** How a claim stands. */
    enum Standing {
        /** It is there, with this UID, and allocated. */
        ALLOCATED,
        /** There is no such claim any more, or it has no devices: what it held may go. */
        GONE,
        /** Nobody could say; everything stays. */
        UNKNOWN
    }

    /** How this claim stands now: asked for when it matters, not remembered. */
    Standing standing(ClaimRef claim);
}
