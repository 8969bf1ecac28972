package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.VirtualClock;
import java.util.Optional;

/**
 * Something that works on the cluster's objects beside the API server: a built-in controller, a simulated kubelet. It subscribes
 * to changes when it is made, notes what is to be done, and does it in {@link #work()}. Everything that takes time is a timer
 * on the clock, never a wait.
 */
@FunctionalInterface
public interface Controller {
    /** Does the noted work. Returns whether anything was done; called again until nothing is. Never called concurrently. */
    boolean work();

    /** What a container of a pod printed, from its beginning; empty when the controller knows nothing of it. Thread-safe. */
    default Optional<String> podLog(JsonNode pod, String container) {
        return Optional.empty();
    }

    /** Makes a controller for one cluster. */
    @FunctionalInterface
    interface Factory {
        /** Subscribes to what the controller needs and returns it. */
        Controller create(ClusterApi api, VirtualClock clock);
    }
}
