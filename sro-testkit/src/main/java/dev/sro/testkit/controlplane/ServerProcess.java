package dev.sro.testkit.controlplane;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One process of a control plane, which can be stopped and started again with the same arguments. Its output goes to a file. */
final class ServerProcess {
    private static final int TAIL_LINES = 12;

    private final Component component;
    private final List<String> command;
    private final Path home;
    private final Path log;
    private @Nullable Process process;

    ServerProcess(Component component, List<String> command, Path home) {
        this.component = component;
        this.command = List.copyOf(command);
        this.home = home;
        this.log = home.resolve(component.program() + ".log");
    }

    Component component() {
        return component;
    }

    Path log() {
        return log;
    }

    synchronized boolean isAlive() {
        Process running = process;
        return running != null && running.isAlive();
    }

    synchronized void start() {
        if (isAlive()) {
            return;
        }
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        // Nothing of the user's own configuration shall get in.
        builder.environment().keySet().removeIf(name -> name.startsWith("ETCD_") || name.startsWith("KUBE"));
        builder.environment().put("HOME", home.toString());
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new ControlPlaneException("cannot execute " + command.get(0), e);
        }
    }

    /** Asks it to end, and ends it when the time is over. */
    synchronized void stop(Duration grace) {
        Process running = process;
        process = null;
        if (running == null) {
            return;
        }
        try {
            running.destroy();
            if (!running.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                running.destroyForcibly();
                running.waitFor(10, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            running.destroyForcibly();
            Thread.currentThread().interrupt();
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
}
