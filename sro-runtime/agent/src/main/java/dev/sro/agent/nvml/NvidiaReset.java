package dev.sro.agent.nvml;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.file.ForeignRoot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

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
    private static final long LONGEST_SECONDS = 120;
    private static final int MOST_TEXT = 2000;

    private final Path root;

    NvidiaReset(Path root) {
        this.root = root;
    }

    void perform(PciAddress gpu) throws DeviceException {
        ForeignRoot driver = new ForeignRoot(root);
        Path program = PROGRAMS.stream()
                .flatMap(path -> driver.realFile(path).stream())
                .map(driver::here)
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new DeviceException(
                        DeviceException.Kind.NOT_SUPPORTED,
                        gpu + ": no nvidia-smi below " + root + " to reset it with"));
        ProcessBuilder builder = new ProcessBuilder(program.toString(), "-i", gpu.toString(), "--gpu-reset");
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
                            DeviceException.Kind.TIMEOUT, gpu + ": the reset took more than " + LONGEST_SECONDS + " s");
                }
                if (process.exitValue() != 0) {
                    throw new DeviceException(kind(said), gpu + ": nvidia-smi --gpu-reset: " + said);
                }
            }
        } catch (IOException e) {
            throw new DeviceException(
                    DeviceException.Kind.NOT_SUPPORTED, gpu + ": " + program + " cannot be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeviceException(DeviceException.Kind.TIMEOUT, gpu + ": interrupted while it was reset");
        }
    }

    private static DeviceException.Kind kind(String said) {
        String text = said.toLowerCase(Locale.ROOT);
        if (text.contains("in use")) {
            return DeviceException.Kind.IN_USE;
        }
        return text.contains("not supported") ? DeviceException.Kind.NOT_SUPPORTED : DeviceException.Kind.OTHER;
    }
}
