package dev.sro.agent.file;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A disk that forgets what was not synced when the power goes: of each file some beginning of what was written since, perhaps with
 * rubbish, of renames and deletions the first few. A process that ends in a write leaves some of it. Not thread-safe.
 */
public final class FakeDisk implements Disk {
    private final Effects effects;
    private final RandomGenerator random;
    private Map<Path, Inode> names = new TreeMap<>();
    private Map<Path, Inode> safeNames = new TreeMap<>();
    private final List<Pending> pending = new ArrayList<>();
    private int failures;

    private static final class Inode {
        byte[] now = {};
        byte[] safe = {};
    }

    /** A change of names, which a journal has as a whole or not at all. */
    private record Pending(
            Path name, @Nullable Inode inode, @Nullable Path gone) {}

    /** An empty disk. */
    public FakeDisk(Effects effects, RandomGenerator random) {
        this.effects = effects;
        this.random = random;
    }

    /** The next so many changes fail; some of them are done all the same. */
    public void failNext(int changes) {
        failures = changes;
    }

    private void effect() throws IOException {
        effects.next();
        if (failures > 0 && failures-- > 0) {
            throw new IOException("the disk was told to fail");
        }
    }

    @Override
    public Optional<byte[]> read(Path file) {
        return Optional.ofNullable(names.get(file)).map(inode -> inode.now.clone());
    }

    @Override
    public void write(Path file, byte[] bytes) throws IOException {
        Inode inode = names.get(file);
        if (inode == null) {
            inode = new Inode();
            link(file, inode);
        }
        inode.now = effects.last() ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)) : bytes.clone();
        effect();
    }

    @Override
    public void sync(Path file) throws IOException {
        effect();
        Inode inode = requireNonNull(names.get(file));
        inode.safe = inode.now;
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        boolean done = failures > 0 && random.nextBoolean();
        Inode inode = names.get(from);
        if (inode == null) {
            throw new NoSuchFileException(from.toString());
        }
        if (done) {
            move(from, to, inode);
        }
        effect();
        if (!done) {
            move(from, to, inode);
        }
    }

    private void move(Path from, Path to, Inode inode) {
        change(new Pending(to, inode, from));
    }

    private void link(Path name, @Nullable Inode inode) {
        change(new Pending(name, inode, null));
    }

    private void change(Pending change) {
        pending.add(change);
        apply(names, change);
    }

    private static void apply(Map<Path, Inode> to, Pending change) {
        if (change.inode() == null) {
            to.remove(change.name());
        } else {
            to.put(change.name(), change.inode());
        }
        if (change.gone() != null) {
            to.remove(change.gone());
        }
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        effect();
        pending.clear();
        safeNames = new TreeMap<>(names);
    }

    @Override
    public void delete(Path file) throws IOException {
        effect();
        if (names.containsKey(file)) {
            link(file, null);
        }
    }

    @Override
    public List<Path> list(Path directory) {
        return names.keySet().stream()
                .filter(file -> directory.equals(file.getParent()))
                .toList();
    }

    /** The power goes, and comes back. */
    public void losePower() {
        int survived = pending.isEmpty() ? 0 : random.nextInt(pending.size() + 1);
        for (Pending change : pending.subList(0, survived)) {
            apply(safeNames, change);
        }
        pending.clear();
        names = new TreeMap<>(safeNames);
        for (Inode inode : names.values()) {
            if (inode.now != inode.safe) {
                inode.now = torn(inode);
                inode.safe = inode.now;
            }
        }
        failures = 0;
    }

    private byte[] torn(Inode inode) {
        int how = random.nextInt(3);
        if (how == 0) {
            return inode.safe;
        }
        int length = random.nextInt(inode.now.length + 1);
        byte[] beginning = Arrays.copyOf(inode.now, length);
        return how == 1 ? beginning : Arrays.copyOf(beginning, inode.now.length);
    }
}
