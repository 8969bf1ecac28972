package dev.sro.agent.emulated;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.PciAddress;
import java.util.Optional;

/**
 * Calls that are to fail. Immutable.
 *
 * @param operation which calls
 * @param gpu of which GPU; of all if empty
 * @param kind how they fail
 * @param skip how many such calls go well before
 * @param times how many fail then
 * @param done whether what was asked for is done all the same, as when an answer is lost
 */
public record EmulatedFailure(
        EmulatedOperation operation,
        Optional<PciAddress> gpu,
        DeviceException.Kind kind,
        int skip,
        int times,
        boolean done) {}
