package dev.sro.core.build;

import dev.sro.api.Pool;
import dev.sro.api.driver.BuildPlan;
import dev.sro.core.model.MetadataKeys;
import java.util.Map;

/**
 * One run of a builder: a build, or the signature, which is a build as well. Immutable.
 *
 * @param kind which of both
 * @param resource name of the special resource
 * @param namespace of the operands
 * @param pool it is for
 * @param method what builds it; never {@code ANY}
 * @param plan how, with the Dockerfile and all arguments
 * @param hash of all its inputs: equal inputs need no second build
 */
public record BuildStep(
        Kind kind, String resource, String namespace, Pool pool, BuildPlan.Method method, BuildPlan plan, String hash) {

    /** What a step does. */
    public enum Kind {
        /** Builds. */
        BUILD("build"),
        /** Signs what is built. */
        SIGN("sign");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** As it is in names. */
        public String word() {
            return word;
        }
    }

    /** Annotation: hash of the inputs of a build. */
    public static final String INPUTS = "sro.dev/build-inputs";

    /** Annotation: which attempt it is, from 1. */
    public static final String ATTEMPT = "sro.dev/build-attempt";

    /** Annotation: the image that it makes. */
    public static final String IMAGE = "sro.dev/build-image";

    /** Leaves room for the hash, the attempt and what builders append: {@code -1-build}. */
    private static final int MAX_PREFIX = 22;

    /**
     * Name of its objects: stable for equal inputs, other for other ones, and short enough that what builders append still
     * fits a label.
     *
     * @param attempt from 1
     */
    public String name(int attempt) {
        String base = MetadataKeys.fit(resource.replace('.', '-'), MAX_PREFIX) + "-" + kind.word + "-" + hash;
        return attempt == 1 ? base : base + "-" + attempt;
    }

    /** The image that it makes. */
    public String image() {
        return plan.pushTo();
    }

    /** How messages name it. */
    public String describe() {
        return (kind == Kind.BUILD ? "the build of " : "the signing of ") + image() + " for pool " + pool.name();
    }

    /** Annotations of all its objects. */
    Map<String, String> annotations(int attempt) {
        return Map.of(INPUTS, hash, ATTEMPT, Integer.toString(attempt), IMAGE, image(), MetadataKeys.POOL, pool.name());
    }
}
