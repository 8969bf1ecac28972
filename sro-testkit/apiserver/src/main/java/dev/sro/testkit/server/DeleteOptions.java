package dev.sro.testkit.server;

import org.jspecify.annotations.Nullable;

/**
 * How an object is deleted.
 *
 * @param propagation what happens to dependents, null for the default of the type
 * @param graceSeconds grace period in seconds, null for the default of the object (pods only)
 * @param uid delete only the object with this uid
 * @param resourceVersion delete only at this version
 */
public record DeleteOptions(
        @Nullable Propagation propagation,
        @Nullable Long graceSeconds,
        @Nullable String uid,
        @Nullable String resourceVersion) {
    /** What happens to the dependents of a deleted object. */
    public enum Propagation {
        BACKGROUND,
        FOREGROUND,
        ORPHAN
    }

    /** The defaults of the API: background for most types, the pod's own grace period. */
    public static final DeleteOptions DEFAULT = new DeleteOptions(null, null, null, null);

    /** At once, without a grace period: what a kubelet does when the containers have ended. */
    public static final DeleteOptions NOW = new DeleteOptions(Propagation.BACKGROUND, 0L, null, null);

    /** The defaults with this propagation. */
    public static DeleteOptions with(Propagation propagation) {
        return new DeleteOptions(propagation, null, null, null);
    }
}
