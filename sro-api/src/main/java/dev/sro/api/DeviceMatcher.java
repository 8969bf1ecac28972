package dev.sro.api;

/**
 * Optional for a plugin: says on which of the nodes that {@code spec.nodeSelector} selects the device is. Without it,
 * every selected node counts as having one. {@link PciDevice} and {@link FeatureExpression} help to tell.
 *
 * @since 0.1.0
 */
public interface DeviceMatcher {

    /** The possible answers about a node. */
    enum Presence {
        /** The device is there. */
        PRESENT,
        /** The device is not there: the node is left alone. */
        ABSENT,
        /** Cannot be told (yet): what already runs on the node is kept, nothing new is put on it. */
        UNKNOWN
    }

    /** Whether the device is on the node. Called again when the facts change. */
    Presence match(NodeFacts node, RecipeContext context);
}
