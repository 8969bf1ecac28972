package dev.sro.agent.publish;

import java.util.Set;

/**
 * What the claims of the cluster say of a pool. Immutable.
 *
 * @param devices names of the devices of the pool that claims were allocated, prepared or not
 * @param waiting whether any claim, of whatever driver, has no devices yet
 * @param lossClasses whether a claim asks by the loss classes of our devices, or did within the last hour
 */
record DeviceUse(Set<String> devices, boolean waiting, boolean lossClasses) {
    /** Copies the set. */
    DeviceUse {
        devices = Set.copyOf(devices);
    }
}
