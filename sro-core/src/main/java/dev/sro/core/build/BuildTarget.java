package dev.sro.core.build;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Pool;
import dev.sro.core.driver.BuildRequest;

/**
 * For whom an image is made, and where. Immutable.
 *
 * @param resource name of the special resource
 * @param namespace of the operands
 * @param pool that needs it
 * @param cluster what the cluster is and serves
 */
public record BuildTarget(String resource, String namespace, Pool pool, ClusterFacts cluster) {

    /** How messages name the image. */
    static String image(BuildRequest request) {
        return request.target().reference();
    }
}
