package dev.sro.core.slicing;

import java.util.concurrent.locks.StampedLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls that change something run one at a time, those that read side by side, and a call may be made of others: within one that changes something the same
 * thread goes through. Thread-safe.
 */
final class CallLock {
    private final StampedLock lock = new StampedLock();
    /** The lock does not know its owner. */
    private volatile @Nullable Thread writer;

    <T> T exclusively(Supplier<T> action) {
        if (writer == Thread.currentThread()) {
            return action.get();
        }
        long stamp = lock.writeLock();
        writer = Thread.currentThread();
        try {
            return action.get();
        } finally {
            writer = null;
            lock.unlockWrite(stamp);
        }
    }

    <T> T shared(Supplier<T> action) {
        if (writer == Thread.currentThread()) {
            return action.get();
        }
        long stamp = lock.readLock();
        try {
            return action.get();
        } finally {
            lock.unlockRead(stamp);
        }
    }

    /** Without waiting if nothing is changed at that very moment. The action may see what is half changed, and has to stand it; its answer does not count then. */
    <T> T hopefully(Supplier<T> action) {
        long stamp = lock.tryOptimisticRead();
        T answer = action.get();
        return stamp != 0 && lock.validate(stamp) ? answer : shared(action);
    }
}
