package dev.sro.core.driver;

import dev.sro.api.Outcome;
import dev.sro.api.driver.ImageCandidate;
import java.util.Optional;

/** Which image the driver of a pool comes from, as far as it is known. Immutable. */
public sealed interface ImageChoice {

    /**
     * The image that objects of the pool are made with; empty when there is none yet, and then nothing that needs one is made or
     * changed.
     */
    Optional<String> image();

    /** What is waited for, or what is wrong; empty when the pool has the best image that it can have. */
    Optional<Outcome> obstacle();

    /**
     * An image that exists, prebuilt or built, or that needs no look.
     *
     * @param candidate which one
     * @param reference the image as pods name it: with its digest instead of its tag where that was asked for
     */
    record Chosen(ImageCandidate candidate, String reference) implements ImageChoice {
        @Override
        public Optional<String> image() {
            return Optional.of(reference);
        }

        @Override
        public Optional<Outcome> obstacle() {
            return Optional.empty();
        }
    }

    /**
     * An image that exists and compiles the driver when it starts on the node.
     *
     * @param candidate which one
     * @param reference the image as pods name it
     */
    record CompileOnNode(ImageCandidate candidate, String reference) implements ImageChoice {
        @Override
        public Optional<String> image() {
            return Optional.of(reference);
        }

        @Override
        public Optional<Outcome> obstacle() {
            return Optional.empty();
        }
    }

    /**
     * The image that the pool has worked with until now, because a better one is not there yet.
     *
     * @param reference the image as the pool's objects name it
     * @param awaited what is waited for, with the tag, or why it cannot be had
     */
    record Previous(String reference, Outcome awaited) implements ImageChoice {
        @Override
        public Optional<String> image() {
            return Optional.of(reference);
        }

        @Override
        public Optional<Outcome> obstacle() {
            return Optional.of(awaited);
        }
    }

    /**
     * No image yet: what needs one waits, in this pool only.
     *
     * @param awaited what is waited for, with the tag, or why it cannot be had
     */
    record Awaited(Outcome awaited) implements ImageChoice {
        @Override
        public Optional<String> image() {
            return Optional.empty();
        }

        @Override
        public Optional<Outcome> obstacle() {
            return Optional.of(awaited);
        }
    }

    /** Nothing was said of images: the manifests name theirs themselves. */
    record None() implements ImageChoice {
        @Override
        public Optional<String> image() {
            return Optional.empty();
        }

        @Override
        public Optional<Outcome> obstacle() {
            return Optional.empty();
        }
    }
}
