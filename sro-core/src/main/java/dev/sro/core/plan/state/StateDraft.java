package dev.sro.core.plan.state;

import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Operand;
import dev.sro.core.plan.WakeUps;
import dev.sro.core.plan.Write;
import dev.sro.core.plan.WritePhase;

/** Of the draft of a plan what states add to it. Lives for one plan; not thread-safe. */
public interface StateDraft extends WakeUps {

    /** Adds a write. */
    void write(WritePhase phase, Write write);

    /** Adds an object that the recipe wants. */
    void operand(Operand operand);

    /** The object is not to be retired. */
    void want(ObjectRef ref);

    /** A state whose objects are not written, because its hooks come first, lets no other state ahead. */
    void hold(String state);

    /** Whether hooks keep the objects of the state as they are. */
    boolean isHeld(String state);
}
