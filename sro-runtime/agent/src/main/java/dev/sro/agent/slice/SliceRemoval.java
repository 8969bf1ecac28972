package dev.sro.agent.slice;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.PciAddress;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Takes slices out of the hands of claims and apart, and keeps what is in nobody's hands and could not be destroyed yet, with the reason. Thread-safe where
 * callers hold the locks that the methods name.
 */
final class SliceRemoval {
    private final Checkpoint checkpoint;
    private final GpuHands hands;
    private final Locks<PciAddress> gpuLocks;
    private final Map<String, String> troubles = new ConcurrentHashMap<>();

    SliceRemoval(Checkpoint checkpoint, GpuHands hands, Locks<PciAddress> gpuLocks) {
        this.checkpoint = checkpoint;
        this.hands = hands;
        this.gpuLocks = gpuLocks;
    }

    /** What could not be destroyed yet, with the reason. */
    Map<Place, String> quarantined() {
        Map<Place, String> result = new TreeMap<>(Comparator.comparing(Place::toString));
        for (Holding holding : checkpoint.all()) {
            String trouble = troubles.get(holding.key());
            if (!holding.keep() && trouble != null) {
                result.put(holding.place(), trouble);
            }
        }
        return result;
    }

    /** Why it could not be destroyed; empty where nothing went wrong. */
    Optional<String> trouble(Holding holding) {
        return Optional.ofNullable(troubles.get(holding.key()));
    }

    /** It is as it should be. */
    void settled(Holding holding) {
        troubles.remove(holding.key());
    }

    /**
     * Others of the place: those on their way out get another push, the rest have it. Under the lock of its GPU.
     *
     * @throws SliceException if one has it, or cannot be destroyed
     */
    void makeWay(Holding wanted) throws SliceException {
        for (Holding other : checkpoint.all()) {
            if (!other.place().overlaps(wanted.place()) || other.key().equals(wanted.key())) {
                continue;
            }
            if (!other.keep()) {
                tryDismantle(other);
            }
            Optional<Holding> still = checkpoint.find(other.key());
            if (still.isPresent()) {
                String why = still.get().keep()
                        ? ""
                        : ", is on its way out and cannot be destroyed: " + troubles.get(other.key());
                throw new SliceException(
                        SliceException.Reason.HELD,
                        "device " + wanted.device() + ": " + other.place() + " is held by claim " + other.claim() + " ("
                                + other.claim().uid() + ")" + why);
            }
        }
    }

    /**
     * Of what is kept only who has the lock of its claim says that it goes. What is on its way out already may be gone by now, and its place be
     * another claim's: of that nothing is written.
     */
    Holding leave(Holding holding) throws IOException {
        return holding.keep() ? checkpoint.put(holding.leaving()) : holding;
    }

    /** What was made in vain. */
    void undo(List<Holding> made) {
        for (Holding holding : made) {
            try {
                release(leave(holding));
            } catch (IOException e) {
                troubles.put(holding.key(), String.valueOf(e.getMessage()));
            }
        }
    }

    /** Takes it apart under the lock of its GPU; what fails is kept for later. */
    void release(Holding holding) {
        ReentrantLock lock = gpuLocks.lock(holding.place().gpu());
        lock.lock();
        try {
            checkpoint.find(holding.key()).ifPresent(this::tryDismantle);
        } finally {
            lock.unlock();
        }
    }

    /** Takes it apart; what fails is kept for later. Under the lock of its GPU. */
    void tryDismantle(Holding holding) {
        try {
            hands.dismantle(holding);
            troubles.remove(holding.key());
        } catch (DeviceException | IOException e) {
            troubles.put(holding.key(), String.valueOf(e.getMessage()));
        }
    }
}
