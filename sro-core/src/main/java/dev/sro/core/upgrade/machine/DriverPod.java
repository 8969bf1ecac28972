package dev.sro.core.upgrade.machine;

import java.util.Objects;

/**
 * The driver's pod on a node; of a driver that worker pods load, what is loaded. Immutable.
 *
 * @param state how it relates to the wanted driver
 * @param uid of the pod; empty when there is none
 * @param restarts most restarts of one of its containers, init containers included, that is not ready
 * @param message why it is not ready, for people; may be empty
 */
public record DriverPod(State state, String uid, int restarts, String message) {

    /** How a driver's pod relates to the wanted driver (that of {@link Rollout#target}). */
    public enum State {
        /** There is none. */
        ABSENT,
        /** It runs another revision than the wanted one. */
        OUTDATED,
        /** Its DaemonSet is gone; as of others of its kind, nothing happens to it until somebody asks for an upgrade. */
        ORPHANED,
        /** It is being deleted. */
        TERMINATING,
        /** The wanted revision, not ready. */
        CURRENT_NOT_READY,
        /** The wanted revision, ready. */
        CURRENT_READY
    }

    /** No pod. */
    public static final DriverPod ABSENT = new DriverPod(State.ABSENT, "", 0, "");

    /** Checks. */
    public DriverPod {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(message, "message");
        if (restarts < 0) {
            throw new IllegalArgumentException("DriverPod.restarts: " + restarts + " must not be negative");
        }
    }

    /** A pod without a story. */
    public static DriverPod of(State state, String uid) {
        return new DriverPod(state, uid, 0, "");
    }
}
