package dev.sro.core.plan;

import java.util.Set;

/**
 * States whose objects have to stay although nobody wants them any more. Immutable.
 *
 * @param states their ids
 * @param why for a person; empty when there are none
 */
public record HeldStates(Set<String> states, String why) {

    /** Copies. */
    public HeldStates {
        states = Set.copyOf(states);
    }
}
