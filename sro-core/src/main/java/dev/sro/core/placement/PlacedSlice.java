package dev.sro.core.placement;

/**
 * A slice with its place. Immutable.
 *
 * @param namespace of claim and pod
 * @param claim name of the claim
 * @param pod name of the pod that it is for
 * @param uid of that pod
 * @param container for which it is; empty where that is not said
 * @param node that carries it
 * @param gpu UUID of the GPU
 * @param profile as the model of the GPU has it
 * @param start first memory unit
 * @param size memory units that it takes
 */
public record PlacedSlice(
        String namespace,
        String claim,
        String pod,
        String uid,
        String container,
        String node,
        String gpu,
        String profile,
        int start,
        int size) {
    /** The claim, unique in the cluster: {@code namespace/name}. */
    public String id() {
        return namespace + "/" + claim;
    }

    boolean samePlace(PlacedSlice other) {
        return gpu.equals(other.gpu)
                && node.equals(other.node)
                && start == other.start
                && profile.equals(other.profile);
    }

    @Override
    public String toString() {
        return profile + " at " + start + " of " + gpu + " on " + node + " for " + namespace + "/" + pod;
    }
}
