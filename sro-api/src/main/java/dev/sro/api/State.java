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
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class State {

    /** SRO's convention: four digits that order and label the state, then a name. */
    private static final Pattern ID = Pattern.compile("[0-9]{4}[-_][a-z0-9]([-a-z0-9]*[a-z0-9])?");

    private static final int MAX_ID = 63;

    /** A label key has 63 characters, and {@code capability-} is in front. */
    private static final int MAX_CAPABILITY = 52;

    State() {}

    /** Multiplicities of the rendering of a state's manifests. */
    public enum Scope {
        /** Once for each pool. Objects without the kernel-affine annotation must come out equal for all of them. */
        POOL,
        /** Once for the special resource; pool variables are not available. */
        CLUSTER
    }

    /** Fates of the objects of a state that are not wanted any more. */
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

    /** The multiplicity with which the manifests are rendered. */
    @Value.Default
    public Scope scope() {
        return Scope.POOL;
    }

    /** The way to its nodes: all at once unless said otherwise. */
    @Value.Default
    public Reach reach() {
        return Reach.whole();
    }

    /**
     * Labels of the nodes that this state is for; all nodes of the special resource when empty. They are merged into the
     * node selectors of its DaemonSets, and a node without them counts as ready: an operand that is not wanted on a node
     * holds up nothing there.
     */
    public abstract Map<String, String> nodes();

    /** The fate of its objects in the end. */
    @Value.Default
    public Cleanup cleanup() {
        return Cleanup.DELETE;
    }

    /** Conditions that the state has to meet beyond the readiness of its objects; all of them. */
    public abstract List<ReadinessRule> readiness();

    /** Limits of a state that validates: time, retries, repetition, and a condition of its nodes. */
    public abstract Optional<ValidationLimits> limits();

    /** The source of the objects. */
    public abstract List<ManifestTemplate> manifests();

    /** Values for the placeholders of this state only, beside those of the plugin and of SRO. */
    public abstract Map<String, Object> variables();

    /**
     * Capabilities of nodes on which this state is ready, for plugins of other vendors: capabilities such as {@code network-driver}, DNS
     * labels. Only for states that are reached node by node. SRO labels such nodes {@code sro.dev/capability-<name>}.
     */
    public abstract Set<String> provides();

    /**
     * Capabilities that come first on a node, wherever another special resource brings them: there the pods of this state's DaemonSets
     * come when that one's state is ready on the node, and leave when it is not any more. On nodes to which no other special resource
     * brings the capability, nothing is waited for. Only for states that are reached node by node; what comes after such a state
     * waits with it.
     */
    public abstract Set<String> afterCapabilities();

    /**
     * Name of the driver for Dynamic Resource Allocation whose pods this state has, as ResourceClaims tell it: {@code
     * gpu.vendor.example}. Nobody else can take devices back from pods, so that its objects are not deleted as long as a claim is
     * allocated by it; DeviceClasses are, so that there are no new ones. See {@code sro.dev/abandon-claims}.
     */
    public abstract Optional<String> draDriver();

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
        draDriver().ifPresent(name -> Checks.dnsSubdomain("State.draDriver of " + id(), name));
        provides().forEach(name -> capability("provides", name));
        afterCapabilities().forEach(name -> capability("afterCapabilities", name));
        Checks.require(
                reach().byNode() || readiness().stream().noneMatch(ReadinessRule.NodeShare.class::isInstance),
                "State.readiness of " + id(),
                "NodeShare needs a state that is reached node by node; set reach(Reach.nodeByNode())");
        limits().ifPresent(limits -> {
            Checks.require(
                    limits.nodeCondition().isEmpty() || reach().byNode(),
                    "State.limits of " + id(),
                    "nodeCondition needs a state that is reached node by node; set reach(Reach.nodeByNode())");
            Checks.require(
                    limits.repeatEvery().isEmpty() || !reach().leavesWhenReady(),
                    "State.limits of " + id(),
                    "repeatEvery needs pods that stay on their nodes; leave out leavingWhenReady or repeatEvery");
        });
        nodes().forEach((key, value) -> {
            Checks.qualifiedName("State.nodes of " + id(), key);
            Checks.labelValue("State.nodes of " + id() + "[" + key + "]", value);
        });
    }

    private void capability(String field, String name) {
        Checks.dnsLabel("State." + field + " of " + id(), name);
        Checks.require(
                name.length() <= MAX_CAPABILITY,
                "State." + field + " of " + id(),
                "\"" + name + "\" may have " + MAX_CAPABILITY + " characters at most");
        Checks.require(
                reach().byNode(),
                "State." + field + " of " + id(),
                "\"" + name + "\" needs a state that is reached node by node; set reach(Reach.nodeByNode())");
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
