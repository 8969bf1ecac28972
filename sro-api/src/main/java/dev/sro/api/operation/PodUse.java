package dev.sro.api.operation;

import java.util.Map;
import java.util.Set;

/**
 * A pod as far as it matters for whether it uses a device. Immutable.
 *
 * @param namespace of the pod
 * @param name of the pod
 * @param labels of the pod
 * @param resources what its containers ask for or are limited to, by resource name
 * @param draDrivers names of the drivers that allocated its resource claims
 * @since 0.1.0
 */
public record PodUse(
        String namespace,
        String name,
        Map<String, String> labels,
        Map<String, String> resources,
        Set<String> draDrivers) {

    /** Copies. */
    public PodUse {
        labels = Map.copyOf(labels);
        resources = Map.copyOf(resources);
        draDrivers = Set.copyOf(draDrivers);
    }
}
