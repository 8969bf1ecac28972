package dev.sro.testkit.server;

import dev.sro.testkit.VirtualClock;

/**
 * Something that works on the cluster's objects beside the API server: a built-in controller, a simulated kubelet. It subscribes
 * to changes when it is made, notes what is to be done, and does it in {@link #work()}. Everything that takes time is a timer
 * on the clock, never a wait.
 */
@FunctionalInterface
public interface Controller {
    /** Does the noted work. Returns whether anything was done; called again until nothing is. Never called concurrently. */
    boolean work();

    /** Makes a controller for one cluster. */
    @FunctionalInterface
    interface Factory {
        /** Subscribes to what the controller needs and returns it. */
        Controller create(ClusterApi api, VirtualClock clock);
    }
}
