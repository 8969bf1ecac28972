package dev.sro.agent.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file that others see as it was or as it is, never in between, whatever ends the process or the machine. Not thread-safe.
 *
 * <p>The new content goes into a file beside it, whose name ends in {@code .tmp} so that nobody takes it for the file; that is
 * synced, renamed over the old one, and the directory synced.
 */
public final class WholeFile {
    private final Disk disk;
    private final Path file;
    private final Path directory;
    private final Path next;

    /** For this file; nothing is read yet. */
    public WholeFile(Disk disk, Path file) {
        this.disk = disk;
        this.file = file.toAbsolutePath();
        Path parent = this.file.getParent();
        if (parent == null) {
            throw new IllegalArgumentException(file + " is a directory");
        }
        directory = parent;
        next = directory.resolve("." + this.file.getFileName() + ".tmp");
    }

    /** What it has; empty if there is none. */
    public Optional<byte[]> read() throws IOException {
        return disk.read(file);
    }

    /** Replaces it. When this throws, the file is the old one or the new one. */
    public void write(byte[] bytes) throws IOException {
        disk.write(next, bytes);
        disk.sync(next);
        disk.rename(next, file);
        disk.syncDirectory(directory);
    }

    /** Deletes it, if it is there. */
    public void delete() throws IOException {
        disk.delete(file);
        disk.syncDirectory(directory);
    }

    /** Where it is. */
    public Path path() {
        return file;
    }
}
