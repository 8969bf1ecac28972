package dev.sro.core.recipe.chart;

import java.io.IOException;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A private directory, locked while it is in use; those that nobody uses any more are deleted. Not thread-safe. */
final class WorkFiles implements AutoCloseable {

    private static final String PREFIX = "sro-helm-";
    private static final String LOCK = "lock";

    private final Path path;
    private final FileChannel lock;

    private WorkFiles(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    static WorkFiles open(Optional<Path> below) throws IOException {
        Path parent = below.orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir")));
        Files.createDirectories(parent);
        deleteLeftovers(parent);
        while (true) {
            Path path = Files.createTempDirectory(parent, PREFIX);
            FileChannel lock =
                    FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            lock.lock();
            if (Files.exists(path.resolve(LOCK))) {
                return new WorkFiles(path, lock);
            }
            // Another process took it for a leftover before it was locked.
            lock.close();
        }
    }

    Path path() {
        return path;
    }

    /** An empty directory in it; what was in the former one is deleted. */
    Path fresh() throws IOException {
        Path process = path.resolve("process");
        if (Files.exists(process)) {
            delete(process);
        }
        return Files.createDirectory(process);
    }

    @Override
    public void close() throws IOException {
        delete(path);
        lock.close();
    }

    private static void deleteLeftovers(Path parent) throws IOException {
        List<Path> found;
        try (Stream<Path> entries = Files.list(parent)) {
            found = entries.filter(entry -> entry.getFileName().toString().startsWith(PREFIX))
                    .toList();
        }
        for (Path entry : found) {
            deleteUnlessLocked(entry);
        }
    }

    private static void deleteUnlessLocked(Path directory) {
        try (FileChannel channel = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.WRITE)) {
            FileLock free = channel.tryLock();
            if (free != null) {
                delete(directory);
            }
        } catch (IOException | OverlappingFileLockException e) {
            // In use by this process, being made right now, or somebody else's: left alone.
        }
    }

    private static void delete(Path root) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException error) throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
