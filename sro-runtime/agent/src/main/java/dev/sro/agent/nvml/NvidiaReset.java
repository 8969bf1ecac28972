package dev.sro.agent.nvml;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.file.ForeignRoot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Resets GPUs by {@code nvidia-smi} of the driver, as the library has no call for that. Stateless. */
final class NvidiaReset {
    private static final List<String> PROGRAMS = List.of("usr/bin/nvidia-smi", "bin/nvidia-smi");
    private static final List<String> LIBRARIES = List.of(
            "usr/lib/x86_64-linux-gnu",
            "usr/lib/x86_64-linux-gnu/nvidia/current",
            "usr/lib/aarch64-linux-gnu",
            "usr/lib/aarch64-linux-gnu/nvidia/current",
            "usr/lib64",
            "usr/lib",
            "lib64");
    private static final Path SOCKET = Path.of("run/nvidia-persistenced/socket");
    private static final long LONGEST_SECONDS = 120;
    private static final int MOST_TEXT = 2000;

    private final Path root;
    private final Path here;
    private final Consumer<String> log;

    /**
     * Resets nothing yet.
     *
     * @param root of the driver
     * @param here root of this process
     */
    NvidiaReset(Path root, Path here, Consumer<String> log) {
        this.root = root;
        this.here = here;
        this.log = log;
    }

    /**
     * Resets it. Persistence mode keeps a GPU open that nobody uses, by a daemon or without: it goes off before, and on again where it
     * was on.
     */
    void perform(PciAddress gpu) throws DeviceException {
        reach();
        boolean persistent = isPersistent(gpu);
        if (persistent) {
            persistence(gpu, false);
        }
        try {
            run(gpu, "--gpu-reset");
        } finally {
            if (persistent) {
                persistence(gpu, true);
            }
        }
    }

    /** A driver that does not say is reset as it is. */
    private boolean isPersistent(PciAddress gpu) {
        try {
            return run(gpu, "--query-gpu=persistence_mode", "--format=csv,noheader")
                    .equals("Enabled");
        } catch (DeviceException e) {
            return false;
        }
    }

    /** Where that fails the reset says what is in its way, and afterwards the GPU is only slower to begin with. */
    private void persistence(PciAddress gpu, boolean on) {
        try {
            run(gpu, "-pm", on ? "1" : "0");
        } catch (DeviceException e) {
            log.accept("persistence mode is not switched " + (on ? "on" : "off") + ": " + e.getMessage());
        }
    }

    /** The driver's program looks for its daemon in this container, and the daemon is in the driver's. */
    private void reach() {
        Path own = here.resolve(SOCKET);
        Path driver = root.resolve(SOCKET);
        Path directory = own.getParent();
        if (directory != null && Files.isDirectory(directory) && !Files.exists(own) && Files.exists(driver)) {
            try {
                Files.deleteIfExists(own);
                Files.createSymbolicLink(own, driver);
            } catch (IOException e) {
                log.accept("nvidia-persistenced cannot be told of resets: no link " + own + ": " + e.getMessage());
            }
        }
    }

    private String run(PciAddress gpu, String... arguments) throws DeviceException {
        Path program = program(gpu);
        List<String> command = new ArrayList<>(List.of(program.toString(), "-i", gpu.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment()
                .put(
                        "LD_LIBRARY_PATH",
                        String.join(
                                ":",
                                LIBRARIES.stream()
                                        .map(directory ->
                                                root.resolve(directory).toString())
                                        .toList()));
        builder.redirectErrorStream(true);
        try {
            Process process = builder.start();
            try (InputStream out = process.getInputStream()) {
                String said = new String(out.readNBytes(MOST_TEXT), StandardCharsets.UTF_8).strip();
                if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new DeviceException(
                            DeviceException.Kind.TIMEOUT,
                            gpu + ": nvidia-smi " + arguments[0] + " took more than " + LONGEST_SECONDS + " s");
                }
                if (process.exitValue() != 0) {
                    throw new DeviceException(kind(said), gpu + ": nvidia-smi " + arguments[0] + ": " + said);
                }
                return said;
            }
        } catch (IOException e) {
            throw new DeviceException(
                    DeviceException.Kind.NOT_SUPPORTED, gpu + ": " + program + " cannot be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeviceException(DeviceException.Kind.TIMEOUT, gpu + ": interrupted while it was reset");
        }
    }

    private Path program(PciAddress gpu) throws DeviceException {
        ForeignRoot driver = new ForeignRoot(root);
        return PROGRAMS.stream()
                .flatMap(path -> driver.realFile(path).stream())
                .map(driver::here)
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new DeviceException(
                        DeviceException.Kind.NOT_SUPPORTED,
                        gpu + ": no nvidia-smi below " + root + " to reset it with"));
    }

    private static DeviceException.Kind kind(String said) {
        String text = said.toLowerCase(Locale.ROOT);
        if (text.contains("in use") || text.contains("being used")) {
            return DeviceException.Kind.IN_USE;
        }
        return text.contains("not supported") ? DeviceException.Kind.NOT_SUPPORTED : DeviceException.Kind.OTHER;
    }
}
