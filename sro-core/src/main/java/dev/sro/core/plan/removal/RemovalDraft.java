package dev.sro.core.plan.removal;

import dev.sro.core.model.ObjectRef;

/** Of the draft of a plan what keeps objects from being retired; known when all states are planned. Lives for one plan; not thread-safe. */
public interface RemovalDraft {

    /** Whether some state wants this object, whether or not it may be written now. */
    boolean isWanted(ObjectRef ref);

    /** Whether hooks keep the objects of the state as they are. */
    boolean isHeld(String state);
}
