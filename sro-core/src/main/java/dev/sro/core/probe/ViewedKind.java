package dev.sro.core.probe;

import dev.sro.core.model.KubeObject;
import java.util.List;
import java.util.function.Function;

/**
 * A kind of objects that is looked at only while a plan of some special resource depends on it. Whoever needs one declares it once, as a
 * constant, and reads it; watches and caches take any. Immutable.
 *
 * @param versions as {@code group/version/Kind}, the best first: the first that is served is watched
 * @param projection what is kept of an object; a change of anything else is none
 */
public record ViewedKind<T>(List<String> versions, Function<KubeObject, T> projection) {

    /** Copies. */
    public ViewedKind {
        versions = List.copyOf(versions);
    }
}
