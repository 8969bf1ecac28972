package dev.sro.agent.emulated;

import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.PciAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What one node is to have. Immutable.
 *
 * @param version the driver
 * @param create how long it takes to make an instance of either kind
 * @param destroy how long it takes to destroy one
 * @param gpus in the order of their addresses
 * @param failures calls that are to fail
 * @param faults GPUs that are ill from the beginning, with the number of the error report
 */
public record EmulatedNode(
        DriverVersion version,
        Duration create,
        Duration destroy,
        List<EmulatedGpus> gpus,
        List<EmulatedFailure> failures,
        Map<PciAddress, Integer> faults) {
    /** Copies the collections. */
    public EmulatedNode {
        gpus = List.copyOf(gpus);
        failures = List.copyOf(failures);
        faults = Map.copyOf(faults);
    }

    /** With GPUs that are well. */
    public EmulatedNode(
            DriverVersion version,
            Duration create,
            Duration destroy,
            List<EmulatedGpus> gpus,
            List<EmulatedFailure> failures) {
        this(version, create, destroy, gpus, failures, Map.of());
    }
}
