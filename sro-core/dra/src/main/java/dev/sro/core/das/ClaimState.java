package dev.sro.core.das;

import java.util.Optional;

/** How far a claim is, in the words of DAS. */
public enum ClaimState {
    /** DAS tries a node for the pod; nobody here writes it, and it takes the place as long as it is there. */
    STAGED("staged"),
    /** A promise: the node is chosen, the pod may be bound, nothing is made yet. */
    CREATED("created"),
    /** The agent makes the slice, or takes it apart. */
    PROCESSING("processing"),
    /** The slice is there and is the pod's. */
    IN_USE("inUse"),
    /** The slice is there, and no pod has it. */
    ORPHANED("orphaned");

    private final String text;

    ClaimState(String text) {
        this.text = text;
    }

    /** As it is in {@code status.state}. */
    public String text() {
        return text;
    }

    /** The state of this text; a claim without one was just made, so that it is a promise. Empty for a text that is no state. */
    public static Optional<ClaimState> of(String text) {
        if (text.isEmpty()) {
            return Optional.of(CREATED);
        }
        for (ClaimState state : values()) {
            if (state.text.equals(text)) {
                return Optional.of(state);
            }
        }
        return Optional.empty();
    }
}
