package dev.sro.api.device;

import dev.sro.api.Checks;
import java.util.List;
import org.immutables.value.Value;

/** A device model that can be partitioned. Immutable. */
@Value.Immutable
@ValueStyle
public abstract class PartitionableModel {

    PartitionableModel() {}

    /** As in {@link DetectedDevice#model()}. */
    public abstract String name();

    /** Number of memory slices, of which placements are made. */
    @Value.Default
    public int memorySlices() {
        return 1;
    }

    /** Number of compute slices. */
    @Value.Default
    public int computeSlices() {
        return 1;
    }

    /** The kinds of partitions. */
    public abstract List<PartitionProfile> profiles();

    @Value.Check
    void check() {
        Checks.notBlank("PartitionableModel.name", name());
        String field = "PartitionableModel " + name();
        Checks.range(field + ".memorySlices", memorySlices(), 1, 64);
        Checks.range(field + ".computeSlices", computeSlices(), 1, 64);
        Checks.require(!profiles().isEmpty(), field + ".profiles", "name at least one");
        Checks.noDuplicates(
                field + ".profiles",
                profiles().stream().map(PartitionProfile::name).toList());
        for (PartitionProfile profile : profiles()) {
            Checks.require(
                    profile.computeSlices() <= computeSlices(),
                    field + ".profiles",
                    "\"" + profile.name() + "\" has more compute slices than the device");
            Checks.require(
                    profile.placements().stream().allMatch(place -> place.start() + place.size() <= memorySlices()),
                    field + ".profiles",
                    "a placement of \"" + profile.name() + "\" ends beyond slice " + (memorySlices() - 1));
        }
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link PartitionableModel}. Not thread-safe. */
    public static final class Builder extends ImmutablePartitionableModel.Builder {
        Builder() {}
    }
}
