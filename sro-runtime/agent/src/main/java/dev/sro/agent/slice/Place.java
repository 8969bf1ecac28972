package dev.sro.agent.slice;

import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.GpuInstance;
import dev.sro.agent.device.PciAddress;

/**
 * Where a slice is, or is to be. Immutable.
 *
 * @param gpu the GPU
 * @param profile name of the profile
 * @param profileId the driver's id of it
 * @param start first memory unit
 * @param size width in memory units
 */
public record Place(PciAddress gpu, String profile, int profileId, int start, int size) {
    /** A place of a profile of a GPU. */
    public static Place of(PciAddress gpu, DriverProfile profile, int start) {
        return new Place(gpu, profile.name(), profile.id(), start, profile.size());
    }

    /** What stands for the profile of a whole GPU. */
    static final String WHOLE = "whole";

    private static final int NO_PROFILE = -1;

    /** Wider than any GPU has units, so that it overlaps all of it. */
    private static final int ALL_UNITS = 64;

    /** All of a GPU, which is not cut then. */
    public static Place whole(PciAddress gpu) {
        return new Place(gpu, WHOLE, NO_PROFILE, 0, ALL_UNITS);
    }

    /** Whether it is a whole GPU. */
    public boolean isWhole() {
        return profileId == NO_PROFILE;
    }

    /** Whether both take a unit of the same GPU. */
    public boolean overlaps(Place other) {
        return gpu.equals(other.gpu) && start < other.start + other.size && other.start < start + size;
    }

    /** Whether an instance is of this profile and sits here. */
    public boolean fits(GpuInstance instance) {
        return instance.profileId() == profileId && instance.start() == start && instance.size() == size;
    }

    /** For messages: {@code 3g.20gb at 4 of 0000:3b:00.0}. */
    @Override
    public String toString() {
        return isWhole() ? "all of " + gpu : profile + " at " + start + " of " + gpu;
    }
}
