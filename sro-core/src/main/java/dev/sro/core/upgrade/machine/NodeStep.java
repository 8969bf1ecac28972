package dev.sro.core.upgrade.machine;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What happens next to one node: one write, or actions, or waiting. Immutable.
 *
 * <p>A step never has both a write and actions: what is done to a node is only done once the label that says so has been read back.
 * So nothing is lost if the process ends at any point, and no driver pod is deleted before the node is cordoned. Whoever carries it
 * out plans again when the write comes back as an event.
 *
 * @param node name of the node
 * @param phase that the label says after it; no label for {@link UpgradePhase#UNKNOWN}
 * @param cordon whether we hold {@code spec.unschedulable: true} after it. False gives up ours and never touches somebody else's
 * @param note text of the annotation with the note; none when empty
 * @param order devices that the node says are to be reset now; no annotation when empty
 * @param write whether label, note, order or cordon differ from what the node has; they are one write
 * @param answersRequest whether the same write takes away the annotation that asks for an upgrade (or sets it to {@code "false"})
 * @param actions to carry out; empty if {@code write}
 * @param block what it waits for
 * @param wakeUp when to plan again if nothing changes before
 */
public record NodeStep(
        String node,
        UpgradePhase phase,
        boolean cordon,
        String note,
        String order,
        boolean write,
        boolean answersRequest,
        List<NodeAction> actions,
        Optional<StepBlock> block,
        Optional<Instant> wakeUp) {

    /** Checks and copies. */
    public NodeStep {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(note, "note");
        Objects.requireNonNull(order, "order");
        Objects.requireNonNull(block, "block");
        Objects.requireNonNull(wakeUp, "wakeUp");
        actions = List.copyOf(actions);
        if (write && !actions.isEmpty()) {
            throw new IllegalArgumentException("NodeStep " + node + ": either writes or acts");
        }
    }
}
