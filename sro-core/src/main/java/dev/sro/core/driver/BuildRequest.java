package dev.sro.core.driver;

import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.SignPlan;
import java.util.Optional;

/**
 * An image that SRO makes: by a build, by signing what is there, or by both, the build first. Immutable.
 *
 * @param target the candidate of kind BUILD that is chosen or waited for
 * @param build how it is built; empty when it is only signed
 * @param sign what is signed in it; empty for nothing. With a build, what the build pushes is {@link SignPlan#unsignedImage()}
 * @param missing whether the registry was asked and does not have the target
 * @param begun whether objects of the build's state exist in the pool already: they stay as long as the target does, so that
 *     changed inputs are seen as a change of them
 */
public record BuildRequest(
        ImageCandidate target, Optional<BuildPlan> build, Optional<SignPlan> sign, boolean missing, boolean begun) {

    /** Checks that there is something to do. */
    public BuildRequest {
        if (build.isEmpty() && sign.isEmpty()) {
            throw new IllegalArgumentException("BuildRequest: " + target.reference() + " is neither built nor signed");
        }
    }

    /** Whether there are to be objects: the image is missing, or this was begun before. An image of others is not built again. */
    public boolean wanted() {
        return missing || begun;
    }
}
