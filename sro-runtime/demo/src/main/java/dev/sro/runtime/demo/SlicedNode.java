package dev.sro.runtime.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.agent.LocalAgent;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuInstance;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.ProfileNames;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.emulated.EmulatedNode;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.SliceException;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.testkit.sim.DraDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A node of emulated GPUs, which outlive the agent on it. Confined to one thread. */
final class SlicedNode implements DraDriver, AutoCloseable {
    /** How an agent ends that is killed in the middle of something. */
    private static final class KilledException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final String name;
    private final URI api;
    private final Clock clock;
    private final DeviceModel model;
    private final Path directory;
    private final EmulatedDevices devices;
    private final List<String> repairs = new ArrayList<>();
    private int stepsToLive = Integer.MAX_VALUE;
    private @Nullable LocalAgent agent;

    SlicedNode(String name, String model, int gpus, URI api, Clock clock) {
        this.name = name;
        this.api = api;
        this.clock = clock;
        this.model = Catalogue.builtin().model(model);
        try {
            directory = Files.createTempDirectory("sro-demo-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        devices = new EmulatedDevices(
                name,
                new EmulatedNode(
                        new DriverVersion("580.65.06", "13.0"),
                        Duration.ZERO,
                        Duration.ZERO,
                        List.of(new EmulatedGpus(this.model, gpus, GpuMode.SLICES)),
                        List.of()),
                pause -> step());
    }

    private void step() {
        if (stepsToLive != Integer.MAX_VALUE && stepsToLive-- <= 0) {
            throw new KilledException();
        }
    }

    String name() {
        return name;
    }

    /** Starts the agent, and has it publish the node. */
    void start() {
        stepsToLive = Integer.MAX_VALUE;
        try {
            LocalAgent made = LocalAgent.start(name, "demo", api, directory, devices, this::said);
            agent = made;
            made.publish(clock.instant());
        } catch (IOException | DeviceException e) {
            throw new DemoFailedException("the agent of " + name + " did not start: " + e.getMessage());
        }
    }

    private void said(String sentence) {
        if (sentence.startsWith("repaired")) {
            repairs.add(sentence);
        }
    }

    /** The agent dies in the middle of the next instance: after the GPU instance and before its compute instance. */
    void dieInTheMiddle() {
        stepsToLive = 1;
    }

    boolean dead() {
        return agent == null;
    }

    /** What the agent put right when it started. */
    List<String> repairs() {
        return repairs;
    }

    @Override
    public String prepare(String node, ObjectNode claim) {
        ClaimRef ref = new ClaimRef(
                claim.at("/metadata/uid").asText(),
                claim.at("/metadata/namespace").asText(),
                claim.at("/metadata/name").asText());
        return call(living -> living.prepare(ref));
    }

    @Override
    public String unprepare(String node, String namespace, String claim, String uid) {
        return call(living -> living.unprepare(uid));
    }

    /** What kubelet asks of the agent. */
    @FunctionalInterface
    private interface Call {
        void on(LocalAgent agent) throws IOException, SliceException;
    }

    private String call(Call call) {
        LocalAgent living = agent;
        if (living == null) {
            return "nobody answers";
        }
        try {
            call.on(living);
            living.publish(clock.instant());
            return DONE;
        } catch (KilledException e) {
            agent = null;
            return "the connection was closed";
        } catch (IOException | SliceException | DeviceException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Names of the places where instances are, as the hardware has it; one without compute instance has a mark. */
    List<String> hardware() {
        List<String> places = new ArrayList<>();
        each((gpu, instance) -> places.add(ProfileNames.device(gpu.address(), profile(gpu, instance), instance.start())
                + (instance.compute().size() == 1 ? "" : " without compute instance")));
        return places;
    }

    private static String profile(Gpu gpu, GpuInstance instance) {
        return gpu.profile(instance.profileId()).map(profile -> profile.name()).orElse("of no profile");
    }

    /** Each GPU in a few characters: a digit for each unit of a slice, its compute slices, and a dot for each that is free. */
    List<String> pictures() {
        List<String> pictures = new ArrayList<>();
        for (Gpu gpu : devices.gpus()) {
            char[] row = new char[model.memoryUnits()];
            Arrays.fill(row, '.');
            each((one, instance) -> {
                if (one.address().equals(gpu.address())) {
                    one.profile(instance.profileId())
                            .ifPresent(profile -> Arrays.fill(
                                    row,
                                    instance.start(),
                                    instance.start() + profile.size(),
                                    profile.name().charAt(0)));
                }
            });
            pictures.add(new String(row));
        }
        return pictures;
    }

    /** What is done with each instance. */
    @FunctionalInterface
    private interface Visit {
        void of(Gpu gpu, GpuInstance instance);
    }

    private void each(Visit visit) {
        try {
            for (Gpu gpu : devices.gpus()) {
                for (GpuInstance instance : devices.instances(gpu.address())) {
                    visit.of(gpu, instance);
                }
            }
        } catch (DeviceException e) {
            throw new IllegalStateException("emulated devices can be read", e);
        }
    }

    /** Names of CDI specifications. */
    List<String> specifications() {
        Path cdi = directory.resolve("cdi");
        if (!Files.isDirectory(cdi)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(cdi)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
