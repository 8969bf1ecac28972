package dev.sro.core.upgrade.policy;

import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.operation.DeviceResets;
import dev.sro.api.operation.UpgradeStrategy;

/** Whether what a plugin says of upgrades fits its own states: each answer is checked where it is built, and none of them knows the other. Stateless. */
public final class StrategyChecks {

    private StrategyChecks() {}

    /**
     * The strategy, if its states are there and can do what it has them do.
     *
     * @param graph the states of the same plugin, for the same special resource
     * @throws IllegalArgumentException with field and fix, if not: a node would be drained for a reset that nobody does
     */
    public static UpgradeStrategy checked(UpgradeStrategy strategy, StateGraph graph) {
        strategy.deviceResets().ifPresent(resets -> check(resets, graph));
        return strategy;
    }

    private static void check(DeviceResets resets, StateGraph graph) {
        State state = graph.states().stream()
                .filter(one -> one.id().equals(resets.by()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("DeviceResets.by: \"" + resets.by()
                        + "\" is no state of the plugin; name the state whose pods reset devices, of "
                        + graph.states().stream().map(State::id).toList()
                        + ", or give no deviceResets where it is left out"));
        if (!state.reach().hasOwnBarrier()) {
            throw new IllegalArgumentException("DeviceResets.by: state \"" + resets.by()
                    + "\" would leave the node while it is to reset devices, as the labels that it waits for are gone"
                    + " for that time; give it Reach.ownBarrier()");
        }
    }
}
