package dev.sro.agent.slice;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/** A lock for each key. Two keys may share one, so that no lock is ever forgotten too early or kept too long. Thread-safe. */
final class Locks<K> {
    /** Prime, so that UIDs and addresses spread. */
    private static final int COUNT = 1009;

    private final List<ReentrantLock> locks =
            IntStream.range(0, COUNT).mapToObj(i -> new ReentrantLock()).toList();

    ReentrantLock lock(K key) {
        return locks.get(Math.floorMod(key.hashCode(), COUNT));
    }
}
