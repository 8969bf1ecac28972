package dev.sro.core.plan;

import dev.sro.api.State;
import java.util.Map;

/** For which nodes a state is. Stateless. */
public final class StateNodes {

    private StateNodes() {}

    /** Whether the state is for a node with these labels. */
    public static boolean isFor(State state, Map<String, String> labels) {
        return state.nodes().entrySet().stream()
                .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())));
    }
}
