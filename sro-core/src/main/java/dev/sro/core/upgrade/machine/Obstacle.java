package dev.sro.core.upgrade.machine;

import java.time.Instant;
import java.util.List;

/** Why a node cannot be taken on, whatever else is free. */
enum Obstacle {
    NODE_NOT_READY("NodeNotReady"),
    SKIPPED("Skipped"),
    ORDERED_BEHIND("OrderedBehind"),
    NODE_HELD("NodeHeld"),
    ACTION_UNKNOWN("UpgradeActionUnknown"),
    CORDONED_BY_OTHERS("CordonedByOthers");

    private final String code;

    Obstacle(String code) {
        this.code = code;
    }

    /** What it is, for people. */
    StepBlock block(UpgradeNode node, Instant since) {
        String message = switch (this) {
            case NODE_NOT_READY -> "the node is not Ready";
            case SKIPPED -> "the node's label says that it is skipped";
            case ORDERED_BEHIND -> "another special resource upgrades its driver on this node first";
            case NODE_HELD -> "special resource " + node.holder().orElse("") + " is working on this node";
            case CORDONED_BY_OTHERS -> "somebody made the node unschedulable, and such nodes are left alone";
            case ACTION_UNKNOWN -> "what the change asks of the node is not known: " + node.actionProblem();
        };
        return new StepBlock(code, message, since, List.of());
    }
}
