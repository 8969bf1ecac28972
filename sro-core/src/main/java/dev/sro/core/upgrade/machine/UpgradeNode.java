package dev.sro.core.upgrade.machine;

import dev.sro.api.operation.UpgradeAction;
import dev.sro.core.model.ValueStyle;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * Facts of one node that an upgrade goes by, for one special resource. Immutable; an idle node's facts may be kept and handed over
 * again as long as nothing of it changed.
 */
@Value.Immutable
@ValueStyle
public abstract class UpgradeNode {

    UpgradeNode() {}

    /** Name of the node. */
    public abstract String name();

    /** Value of the label with the phase as it is, garbage included; empty for none. */
    @Value.Default
    public String label() {
        return "";
    }

    /** Text of the annotation with the note, see {@link NodeStep#note()}; empty for none. */
    @Value.Default
    public String note() {
        return "";
    }

    /** {@code spec.unschedulable}. */
    @Value.Default
    public boolean cordoned() {
        return false;
    }

    /**
     * Whether we applied {@code spec.unschedulable} for this special resource and still own it. False when somebody else made the
     * node unschedulable, which another special resource is too.
     */
    @Value.Default
    public boolean cordonedByUs() {
        return false;
    }

    /** Whether it is the only node of the cluster: it is not cordoned, as whoever goes has to come back to it. */
    @Value.Default
    public boolean alone() {
        return false;
    }

    /** Condition {@code Ready}. */
    @Value.Default
    public boolean ready() {
        return true;
    }

    /** {@code status.nodeInfo.bootID}; empty when not known. */
    @Value.Default
    public String bootId() {
        return "";
    }

    /** What keeps the node from booting, as far as somebody says; empty otherwise. */
    @Value.Default
    public String bootProblem() {
        return "";
    }

    /** Whether the skip label says {@code "true"}: the node is not taken on. What has begun ends. */
    @Value.Default
    public boolean skip() {
        return false;
    }

    /** Whether the annotation says that somebody asks for an upgrade of this node, whatever its driver. */
    @Value.Default
    public boolean requested() {
        return false;
    }

    /** Whether a freshly booted driver waits for permission to load. */
    @Value.Default
    public boolean safeLoadWaiting() {
        return false;
    }

    /** Another special resource that is working on this node. */
    public abstract Optional<String> holder();

    /**
     * Whether the holder goes first, or, without one, another special resource that still has to begin and that the order puts before
     * this one. Of two special resources on a node never both yield.
     */
    @Value.Default
    public boolean yields() {
        return false;
    }

    /** Whether another special resource keeps the node unschedulable and, by the order, waits for this one. */
    @Value.Default
    public boolean awaited() {
        return false;
    }

    /** The driver's pod. */
    @Value.Default
    public DriverPod driver() {
        return DriverPod.ABSENT;
    }

    /**
     * What the change asks of this node; empty when the plugin could not say, see {@link #actionProblem()}. Of a node whose driver's
     * pod is outdated, {@code NONE} says that it need not be replaced; of others it does not matter.
     */
    @Value.Default
    public Optional<UpgradeAction> action() {
        return Optional.of(UpgradeAction.NONE);
    }

    /** Why {@link #action()} is empty. */
    @Value.Default
    public String actionProblem() {
        return "";
    }

    /**
     * Whether the pods below are known. They need not be of a node that is not in progress; one in progress waits until they are.
     */
    @Value.Default
    public boolean podsKnown() {
        return true;
    }

    /** Jobs that are waited for and still run. */
    public abstract List<BlockingPod> jobs();

    /** Pods that use the device, judged by {@link RolloutPolicy#podDeletion()}. */
    public abstract List<BlockingPod> users();

    /** All pods that a drain takes away, judged by {@link RolloutPolicy#drain()}. */
    public abstract List<BlockingPod> drainPods();

    /** Maintenance by another operator. */
    @Value.Default
    public NodeCheck maintenance() {
        return NodeCheck.ABSENT;
    }

    /** Validation on this node of the driver pod that runs now; one that an earlier pod passed counts as waiting. */
    @Value.Default
    public NodeCheck validation() {
        return NodeCheck.ABSENT;
    }

    /** What is said of resets that devices of the node need. */
    @Value.Default
    public DeviceReset reset() {
        return DeviceReset.NONE;
    }

    /** Labels by which waves and windows choose; may be limited to those that they name. */
    public abstract Map<String, String> labels();

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder with these facts. */
    public Builder with() {
        return new Builder().from(this);
    }

    /** Builds {@link UpgradeNode}. Not thread-safe. */
    public static final class Builder extends ImmutableUpgradeNode.Builder {
        Builder() {}
    }
}
