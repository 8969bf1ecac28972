package dev.sro.agent.device;

import java.util.List;

/**
 * A GPU instance as the driver reports it, whoever made it. Immutable.
 *
 * @param id by which the driver knows it; the next instance may have the same
 * @param profileId of {@link DriverProfile#id()}
 * @param start first memory unit
 * @param size width in memory units
 * @param compute the compute instances in it
 */
public record GpuInstance(int id, int profileId, int start, int size, List<ComputeInstance> compute) {
    /** Copies the list. */
    public GpuInstance {
        compute = List.copyOf(compute);
    }

    /** Whether it takes any of these units. */
    public boolean overlaps(int otherStart, int otherSize) {
        return start < otherStart + otherSize && otherStart < start + size;
    }
}
