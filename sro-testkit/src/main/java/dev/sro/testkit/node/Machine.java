package dev.sro.testkit.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One machine: a node of the cluster when it runs. Its disk stays over reboots and power cuts, and goes with the cluster. Commands reach it
 * over a serial line, also when it has no network. Thread-safe.
 */
public final class Machine {
    private static final Duration BOOT = Duration.ofMinutes(5);
    private static final Duration COMMAND = Duration.ofMinutes(1);

    /**
     * What a command in the machine came to.
     *
     * @param status its exit status; 124 if it took too long
     * @param output what it wrote, errors included
     */
    public record Answer(int status, String output) {}

    private final String name;
    private final Path home;
    private final Rig rig;
    private final QemuCommand qemu;
    private final Consumer<Machine> started;
    private final SerialLine line;
    private final Monitor monitor;
    private @Nullable RigProcess process;

    Machine(String name, Path home, Rig rig, QemuCommand qemu, Consumer<Machine> started) {
        this.name = name;
        this.home = home;
        this.rig = rig;
        this.qemu = qemu;
        this.started = started;
        this.line = new SerialLine(home.resolve("serial"));
        this.monitor = new Monitor(home.resolve("monitor"));
    }

    /** Its name, which is the node's. */
    public String name() {
        return name;
    }

    /**
     * Switches it on with a kernel, and waits until it takes commands and its node is ready with that kernel.
     *
     * @param kernel one of {@link NodeCluster#kernels}
     */
    public void start(String kernel) {
        synchronized (this) {
            if (process != null && process.isAlive()) {
                throw new IllegalStateException(name + " runs already");
            }
            process = RigProcess.start(qemu.of(home, rig.kernel(kernel)), home, "qemu-system-x86_64");
        }
        Pause.until(
                BOOT,
                () -> {
                    requireAlive();
                    return answers();
                },
                () -> name + " takes no commands " + BOOT.toMinutes() + " minutes after its start: " + console());
        started.accept(this);
    }

    private boolean answers() {
        try {
            return Files.exists(home.resolve("serial"))
                    && line.run("true", Duration.ofSeconds(2)).status() == 0;
        } catch (IOException notYet) {
            return false;
        }
    }

    private synchronized void requireAlive() {
        if (process == null || !process.isAlive()) {
            throw new RealNodeException(
                    name + " is off: " + (process == null ? "" : process.tail()) + "\n" + console());
        }
    }

    /** Reboots it as {@code systemctl reboot --force} does, which stops no service, and starts it with a kernel. */
    public void reboot(String kernel) {
        try {
            line.run("systemctl reboot --force", Duration.ofSeconds(20));
        } catch (IOException down) {
            // It goes down before it has answered, or while it does.
        }
        RigProcess running = process;
        if (running != null && !running.awaitEnd(Duration.ofMinutes(2))) {
            throw new RealNodeException(name + " does not go down: " + console());
        }
        start(kernel);
    }

    /** Takes its power away, as a pulled plug does. What the disk was not told yet is lost. */
    public synchronized void powerOff() {
        if (process != null) {
            process.close();
        }
    }

    /** Whether it has power. */
    public synchronized boolean isOn() {
        return process != null && process.isAlive();
    }

    /** Cuts it from the network: neither the API server nor the registry is reached, and nobody reaches its kubelet. */
    public void cutNetwork() {
        monitor.tell("set_link n0 off");
    }

    /** Gives the network back. */
    public void restoreNetwork() {
        monitor.tell("set_link n0 on");
    }

    /**
     * Runs a command of bash as root, for at most a minute.
     *
     * @throws RealNodeException if the machine does not answer
     */
    public Answer run(String command) {
        return run(command, COMMAND);
    }

    /**
     * Runs a command of bash as root.
     *
     * @throws RealNodeException if the machine does not answer
     */
    public Answer run(String command, Duration limit) {
        try {
            return line.run(command, limit);
        } catch (IOException e) {
            throw new RealNodeException(name + " does not answer to \"" + command + "\"", e);
        }
    }

    /** The kernel that runs, as {@code uname -r} prints it. */
    public String kernel() {
        return run("uname -r").output().trim();
    }

    /** The modules that the kernel has, by the names that {@code lsmod} prints. */
    public SortedSet<String> modules() {
        SortedSet<String> names = new TreeSet<>();
        run("cat /proc/modules").output().lines().forEach(text -> names.add(text.split(" ", 2)[0]));
        return names;
    }

    /** The kernel's messages. */
    public String kernelLog() {
        return run("dmesg").output();
    }

    /** Whether there is something at a path. */
    public boolean exists(String path) {
        return run("test -e '" + path + "' || test -L '" + path + "'").status() == 0;
    }

    /**
     * A file's text.
     *
     * @throws RealNodeException if it cannot be read
     */
    public String read(String path) {
        Answer answer = run("cat '" + path + "'");
        if (answer.status() != 0) {
            throw new RealNodeException(name + ": " + answer.output().trim());
        }
        return answer.output();
    }

    /** Files and directories under some that exist, with the directories themselves; links are not followed. */
    public List<String> find(String... directories) {
        String quoted = String.join(
                " ", Arrays.stream(directories).map(path -> "'" + path + "'").toList());
        return run("find " + quoted + " 2> /dev/null").output().lines().sorted().toList();
    }

    /** What the machine wrote on its first serial line, the end of it. */
    String console() {
        try {
            String text = Files.readString(home.resolve("console"), java.nio.charset.StandardCharsets.ISO_8859_1);
            return text.substring(Math.max(0, text.length() - 2_000));
        } catch (IOException e) {
            return "(no console)";
        }
    }
}
