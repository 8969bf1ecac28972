package dev.sro.api.operation;

import dev.sro.api.NodeFacts;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import java.util.Optional;

/**
 * Optional for a plugin: says how a new driver comes to the nodes. It is asked as soon as the special resource has a {@code
 * spec.upgradePolicy}, whose fields go before what {@link #upgradeStrategy} says.
 *
 * @since 0.1.0
 */
public interface UpgradePolicy {

    /** Advice about an upgrade that failed on a node. */
    enum Verdict {
        /** Try again. */
        RETRY,
        /** The node counts as failed; the others go on. */
        FAIL,
        /** Nothing more happens anywhere until a person says so. */
        STOP
    }

    /** The strategy from node to node. */
    UpgradeStrategy upgradeStrategy(RecipeContext context);

    /**
     * The action that a change asks of a node.
     *
     * @param running what runs on it
     * @param desired what shall
     * @param node the node
     */
    default UpgradeAction upgradeAction(DriverSet running, DriverSet desired, NodeFacts node) {
        return running.equals(desired) ? UpgradeAction.NONE : UpgradeAction.FULL;
    }

    /** Whether this pod uses the device, so that its driver cannot be unloaded. */
    boolean usesDevice(PodUse pod);

    /**
     * The same where the name of the device's resource is a setting.
     *
     * @param pod the pod
     * @param context the special resource and the cluster
     */
    default boolean usesDevice(PodUse pod, RecipeContext context) {
        return usesDevice(pod);
    }

    /** Why one driver cannot follow the other; empty when it can. */
    default Optional<Problem> incompatibility(DriverSet running, DriverSet desired) {
        return Optional.empty();
    }

    /** Advice about a problem on a node. */
    default Verdict classify(Problem problem) {
        return problem.retryable() ? Verdict.RETRY : Verdict.FAIL;
    }
}
