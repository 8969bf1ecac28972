package dev.sro.agent.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is done to files, each call one effect: a test may end the process, or the power, between any two. Thread-safe where the
 * callers use different files.
 */
public interface Disk {
    /** The whole file; empty if there is none. */
    Optional<byte[]> read(Path file) throws IOException;

    /** Makes the file, or empties it, and fills it. Nothing of it is safe before {@link #sync}. */
    void write(Path file, byte[] bytes) throws IOException;

    /** Has the content of the file on the disk when it returns. */
    void sync(Path file) throws IOException;

    /** Puts {@code from} in the place of {@code to}, at once. Not safe before {@link #syncDirectory}. */
    void rename(Path from, Path to) throws IOException;

    /** Has the names in the directory on the disk when it returns. */
    void syncDirectory(Path directory) throws IOException;

    /** Deletes the file, if it is there. */
    void delete(Path file) throws IOException;

    /** The files in the directory, sorted; none if there is no such directory. */
    List<Path> list(Path directory) throws IOException;
}
