package dev.sro.runtime.allocator;

import java.time.Duration;

/**
 * What is done where a pod waits although moves of others would make room. Immutable.
 *
 * @param after how long a pod has to wait for that
 * @param movesPerHour pods that are evicted in an hour at most, whoever leads
 */
record MakeRoom(Mode mode, Duration after, int movesPerHour) {
    /** Names are those of the command line. */
    enum Mode {
        /** Nothing. */
        OFF,
        /** It is said which moves would make room. */
        REPORT,
        /** Pods that may move are evicted. */
        EVICT;
    }

    static final MakeRoom NEVER = new MakeRoom(Mode.OFF, Duration.ofMinutes(1), 0);

    boolean on() {
        return mode != Mode.OFF;
    }
}
