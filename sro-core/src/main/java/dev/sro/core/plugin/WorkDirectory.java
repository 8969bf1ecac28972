package dev.sro.core.plugin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of private copies, locked against a second host. It holds one directory per digest, and it deletes
 * nothing else, whatever directory the user configured. Not thread-safe.
 */
final class WorkDirectory implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkDirectory.class);

    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
    private static final String LOCK = ".sro-plugins.lock";

    private final Path path;
    private final boolean temporary;
    private final FileChannel lockFile;

    private WorkDirectory(Path path, boolean temporary, FileChannel lockFile) {
        this.path = path;
        this.temporary = temporary;
        this.lockFile = lockFile;
    }

    /**
     * Creates, locks and clears the directory.
     *
     * @throws IllegalStateException when another host uses it
     * @throws UncheckedIOException when it cannot be created or written
     */
    static WorkDirectory open(Optional<Path> configured) {
        try {
            Path path = configured.isPresent()
                    ? Files.createDirectories(configured.get().toAbsolutePath())
                    : Files.createTempDirectory("sro-plugins-");
            FileChannel lockFile =
                    FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (tryLock(lockFile) == null) {
                lockFile.close();
                throw new IllegalStateException("the work directory " + path
                        + " is in use by another PluginHost; give each host its own (PluginHostConfig.workDirectory)");
            }
            WorkDirectory work = new WorkDirectory(path, configured.isEmpty(), lockFile);
            work.keepOnly(Set.of());
            return work;
        } catch (IOException broken) {
            throw new UncheckedIOException(
                    "the work directory " + configured.map(Path::toString).orElse("for plugins")
                            + " cannot be created or written: give the process a writable directory"
                            + " (PluginHostConfig.workDirectory)",
                    broken);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException sameProcess) {
            return null;
        }
    }

    Path path() {
        return path;
    }

    /** Where the copy with that digest belongs, whether it is there or not. */
    Path content(String sha256, boolean zip) {
        return path.resolve(sha256).resolve(zip ? "plugin" : "plugin.jar");
    }

    /** Deletes the copies of everything but these. */
    void keepOnly(Set<String> digests) {
        try (Stream<Path> entries = Files.list(path)) {
            List<Path> stale = entries.filter(entry -> isStale(entry, digests)).toList();
            for (Path entry : stale) {
                delete(entry);
            }
        } catch (IOException | UncheckedIOException leftBehind) {
            // Harmless: names are digests, so a stale copy is never taken for something else.
            LOG.atWarn()
                    .addKeyValue("directory", path)
                    .setCause(leftBehind)
                    .log("Stale copies of plugins could not be deleted");
        }
    }

    private static boolean isStale(Path entry, Set<String> digests) {
        String name = entry.getFileName().toString();
        return DIGEST.matcher(name).matches() && !digests.contains(name);
    }

    @Override
    public void close() {
        keepOnly(Set.of());
        try {
            lockFile.close();
            if (temporary) {
                delete(path);
            }
        } catch (IOException leftBehind) {
            LOG.atWarn()
                    .addKeyValue("directory", path)
                    .setCause(leftBehind)
                    .log("The work directory of plugins could not be released");
        }
    }

    /** Deletes a file or a tree, if it exists; does not follow links. */
    static void delete(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException error) throws IOException {
                if (error != null) {
                    throw error;
                }
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
