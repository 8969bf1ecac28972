package dev.sro.core.slicing.catalogue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.immutables.value.Value;

/**
 * One size in which a device can be sliced: its width in memory units, the starts at which hardware accepts it, and
 * what else it takes of the device. Immutable.
 */
@Value.Immutable
@ValueStyle
public interface SliceProfile {
    /** Name as the driver prints it, such as {@code 1g.10gb+me}; unique in its device model. */
    String name();

    /** Other names of the same profile: boards and drivers round memory differently ({@code 7g.79gb}). */
    Set<String> aliases();

    /** Width in memory units (NVML {@code nvmlGpuInstancePlacement_t.size}); at least 1. */
    int size();

    /** Legal first units, ascending, each with {@code start + size <= memoryUnits} of the device model. */
    List<Integer> starts();

    /** The largest number of instances of this profile on one device; at least 1. */
    int maxInstances();

    /** Compute slices, the number before {@code g}; 0 where the scheme has none. Never binds a placement by itself. */
    @Value.Default
    default int computeSlices() {
        return 0;
    }

    /** The share of an instance in each engine of {@link DeviceModel#engineCapacity()}; an engine left out is 0. */
    Map<String, Integer> engines();

    /**
     * The mode that the whole device is in while it carries this profile; profiles of different modes never share a
     * device. Empty where the scheme has no modes.
     */
    @Value.Default
    default String mode() {
        return "";
    }

    /**
     * A group of which a device carries at most {@link DeviceModel#classLimits()} instances. Empty where there is no
     * such rule.
     */
    @Value.Default
    default String limitClass() {
        return "";
    }

    /** NVML {@code NVML_GPU_INSTANCE_PROFILE_*} value; not the published id. */
    OptionalInt nvmlProfileEnum();

    /** GPU instance profile id as {@code nvidia-smi mig -lgip} prints it. */
    OptionalInt giProfileId();

    /** Streaming multiprocessors (or compute units) of one instance, where known: equal slices are not equal compute. */
    OptionalInt multiprocessors();

    /** Copy engines of one instance, where known. */
    OptionalInt copyEngines();

    /** Usable memory of one instance as the driver prints it, in GiB. */
    Optional<Double> memoryGiB();

    /** A builder with nothing set. */
    static Builder builder() {
        return new Builder();
    }

    /** Builds {@link SliceProfile}s; not thread-safe. */
    final class Builder extends ImmutableSliceProfile.Builder {
        Builder() {}
    }
}
