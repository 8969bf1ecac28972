package dev.sro.core.allocation;

import java.util.Map;
import java.util.Set;

/**
 * A GPU, and who has what of it. Immutable.
 *
 * @param claims UIDs by the device that they have
 * @param kept whether something of it is kept for somebody
 */
record HeldGpu(String node, FleetGpu gpu, Map<String, Set<String>> claims, boolean kept) {
    HeldGpu {
        claims = Map.copyOf(claims);
    }
}
