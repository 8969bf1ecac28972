package dev.sro.api.device;

import dev.sro.api.Checks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * A kind of partition of a device model: a MIG profile, a compute and memory mode, a virtual function. Immutable.
 */
@Value.Immutable
@ValueStyle
public abstract class PartitionProfile {

    PartitionProfile() {}

    /** As the vendor names it: {@code 1g.5gb}, {@code cpx-nps4}, {@code vf}. */
    public abstract String name();

    /** Share of the device's compute slices. */
    @Value.Default
    public int computeSlices() {
        return 1;
    }

    /** Memory as a quantity. */
    public abstract Optional<String> memory();

    /** Legal places; anywhere when empty. */
    public abstract List<PartitionPlacement> placements();

    /** Most partitions of this profile on one device. */
    public abstract Optional<Integer> maxPerDevice();

    /** Resource that pods ask for. */
    public abstract Optional<String> resourceName();

    /** Anything else, by the vendor's own keys: modes, attributes. */
    public abstract Map<String, String> attributes();

    @Value.Check
    void check() {
        Checks.notBlank("PartitionProfile.name", name());
        String field = "PartitionProfile " + name();
        Checks.range(field + ".computeSlices", computeSlices(), 0, 64);
        memory().ifPresent(amount -> Checks.quantity(field + ".memory", amount));
        maxPerDevice().ifPresent(max -> Checks.range(field + ".maxPerDevice", max, 1, 4096));
        resourceName().ifPresent(resource -> Checks.ownedName(field + ".resourceName", resource));
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link PartitionProfile}. Not thread-safe. */
    public static final class Builder extends ImmutablePartitionProfile.Builder {
        Builder() {}
    }
}
