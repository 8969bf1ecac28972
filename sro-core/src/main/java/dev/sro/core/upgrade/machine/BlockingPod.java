package dev.sro.core.upgrade.machine;

import java.util.Objects;

/**
 * A pod that has to go, or has to finish, before the upgrade of its node goes on. Immutable.
 *
 * @param namespace of the pod
 * @param name of the pod
 * @param reason what keeps it
 * @param message for people, such as the name of the PodDisruptionBudget; may be empty
 */
public record BlockingPod(String namespace, String name, Reason reason, String message) {

    /** What keeps a pod on its node. */
    public enum Reason {
        /** Nothing: it may be evicted. */
        NONE(false, true),
        /** It is a job that runs and is waited for. */
        RUNNING(false, false),
        /** Its eviction was refused by a PodDisruptionBudget; asked again. */
        DISRUPTION_BUDGET(false, true),
        /** It is being deleted, and takes its time. */
        TERMINATING(false, false),
        /** It is being deleted, and a finalizer keeps it. */
        FINALIZER(false, false),
        /** Nothing would make it anew, and {@code force} is not set. */
        UNMANAGED(true, false),
        /** It has an emptyDir, and {@code deleteEmptyDir} is not set. */
        EMPTY_DIR(true, false);

        private final boolean hopeless;
        private final boolean evictable;

        Reason(boolean hopeless, boolean evictable) {
            this.hopeless = hopeless;
            this.evictable = evictable;
        }

        /** Whether waiting does not help: the deletion fails at once, before any other pod of the node is evicted. */
        public boolean hopeless() {
            return hopeless;
        }

        /** Whether to ask for an eviction (again). */
        public boolean evictable() {
            return evictable;
        }
    }

    /** Checks. */
    public BlockingPod {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(message, "message");
    }

    /** A pod that may be evicted. */
    public static BlockingPod of(String namespace, String name) {
        return new BlockingPod(namespace, name, Reason.NONE, "");
    }
}
