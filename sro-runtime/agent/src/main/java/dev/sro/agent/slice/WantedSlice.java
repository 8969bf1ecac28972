package dev.sro.agent.slice;

import dev.sro.agent.device.PciAddress;

/**
 * What the scheduler gave to a claim: a slice, or a whole GPU. Immutable.
 *
 * @param device its name in the ResourceSlice
 * @param gpu on which GPU
 * @param profile name of the profile; {@code whole} for the whole GPU
 * @param start first memory unit
 */
public record WantedSlice(String device, PciAddress gpu, String profile, int start) {
    /** The whole GPU. */
    public static WantedSlice whole(String device, PciAddress gpu) {
        return new WantedSlice(device, gpu, Place.WHOLE, 0);
    }

    /** Whether it is the whole GPU. */
    boolean isWhole() {
        return profile.equals(Place.WHOLE);
    }
}
