package dev.sro.core.plan;

import dev.sro.api.Outcome;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import java.util.Optional;

/**
 * A chart that has to be in place first, by the special resource that stands for it. Immutable.
 *
 * @param ref that special resource
 * @param wanted how it has to be, where it is not like that and ours to write
 * @param create whether it does not exist
 * @param why it is written, for a person
 * @param outcome how far it is
 */
public record Dependency(ObjectRef ref, Optional<KubeObject> wanted, boolean create, String why, Outcome outcome) {

    /**
     * Reason of a special resource's condition Ready where there are nodes to serve, and taints that its operands do not tolerate keep
     * them off all of these. It is nobody's fault, and not enough for those that need it first.
     */
    public static final String NODES_KEPT_OFF = "NodesKeptOff";

    /** The state that its writes are counted to. */
    public static final String STATE = "dependencies";

    /** One that nobody has to write now. */
    public static Dependency judged(ObjectRef ref, Outcome outcome) {
        return new Dependency(ref, Optional.empty(), false, "", outcome);
    }
}
