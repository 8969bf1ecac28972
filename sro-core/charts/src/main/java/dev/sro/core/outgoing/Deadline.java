package dev.sro.core.outgoing;

import java.net.SocketTimeoutException;
import java.time.Duration;

/** Until when something has to be over. For one exchange, on one thread. */
final class Deadline {

    private final Duration limit;
    private long end;
    private boolean perRead;

    Deadline(Duration limit) {
        this.limit = limit;
        this.end = System.nanoTime() + limit.toNanos();
    }

    /** From now on each read has the whole time: of a long stream, which somebody else limits. */
    void eachRead() {
        perRead = true;
    }

    /** What is left, at least 1. */
    int millis() throws SocketTimeoutException {
        if (perRead) {
            return (int) limit.toMillis();
        }
        long left = (end - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
            throw new SocketTimeoutException("not complete within " + limit.toSeconds() + " s");
        }
        return (int) Math.min(left, Integer.MAX_VALUE);
    }
}
