package dev.sro.core.allocation;

import java.util.List;
import java.util.Set;

/**
 * A pod that may be ended, as another one will come in its place. Immutable.
 *
 * @param next what that one will ask for, and where it may be; its UID is that of the pod that ends
 * @param node that the pod is on
 * @param claims UIDs of those that it has
 * @param slices how many devices it has
 */
public record MovablePod(PodDemand next, String node, Set<String> claims, int slices) {
    /** Copies the set. */
    public MovablePod {
        claims = Set.copyOf(claims);
    }

    String uid() {
        return next.uid();
    }

    static int sum(List<MovablePod> pods) {
        return pods.stream().mapToInt(MovablePod::slices).sum();
    }
}
