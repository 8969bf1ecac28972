package dev.sro.testkit.node;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for something outside of the JVM. Stateless. */
final class Pause {
    private static final long STEP_MILLIS = 100;

    private Pause() {}

    /**
     * Waits until a condition holds.
     *
     * @param message what is wrong if it does not in time
     * @throws RealNodeException then
     */
    static void until(Duration limit, BooleanSupplier condition, Supplier<String> message) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new RealNodeException(message.get());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(STEP_MILLIS));
        }
    }
}
