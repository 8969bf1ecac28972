package dev.sro.api;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.immutables.value.Value;

/**
 * One step on the way from a bare node to a working device. Immutable.
 *
 * <p>A state is Ready when every object in it that has a readiness rule is ready; the last state of a recipe is usually
 * a validation, which proves that the device works.
 */
@Value.Immutable
@ValueStyle
public abstract class State {

    /** SRO's convention: four digits that order and label the state, then a name. */
    private static final Pattern ID = Pattern.compile("[0-9]{4}[-_][a-z0-9]([-a-z0-9]*[a-z0-9])?");

    private static final int MAX_ID = 63;

    State() {}

    /** How often the manifests of a state are rendered. */
    public enum Scope {
        /** Once for each pool. Objects without the kernel-affine annotation must come out equal for all of them. */
        POOL,
        /** Once for the special resource; pool variables are not available. */
        CLUSTER,
        /**
         * Once for each node. Not acted on yet: a recipe that has such a state is refused with
         * {@code ScopeNotSupported}. Until then, use a DaemonSet in a state with {@link State#perNode()}.
         */
        NODE
    }

    /** What becomes of the objects of a state that are not wanted any more. */
    public enum Cleanup {
        /** They are deleted, in reverse order of the states. */
        DELETE,
        /**
         * They stay: they get no owner reference and the annotation {@code sro.dev/keep: "true"}, and neither a recipe
         * without them nor the deletion of the special resource removes them. A single object is kept by putting that
         * annotation into its manifest.
         */
        KEEP
    }

    /** Four digits, a dash, a name: {@code 1000-driver-container}. */
    public abstract String id();

    /** Ids of the states that come first; see {@link StateGraph} for the default. */
    public abstract Set<String> after();

    /** How often the manifests are rendered. */
    @Value.Default
    public Scope scope() {
        return Scope.POOL;
    }

    /**
     * Whether this state is reached node by node. If so, SRO labels each node on which all of the state's DaemonSet
     * pods are ready, and the DaemonSets of the states after it run only on labelled nodes: a bad node holds up
     * nobody else.
     */
    @Value.Default
    public boolean perNode() {
        return false;
    }

    /** What becomes of its objects in the end. */
    @Value.Default
    public Cleanup cleanup() {
        return Cleanup.DELETE;
    }

    /** What the state has to meet beyond the readiness of its objects; all of them. */
    public abstract List<ReadinessRule> readiness();

    /** Limits of a state that validates. */
    public abstract Optional<ValidationLimits> limits();

    /** Where the objects come from. */
    public abstract List<ManifestTemplate> manifests();

    /** Values for the placeholders of this state only, beside those of the plugin and of SRO. */
    public abstract Map<String, Object> variables();

    /** The four digits at the start of the id, which end the state's node label. */
    public final String number() {
        return id().substring(0, 4);
    }

    @Value.Check
    void check() {
        if (id().length() > MAX_ID || !ID.matcher(id()).matches()) {
            throw new IllegalArgumentException("State.id: \"" + id()
                    + "\" must be four digits, a dash and a lower-case name, at most 63 characters,"
                    + " for example 1000-driver-container");
        }
        Checks.require(
                perNode() || readiness().stream().noneMatch(ReadinessRule.NodeShare.class::isInstance),
                "State.readiness of " + id(),
                "NodeShare needs a state that is reached node by node; set perNode(true)");
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** A state with this id and these manifests. */
    public static State of(String id, ManifestTemplate... manifests) {
        return builder().id(id).addManifests(manifests).build();
    }

    /** Builds a {@link State}. Not thread-safe. */
    public static final class Builder extends ImmutableState.Builder {
        Builder() {}
    }
}
