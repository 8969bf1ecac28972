package dev.sro.core.dra;

import dev.sro.core.slicing.catalogue.DeviceModel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.immutables.value.Value;

/** A GPU of a node, as it is now. Immutable. */
@Value.Immutable
@DraStyle
public interface DraGpu {
    /** A PCI address: domain, bus, device, function in hexadecimal digits. */
    Pattern PCI_ADDRESS = Pattern.compile("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");

    /** Where it is on the PCI bus, in lower case: {@code 0000:3b:00.0}. Names of devices come from it, as minors change on a reboot. */
    String pciAddress();

    /** What it is, as the catalogue or the driver says; empty where it cannot be sliced. */
    Optional<DeviceModel> model();

    /** The name that the driver prints; that of the model where nothing is said. */
    @Value.Default
    default String productName() {
        return model().map(DeviceModel::key).orElse("");
    }

    /** The UUID of the driver, such as {@code GPU-…}. */
    Optional<String> uuid();

    /** The chip, such as {@code Ampere GA100}; that of the model where nothing is said. */
    @Value.Default
    default String architecture() {
        return model().map(DeviceModel::architecture).orElse("");
    }

    /** Version of what the GPU can compute, such as {@code 8.0}. */
    Optional<String> computeCapability();

    /** The PCI root complex, such as {@code pci0000:3a}. */
    Optional<String> pcieRoot();

    /** The NUMA node. */
    OptionalInt numaNode();

    /** Memory of the whole GPU in MiB; what the model says where nothing is said. */
    OptionalInt memoryMiB();

    /** Whether the whole GPU can be had; not on a GPU that stays in MIG mode. */
    @Value.Default
    default boolean whole() {
        return true;
    }

    /** Whether slices can be had; not on a GPU that stays out of MIG mode. A change needs a GPU that nobody has, closed before. */
    @Value.Default
    default boolean slices() {
        return model().isPresent();
    }

    /** What is on the GPU and is no claim's: slices of others, and those that could not be taken away. */
    List<DraObstacle> obstacles();

    /** Why the GPU takes nothing new; empty where it does. What it carries stays. */
    Optional<String> closed();

    /** What ails it, by code such as {@code xid-79}, with what is known of it: it takes nothing new while there is any. */
    Map<String, String> faults();

    /** Refuses a GPU that no device name can be made of. */
    @Value.Check
    default void check() {
        if (!PCI_ADDRESS.matcher(pciAddress()).matches()) {
            throw new IllegalArgumentException(
                    "GPU \"" + pciAddress() + "\": pciAddress is not one such as 0000:3b:00.0, in lower case");
        }
        if (slices() && model().isEmpty()) {
            throw new IllegalArgumentException("GPU " + pciAddress() + ": slices of a model that is not known");
        }
    }

    /** A builder with nothing set. */
    static Builder builder() {
        return new Builder();
    }

    /** Builds {@link DraGpu}s; not thread-safe. {@code build()} throws {@link IllegalArgumentException}. */
    final class Builder extends ImmutableDraGpu.Builder {
        Builder() {}
    }
}
