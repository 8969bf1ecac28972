package dev.sro.testkit.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of one control plane: keys, configuration, data, logs. Its name says which JVM owns it, and every process of the
 * control plane has its path among the arguments. What a killed JVM left behind can so be told from what another one still uses.
 */
final class RunDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(RunDirectory.class);

    /** A start is counted from the boot of the machine, whose time moves a little when the clock is set; in milliseconds. */
    private static final long CLOCK_DRIFT = 5_000;

    /** What else may run in it: machines and their registry. */
    private static final Set<String> BESIDE = Set.of("qemu-system-x86_64", "docker-registry");

    private static final Pattern NAME = Pattern.compile("run-(\\d+)-(\\d+)-[0-9a-f]{8}");

    private final Path path;

    private RunDirectory(Path path) {
        this.path = path;
    }

    /** A new one in a root that belongs to this user alone; first cleans up after JVMs that are no more. */
    static RunDirectory create(Path root) {
        try {
            Files.createDirectories(root);
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
            reap(root);
            ProcessHandle self = ProcessHandle.current();
            String id = UUID.randomUUID().toString().substring(0, 8);
            return new RunDirectory(
                    Files.createDirectory(root.resolve("run-" + self.pid() + "-" + startOf(self) + "-" + id)));
        } catch (IOException e) {
            throw new UncheckedIOException("no directory for a control plane in " + root, e);
        }
    }

    /** Where they are by default: in the directory for temporary files. */
    static Path defaultRoot() {
        return Path.of(System.getProperty("java.io.tmpdir"), "sro-control-plane-" + System.getProperty("user.name"));
    }

    Path path() {
        return path;
    }

    /** A file or directory in it. */
    Path resolve(String name) {
        return path.resolve(name);
    }

    /** Removes it; what cannot be removed stays for the next one to try. */
    void delete() {
        delete(path);
    }

    /** Ends processes and removes directories whose JVM is no more. Returns those directories. */
    static List<Path> reap(Path root) throws IOException {
        List<Path> left = new ArrayList<>();
        try (Stream<Path> entries = Files.list(root)) {
            entries.filter(RunDirectory::isOrphan).forEach(left::add);
        }
        for (Path directory : left) {
            if (processesOf(directory).stream().allMatch(RunDirectory::kill)) {
                delete(directory);
            }
        }
        return left;
    }

    private static boolean isOrphan(Path directory) {
        Matcher name = NAME.matcher(directory.getFileName().toString());
        if (!name.matches()) {
            return false;
        }
        return ProcessHandle.of(Long.parseLong(name.group(1)))
                .filter(ProcessHandle::isAlive)
                .filter(owner -> Math.abs(startOf(owner) - Long.parseLong(name.group(2))) < CLOCK_DRIFT)
                .isEmpty();
    }

    /** A process id is used again; together with the start it is not. */
    private static long startOf(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** The programs of a control plane that have the directory among their arguments. */
    static List<ProcessHandle> processesOf(Path directory) {
        return ProcessHandle.allProcesses()
                .filter(p -> p.info().command().filter(RunDirectory::isOurs).isPresent())
                .filter(p -> p.info().arguments().stream()
                        .flatMap(Arrays::stream)
                        .anyMatch(a -> a.contains(directory.getFileName().toString())))
                .toList();
    }

    /** A process in other mounts has "/" for a command when these are gone. */
    static boolean isOurs(String command) {
        String program = String.valueOf(Path.of(command).getFileName());
        return BESIDE.contains(program)
                || Arrays.stream(Component.values()).anyMatch(c -> c.program().equals(program));
    }

    private static boolean kill(ProcessHandle process) {
        process.destroyForcibly();
        try {
            process.onExit().get(10, TimeUnit.SECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn(
                    "a {} of a killed run does not go: process {}",
                    process.info().command(),
                    process.pid());
            return false;
        }
    }

    private static void delete(Path directory) {
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path entered, @Nullable IOException e) throws IOException {
                    Files.deleteIfExists(entered);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (NoSuchFileException gone) {
            // Another run cleaned up at the same time.
        } catch (IOException e) {
            LOG.debug("left behind: {}", directory, e);
        }
    }
}
