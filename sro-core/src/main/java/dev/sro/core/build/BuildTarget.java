package dev.sro.core.build;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Pool;
import dev.sro.core.driver.BuildRequest;
import dev.sro.core.model.ImageMirrors;

/**
 * For whom an image is made, and where. Immutable.
 *
 * @param resource name of the special resource
 * @param namespace of the operands
 * @param pool that needs it
 * @param cluster what the cluster is and serves
 * @param mirrors from where images are pulled instead
 */
public record BuildTarget(String resource, String namespace, Pool pool, ClusterFacts cluster, ImageMirrors mirrors) {

    /** How messages name the image. */
    static String image(BuildRequest request) {
        return request.target().reference();
    }
}
