package dev.sro.core.allocation;

import dev.sro.core.slicing.Spread;
import java.util.ArrayList;
import java.util.List;

/**
 * What one pod still needs. Immutable.
 *
 * @param uid of the pod
 * @param key {@code namespace/name}
 * @param claims of ours that are not allocated
 * @param had UIDs of those of ours that are
 * @param spread how all of its slices lie to each other
 * @param nodes on which it may be
 */
public record PodDemand(
        String uid, String key, List<ClaimDemand> claims, List<String> had, Spread spread, List<String> nodes) {
    /** The same for pods that ask for the same, wherever they may be; for those that have nothing yet. */
    public Object shape() {
        List<Object> shape = new ArrayList<>();
        shape.add(spread);
        claims.forEach(claim -> {
            shape.add(claim.asks());
            shape.add(claim.rules());
        });
        return shape;
    }

    /** Copies the lists. */
    public PodDemand {
        claims = List.copyOf(claims);
        had = List.copyOf(had);
        nodes = List.copyOf(nodes);
    }
}
