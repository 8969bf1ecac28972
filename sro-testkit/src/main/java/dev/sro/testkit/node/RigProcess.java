package dev.sro.testkit.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One process beside the control plane. Its output goes to a file. Thread-safe. */
final class RigProcess implements AutoCloseable {
    private static final int TAIL_LINES = 12;
    private final Process process;
    private final Path log;

    private RigProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static RigProcess start(List<String> command, Path home, String name) {
        Path log = home.resolve(name + ".log");
        try {
            return new RigProcess(
                    new ProcessBuilder(command)
                            .directory(home.toFile())
                            .redirectErrorStream(true)
                            .redirectInput(ProcessBuilder.Redirect.from(
                                    Path.of("/dev/null").toFile()))
                            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                            .start(),
                    log);
        } catch (IOException e) {
            throw new RealNodeException("cannot execute " + command.get(0), e);
        }
    }

    /**
     * Runs a program to its end.
     *
     * @throws RealNodeException if it fails or takes longer
     */
    static void run(List<String> command, Path home, String name, Duration limit) {
        try (RigProcess started = start(command, home, name)) {
            if (!started.awaitEnd(limit) || started.process.exitValue() != 0) {
                throw new RealNodeException(String.join(" ", command) + " failed: " + started.tail());
            }
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Whether it ended in time. */
    boolean awaitEnd(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What it wrote last, for messages. */
    String tail() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(nothing in " + log + ")";
        }
    }

    /** Ends it at once. */
    @Override
    public void close() {
        process.destroyForcibly();
        awaitEnd(Duration.ofSeconds(10));
    }
}
