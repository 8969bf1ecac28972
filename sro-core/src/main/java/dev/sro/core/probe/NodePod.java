package dev.sro.core.probe;

import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * What an upgrade needs of a pod on a node in transition, whoever made it. Immutable.
 *
 * @param namespace of the pod
 * @param name of the pod
 * @param uid of the pod
 * @param labels of the pod
 * @param resources what its containers ask for or are limited to, by resource name
 * @param controller kind of what controls it; empty when nothing does
 * @param mirror whether the kubelet made it from a file: nobody can evict it
 * @param emptyDir whether it has data that goes with it
 * @param claims its resource claims
 * @param finished whether it has ended
 * @param terminating whether it is being deleted
 * @param held whether a finalizer keeps it
 * @param created when it was made; long ago where that is not known
 */
public record NodePod(
        String namespace,
        String name,
        String uid,
        Map<String, String> labels,
        Map<String, String> resources,
        String controller,
        boolean mirror,
        boolean emptyDir,
        Claims claims,
        boolean finished,
        boolean terminating,
        boolean held,
        Instant created) {

    /**
     * Resource claims of a pod.
     *
     * @param any whether it has any, those included that are not made yet
     * @param names {@code namespace/name} of those that are
     * @param drivers names of the drivers that allocated them
     */
    public record Claims(boolean any, Set<String> names, Set<String> drivers) {
        /** A pod without. */
        public static final Claims NONE = new Claims(false, Set.of(), Set.of());

        /** Copies. */
        public Claims {
            names = Set.copyOf(names);
            drivers = Set.copyOf(drivers);
        }
    }

    /** Copies. */
    public NodePod {
        labels = Map.copyOf(labels);
        resources = Map.copyOf(resources);
    }

    /** The same, being deleted. */
    public NodePod leaving() {
        return new NodePod(
                namespace,
                name,
                uid,
                labels,
                resources,
                controller,
                mirror,
                emptyDir,
                claims,
                finished,
                true,
                held,
                created);
    }

    /** The same, with its claims allocated by these drivers. */
    public NodePod allocatedBy(Set<String> drivers) {
        return new NodePod(
                namespace,
                name,
                uid,
                labels,
                resources,
                controller,
                mirror,
                emptyDir,
                new Claims(claims.any(), claims.names(), drivers),
                finished,
                terminating,
                held,
                created);
    }

    /** Whether it goes with its node and comes back by itself: no eviction takes it away for good. */
    public boolean isBound() {
        return mirror || controller.equals("DaemonSet") || controller.equals("Node");
    }
}
