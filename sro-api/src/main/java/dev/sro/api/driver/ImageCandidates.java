package dev.sro.api.driver;

import dev.sro.api.Checks;
import dev.sro.api.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * The images that may serve a pool, best first, or the reason why there is none. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class ImageCandidates {

    ImageCandidates() {}

    /** Best first; the first that exists or can be built is taken. */
    public abstract List<ImageCandidate> candidates();

    /** Why there is none: present exactly when the list is empty, and there are no rules. */
    public abstract Optional<Problem> none();

    /** Rules by which SRO names the candidates for the pool, instead of a list of them. */
    public abstract Optional<TaggedImages> tagged();

    /**
     * Whether a pool that has a working image keeps it until a better candidate exists. Otherwise the pool waits without
     * one.
     */
    @Value.Default
    public boolean keepCurrentUntilAvailable() {
        return true;
    }

    /** The interval at which the registry is asked again for a missing candidate; without it, only when something changes. */
    public abstract Optional<Duration> pollEvery();

    @Value.Check
    void check() {
        Checks.require(
                tagged().isPresent() || candidates().isEmpty() == none().isPresent(),
                "ImageCandidates.none",
                "say why when there is no candidate, and only then");
        Checks.require(
                tagged().isEmpty() || (candidates().isEmpty() && none().isEmpty()),
                "ImageCandidates.tagged",
                "name candidates, or say the rules for their names, one of the two");
        Checks.noDuplicates(
                "ImageCandidates.candidates",
                candidates().stream().map(ImageCandidate::reference).toList());
        pollEvery()
                .ifPresent(every -> Checks.require(
                        every.compareTo(Duration.ofSeconds(30)) >= 0,
                        "ImageCandidates.pollEvery",
                        every + " is too often for a registry; 30 seconds or more"));
    }

    /** The candidates, best first. */
    public static ImageCandidates of(ImageCandidate... candidates) {
        return builder().addCandidates(candidates).build();
    }

    /** Candidates by rules. */
    public static ImageCandidates tagged(TaggedImages rules) {
        return builder().tagged(rules).build();
    }

    /** No candidate. */
    public static ImageCandidates none(Problem why) {
        return builder().none(why).build();
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link ImageCandidates}. Not thread-safe. */
    public static final class Builder extends ImmutableImageCandidates.Builder {
        Builder() {}
    }
}
