package dev.sro.agent.slice;

import dev.sro.agent.file.Disk;
import dev.sro.agent.file.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What is held by whom, on disk before anything is done. Thread-safe.
 *
 * <p>When a write fails, it is not known which of the two contents the disk has; nothing is done with hardware until a later write
 * succeeded: {@link #settle}.
 */
public final class Checkpoint {
    private final WholeFile file;
    private final String bootId;
    private final List<String> notes;
    private final ReentrantLock lock = new ReentrantLock();
    private Map<String, Holding> holdings;
    private boolean uncertain;

    private Checkpoint(WholeFile file, String bootId, Map<String, Holding> holdings, List<String> notes) {
        this.file = file;
        this.bootId = bootId;
        this.holdings = holdings;
        this.notes = notes;
    }

    /**
     * Reads the checkpoint. One of an earlier boot is thrown away, because no instance outlives a reboot; a damaged one is put aside,
     * and instances of it count as foreign.
     *
     * @param bootId of this boot, {@code /proc/sys/kernel/random/boot_id}
     * @throws IOException if it cannot be read, or needs a newer agent: then nothing may be touched
     */
    public static Checkpoint open(Disk disk, Path path, String bootId) throws IOException {
        WholeFile file = new WholeFile(disk, path);
        Optional<byte[]> bytes = file.read();
        if (bytes.isEmpty()) {
            return new Checkpoint(file, bootId, Map.of(), List.of());
        }
        try {
            CheckpointText.Content content = CheckpointText.read(bytes.get());
            if (!content.bootId().equals(bootId)) {
                return new Checkpoint(
                        file, bootId, Map.of(), List.of("the node was booted since; the checkpoint was thrown away"));
            }
            Map<String, Holding> holdings = new LinkedHashMap<>();
            content.holdings().forEach(holding -> holdings.put(holding.key(), holding));
            return new Checkpoint(file, bootId, holdings, List.of());
        } catch (CheckpointText.Unreadable e) {
            if (e.newer) {
                throw new IOException(file.path() + ": " + e.getMessage() + "; start that agent, or drain the node and"
                        + " reboot it");
            }
            Path aside = Path.of(file.path() + ".damaged");
            disk.rename(file.path(), aside);
            return new Checkpoint(
                    file,
                    bootId,
                    Map.of(),
                    List.of(file.path() + " is damaged (" + e.getMessage() + ") and was put aside as " + aside
                            + "; instances that claims had count as foreign until they are destroyed by hand"));
        }
    }

    /** What was noticed when it was opened. */
    public List<String> notes() {
        return notes;
    }

    /** All holdings, oldest first. */
    public List<Holding> all() {
        lock.lock();
        try {
            return List.copyOf(holdings.values());
        } finally {
            lock.unlock();
        }
    }

    /** What a claim holds. */
    List<Holding> of(String uid) {
        return all().stream()
                .filter(holding -> holding.claim().uid().equals(uid))
                .toList();
    }

    Optional<Holding> find(String key) {
        lock.lock();
        try {
            return Optional.ofNullable(holdings.get(key));
        } finally {
            lock.unlock();
        }
    }

    /** Writes it down, in the place of what was held under its key. */
    Holding put(Holding holding) throws IOException {
        lock.lock();
        try {
            Map<String, Holding> next = new LinkedHashMap<>(holdings);
            next.put(holding.key(), holding);
            store(next);
            return holding;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets it. */
    void remove(Holding holding) throws IOException {
        lock.lock();
        try {
            Map<String, Holding> next = new LinkedHashMap<>(holdings);
            next.remove(holding.key());
            store(next);
        } finally {
            lock.unlock();
        }
    }

    /** Makes sure that the disk has what is here. */
    void settle() throws IOException {
        lock.lock();
        try {
            if (uncertain) {
                store(holdings);
            }
        } finally {
            lock.unlock();
        }
    }

    private void store(Map<String, Holding> next) throws IOException {
        uncertain = true;
        file.write(CheckpointText.write(bootId, next.values()));
        holdings = next;
        uncertain = false;
    }
}
