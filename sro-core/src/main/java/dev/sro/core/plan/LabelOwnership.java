package dev.sro.core.plan;

import dev.sro.api.Problem;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.MetadataKeys;
import java.util.Optional;
import java.util.Set;

/** Whether a label of a node is ours to write: somebody else's value wins. Stateless. */
public final class LabelOwnership {

    private LabelOwnership() {}

    /**
     * Whether the label can be written: it is not there, as it has to be, or ours alone.
     *
     * @param held labels of the node that the special resource has
     */
    public static boolean isFree(ObservedNode node, Set<String> held, String key, String value) {
        String actual = node.facts().labels().get(key);
        boolean oneOfOurs = held.contains(key) || key.equals(MetadataKeys.KERNEL_LABEL);
        return actual == null
                || actual.equals(value)
                || (oneOfOurs && !node.coOwnedLabels().contains(key));
    }

    /** Why the label cannot be written; empty if it can. */
    public static Optional<Problem> conflict(ObservedNode node, Set<String> held, String key, String value) {
        if (isFree(node, held, key, value)) {
            return Optional.empty();
        }
        String actual = node.facts().labels().get(key);
        return Optional.of(Problem.user(
                "NodeLabelConflict",
                "node " + node.name() + ": label " + key + " is \"" + actual + "\" and not ours alone;" + " \"" + value
                        + "\" is needed; remove the label to let SRO set it"));
    }
}
