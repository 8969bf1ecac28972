package dev.sro.api.device;

import dev.sro.api.Checks;
import dev.sro.api.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/** How a node gets from its present layout to the wanted one, or why it cannot. Immutable. */
@Value.Immutable
@ValueStyle
public abstract class PartitionPlan {

    PartitionPlan() {}

    /** What has to be reset to get there. */
    public enum Reset {
        /** Nothing: partitions are made and removed in operation. */
        NONE,
        /** The devices whose layout changes. */
        DEVICE,
        /** The driver of the node. */
        DRIVER,
        /** The node is booted anew. */
        NODE
    }

    /** The layout of every device on the node. */
    public abstract List<DeviceLayout> layouts();

    /** What has to be reset. */
    @Value.Default
    public Reset reset() {
        return Reset.NONE;
    }

    /** Node labels that hold operands off while it happens, and their value then. */
    public abstract Map<String, String> pause();

    /** Whether pods that use a device of the node have to go first. */
    @Value.Default
    public boolean evictUsers() {
        return false;
    }

    /** Why the wanted layout cannot be had; then the layouts are empty. */
    public abstract Optional<Problem> problem();

    @Value.Check
    void check() {
        Checks.require(
                problem().isEmpty() || layouts().isEmpty(),
                "PartitionPlan.layouts",
                "a plan with a problem has no layouts; remove one of them");
        Checks.noDuplicates(
                "PartitionPlan.layouts",
                layouts().stream().map(DeviceLayout::device).toList());
        pause().forEach((key, value) -> {
            Checks.ownedName("PartitionPlan.pause", key);
            Checks.labelValue("PartitionPlan.pause[" + key + "]", value);
        });
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link PartitionPlan}. Not thread-safe. */
    public static final class Builder extends ImmutablePartitionPlan.Builder {
        Builder() {}
    }
}
