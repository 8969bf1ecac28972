package dev.sro.agent.cdi;

import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.slice.Holding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * For MIG devices: the nodes of driver and GPU, and those by which the driver lets a process at the two instances
 * ({@code /dev/nvidia-caps}), whose numbers are read from {@code /proc} each time, as they are given anew. With them come the driver's
 * {@linkplain DriverEdits libraries}; those of graphics where a slice of the claim can draw, that is a profile {@code +gfx} or a whole
 * GPU. Thread-safe.
 */
public final class NvidiaEdits implements DeviceEdits {
    private static final Pattern MINOR = Pattern.compile("(?m)^DeviceFileMinor:\\s*([0-9]+)\\s*$");
    private static final List<String> CONTROL = List.of("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools");
    private static final String MODESET = "nvidia-modeset";

    private final Path host;
    private final Supplier<List<Gpu>> gpus;
    private final DriverEdits driver;

    /**
     * Reads below {@code host}, writes paths as the host has them.
     *
     * @param host where {@code /dev} and {@code /proc} of the host are: {@code /}, or where they are mounted
     * @param gpus the GPUs as they are now
     * @param driver its files
     */
    public NvidiaEdits(Path host, Supplier<List<Gpu>> gpus, DriverEdits driver) {
        this.host = host;
        this.gpus = gpus;
        this.driver = driver;
    }

    @Override
    public CdiEdits common(List<Holding> slices) {
        boolean graphics = slices.stream().anyMatch(NvidiaEdits::draws);
        List<String> names = new ArrayList<>(CONTROL);
        if (graphics) {
            names.add(MODESET);
        }
        List<String> nodes = new ArrayList<>();
        for (String name : names) {
            if (Files.exists(host.resolve("dev").resolve(name))) {
                nodes.add("/dev/" + name);
            }
        }
        CdiEdits files = driver.of(graphics);
        // NVIDIA's own runtime, where a container has it, must add neither devices nor libraries to these: "void" tells
        // it so.
        return new CdiEdits(Map.of("NVIDIA_VISIBLE_DEVICES", "void"), nodes, files.mounts(), files.hooks());
    }

    private static boolean draws(Holding slice) {
        return slice.place().isWhole() || slice.place().profile().contains("+gfx");
    }

    @Override
    public CdiEdits of(Holding slice) throws IOException {
        int minor = minor(slice.place().gpu());
        if (slice.place().isWhole()) {
            return new CdiEdits(Map.of(), List.of("/dev/nvidia" + minor));
        }
        String instance = "mig/gi" + slice.gpuInstance();
        return new CdiEdits(
                Map.of(),
                List.of(
                        "/dev/nvidia" + minor,
                        capability(minor, instance + "/access"),
                        capability(minor, instance + "/ci" + slice.computeInstance() + "/access")));
    }

    private int minor(PciAddress address) throws IOException {
        return gpus.get().stream()
                .filter(gpu -> gpu.address().equals(address))
                .map(Gpu::minor)
                .findFirst()
                .orElseThrow(() -> new IOException(address + ": the GPU is gone"));
    }

    private String capability(int minor, String what) throws IOException {
        Path file = host.resolve("proc/driver/nvidia/capabilities/gpu" + minor).resolve(what);
        Matcher matcher = MINOR.matcher(Files.readString(file, StandardCharsets.UTF_8));
        if (!matcher.find()) {
            throw new IOException(file + " has no DeviceFileMinor");
        }
        return "/dev/nvidia-caps/nvidia-cap" + matcher.group(1);
    }
}
