package dev.sro.agent.node;

import dev.sro.agent.device.PciAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Below which PCIe root a device sits, by the kernel's sysfs, in the words of {@code resource.kubernetes.io/pcieRoot}: {@code pci0000:3a}. By it a claim
 * asks for a GPU and a network card that are near each other. Thread-safe.
 */
public final class PcieRoots {
    private final Optional<Path> sys;

    private PcieRoots(Optional<Path> sys) {
        this.sys = sys;
    }

    /** Of devices that are not there. */
    public static PcieRoots none() {
        return new PcieRoots(Optional.empty());
    }

    /** Of those of this machine; {@code sys} is {@code /sys}. */
    public static PcieRoots below(Path sys) {
        return new PcieRoots(Optional.of(sys));
    }

    /** Empty if the kernel does not say. */
    public Optional<String> of(PciAddress device) {
        return sys.flatMap(root -> {
            try {
                Path devices = root.resolve("devices").toRealPath();
                Path real = root.resolve("bus/pci/devices")
                        .resolve(device.toString())
                        .toRealPath();
                return real.startsWith(devices)
                        ? Optional.of(devices.relativize(real).getName(0).toString())
                                .filter(name -> name.startsWith("pci"))
                        : Optional.empty();
            } catch (IOException e) {
                return Optional.empty();
            }
        });
    }
}
