package dev.sro.core.build;

import dev.sro.api.Outcome;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is known of the inputs of a build that are not in its plan. Immutable.
 *
 * @param dockerfile content of the ConfigMap with the Dockerfile; empty when the plan has the text or there is none
 * @param baseImage the base image or driver toolkit as it is to be used: with its digest where that is known; empty when the
 *     plan wants none
 * @param signImage the image that signs, likewise; empty when nothing is signed
 * @param unsignedDigest digest of the unsigned image, when it is signed and not built here; empty when unknown
 * @param obstacle why the inputs are not known, and the build has to wait or cannot be; empty when they are
 * @param secrets version or hash of the content of each Secret that takes part, by name; a Secret that is not there is not in it
 */
public record BuildInputs(
        Optional<String> dockerfile,
        Optional<String> baseImage,
        Optional<String> signImage,
        Optional<String> unsignedDigest,
        Optional<Outcome> obstacle,
        Map<String, String> secrets) {

    /** Nothing is known, and nothing need be. */
    public static final BuildInputs NONE = new BuildInputs(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Map.of());

    /** Sorts the Secrets. */
    public BuildInputs {
        SortedMap<String, String> sorted = new TreeMap<>(secrets);
        secrets = Collections.unmodifiableSortedMap(sorted);
    }
}
