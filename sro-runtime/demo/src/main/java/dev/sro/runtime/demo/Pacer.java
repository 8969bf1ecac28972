package dev.sro.runtime.demo;

import java.time.Duration;

/** Lets a person see what happens: waits while the cluster's time passes. */
@FunctionalInterface
interface Pacer {

    /** So much of the cluster's time is about to pass. */
    void pass(Duration clusterTime);

    /** Does not wait at all. */
    static Pacer none() {
        return clusterTime -> {};
    }

    /** Lets the cluster's time pass so many times faster than ours. */
    static Pacer times(double speed) {
        return clusterTime -> {
            try {
                Thread.sleep((long) (clusterTime.toMillis() / speed));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new DemoFailedException("interrupted");
            }
        };
    }
}
