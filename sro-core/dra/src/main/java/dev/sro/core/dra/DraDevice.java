package dev.sro.core.dra;

/**
 * What the name of a published device stands for: a whole GPU, or a placement on it. Immutable.
 *
 * @param name as in the slice and in the status of a claim
 * @param pciAddress of the GPU
 * @param profile name of the profile as the model has it; empty for the whole GPU
 * @param start first memory unit of a slice; 0 for the whole GPU
 */
public record DraDevice(String name, String pciAddress, String profile, int start) {
    /** Whether this is the whole GPU. */
    public boolean whole() {
        return profile.isEmpty();
    }
}
