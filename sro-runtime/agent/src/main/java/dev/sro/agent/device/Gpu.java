package dev.sro.agent.device;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One GPU of the node. Immutable.
 *
 * @param address its name everywhere
 * @param uuid {@code GPU-...}
 * @param product as the driver prints it
 * @param pciId NVML's {@code 0x20B010DE}, or any spelling that the catalogue reads
 * @param mode whether it may be cut
 * @param minor N of {@code /dev/nvidiaN}; may change with a reset, so it is no name
 * @param numaNode near which it sits, where that is known
 * @param profiles in the driver's order; empty unless {@link GpuMode#SLICES} or {@link GpuMode#WHOLE}
 * @param unavailable what the driver does not say of it, each with the call that it lacks
 * @param resetToSwitch whether a change between {@link GpuMode#SLICES} and {@link GpuMode#WHOLE} needs a reset: on Ampere, not from Hopper on
 */
public record Gpu(
        PciAddress address,
        String uuid,
        String product,
        String pciId,
        GpuMode mode,
        int minor,
        OptionalInt numaNode,
        List<DriverProfile> profiles,
        List<String> unavailable,
        boolean resetToSwitch) {
    /** Copies the collections. */
    public Gpu {
        profiles = List.copyOf(profiles);
        unavailable = List.copyOf(unavailable);
    }

    /** The profile of this name. */
    public Optional<DriverProfile> profile(String name) {
        return profiles.stream().filter(profile -> profile.name().equals(name)).findFirst();
    }

    /** The profile of this id. */
    public Optional<DriverProfile> profile(int id) {
        return profiles.stream().filter(profile -> profile.id() == id).findFirst();
    }
}
