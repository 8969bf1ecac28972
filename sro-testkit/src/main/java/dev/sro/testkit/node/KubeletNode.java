package dev.sro.testkit.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A kubelet with its containerd in namespaces of this machine's kernel. What it writes to is gone when it ends. Commands run among its
 * processes, mounts and interfaces. Thread-safe.
 */
public final class KubeletNode implements AutoCloseable {
    private static final Duration COMMAND = Duration.ofMinutes(1);

    private final String name;
    private final Path folder;
    private final KubeletPrograms programs;
    private final Process process;

    private KubeletNode(String name, Path folder, KubeletPrograms programs, Process process) {
        this.name = name;
        this.folder = folder;
        this.programs = programs;
        this.process = process;
    }

    /** Starts one with the arguments that {@code .ci/real-node/here/node} speaks of: folder, name and addresses. */
    static KubeletNode start(List<String> arguments, KubeletPrograms programs) {
        Path folder = Path.of(arguments.get(0));
        List<String> command = new ArrayList<>(List.of(programs.file("node").toString()));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("node.log").toFile())
                    .start();
            return new KubeletNode(arguments.get(1), folder, programs, process);
        } catch (IOException e) {
            throw new RealNodeException("cannot execute " + programs.file("node"), e);
        }
    }

    /** Its name in the cluster. */
    public String name() {
        return name;
    }

    /** Files of it that both sides see under this path. */
    Path folder() {
        return folder;
    }

    /** Runs a command of bash as root, for at most a minute. */
    public Machine.Answer run(String command) {
        ProcessHandle init = process.toHandle()
                .children()
                .findFirst()
                .orElseThrow(() -> new RealNodeException(name + " is off: " + said()));
        List<String> line = new ArrayList<>(List.of("nsenter", "--target", String.valueOf(init.pid())));
        line.addAll(List.of("--mount", "--net", "--pid", "--uts", "--ipc", "--", "bash", "-c", command));
        try {
            Path output = Files.createTempFile(folder, "command", ".out");
            Process running = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            running.getOutputStream().close();
            if (!running.waitFor(COMMAND.toMillis(), TimeUnit.MILLISECONDS)) {
                running.destroyForcibly();
                return new Machine.Answer(124, Files.readString(output));
            }
            Machine.Answer answer = new Machine.Answer(running.exitValue(), Files.readString(output));
            Files.delete(output);
            return answer;
        } catch (IOException e) {
            throw new RealNodeException(name + " does not answer to \"" + command + "\"", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RealNodeException(name + " was not waited for");
        }
    }

    /** Ends its kubelet at once, as {@code kill -9} does. It is started again after a second; pods go on meanwhile. */
    public void killKubelet() {
        run("pkill -9 -x kubelet");
    }

    /**
     * Takes a pod's connection away or gives it back: it reaches nothing, and nothing reaches it.
     *
     * @param address the pod's
     */
    public void connect(String address, boolean connected) {
        Machine.Answer answer = run("device=$(cat /run/cut-" + address + " 2> /dev/null || ip -o route get " + address
                + " | sed 's/.* dev \\([^ ]*\\).*/\\1/') && echo $device > /run/cut-" + address
                + " && if " + connected + "; then ip link set $device up && ip route replace " + address
                + "/32 dev $device; else ip link set $device down; fi");
        if (answer.status() != 0) {
            throw new RealNodeException(name + ": " + answer.output());
        }
    }

    void requireAlive() {
        if (!process.isAlive()) {
            throw new RealNodeException(name + " ended:" + said());
        }
    }

    /** What its processes wrote last, for messages. */
    String said() {
        StringBuilder all = new StringBuilder();
        for (String log : List.of("node.log", "containerd.log", "kubelet.log", "forward.log", NetworkPolicies.LOG)) {
            try {
                List<String> lines = Files.readAllLines(folder.resolve(log), StandardCharsets.ISO_8859_1);
                lines.subList(Math.max(0, lines.size() - 8), lines.size())
                        .forEach(line ->
                                all.append('\n').append(log).append(": ").append(line));
            } catch (IOException none) {
                // It has written nothing.
            }
        }
        return all.toString();
    }

    /** Ends every process of it, as a pulled plug does, and removes its control groups. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        RigProcess.run(
                List.of(programs.file("node").toString(), "--remove", name), folder, "remove", Duration.ofSeconds(30));
    }
}
