package dev.sro.core.driver;

import dev.sro.api.Problem;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.SignPlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is asked for in one pool, before anybody looked what there is. Immutable.
 *
 * @param candidates best first; empty where nothing is said of images, or there is none
 * @param none why there is no candidate although there should be one
 * @param keepCurrent whether an image that the pool has stays until a better one exists
 * @param pollEvery how often registries are asked again; less and less often where it is empty
 * @param pinDigest whether images are named by digest
 * @param makings what makes the candidates of kind BUILD, by reference
 * @param load what is loaded; empty where the recipe does that
 * @param pullSecrets names of Secrets in the operand namespace
 * @param warnings what is probably not meant like that
 * @param known false when it makes no sense, or nobody gave an answer: then what is there stays
 */
public record DriverRequest(
        List<ImageCandidate> candidates,
        Optional<Problem> none,
        boolean keepCurrent,
        Optional<Duration> pollEvery,
        boolean pinDigest,
        Map<String, Making> makings,
        Optional<LoadPlan> load,
        List<String> pullSecrets,
        List<String> warnings,
        boolean known) {

    /** Nothing is asked for. */
    public static final DriverRequest NOTHING = new DriverRequest(
            List.of(),
            Optional.empty(),
            true,
            Optional.empty(),
            false,
            Map.of(),
            Optional.empty(),
            List.of(),
            List.of(),
            true);

    /** Copies. */
    public DriverRequest {
        candidates = List.copyOf(candidates);
        makings = Map.copyOf(makings);
        pullSecrets = List.copyOf(pullSecrets);
        warnings = List.copyOf(warnings);
    }

    /** How an image is made: built, signed, or both. */
    public record Making(Optional<BuildPlan> build, Optional<SignPlan> sign) {

        /** Whether there is a way at all. */
        boolean isPossible() {
            return build.isPresent() || sign.isPresent();
        }
    }

    /** Whether anything is said of images. */
    public boolean hasImages() {
        return !candidates.isEmpty() || none.isPresent();
    }

    /** It makes no sense, or there is no answer. */
    public static DriverRequest refused(Problem problem) {
        return new DriverRequest(
                List.of(),
                Optional.of(problem),
                true,
                Optional.empty(),
                false,
                Map.of(),
                Optional.empty(),
                List.of(),
                List.of(),
                false);
    }
}
