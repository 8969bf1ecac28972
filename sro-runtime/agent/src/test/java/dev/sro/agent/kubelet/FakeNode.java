package dev.sro.agent.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.agent.Agent;
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
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.testkit.sim.DraDriver;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A node of emulated hardware that outlives the agent on it; the simulated kubelet reaches the agent over its sockets. */
final class FakeNode implements DraDriver, AutoCloseable {
    private static final int LONGEST_SECONDS = 60;

    /** How an agent ends that is killed in the middle of something. */
    private static final class KilledException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final String name;
    private final URI api;
    private final Path directory;
    private final FakeKubelet kubelet;
    private final EmulatedDevices devices;
    private final AtomicInteger steps = new AtomicInteger(Integer.MAX_VALUE);
    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
    private int boots;
    private @Nullable Agent agent;
    private @Nullable PluginInfo plugin;

    FakeNode(String name, String model, int gpus, URI api) throws IOException {
        this.name = name;
        this.api = api;
        // Of JUnit's own length a socket's path must not be.
        directory = Files.createTempDirectory("n");
        kubelet = new FakeKubelet(directory);
        devices = new EmulatedDevices(
                name,
                new EmulatedNode(
                        new DriverVersion("580.65.06", "13.0"),
                        Duration.ZERO,
                        Duration.ZERO,
                        List.of(new EmulatedGpus(Catalogue.builtin().model(model), gpus, GpuMode.SLICES)),
                        List.of()),
                pause -> step());
        boot();
    }

    private void step() {
        if (steps.getAndUpdate(left -> left == Integer.MAX_VALUE ? left : Math.max(0, left - 1)) == 0) {
            throw new KilledException();
        }
    }

    /** A boot: no instance stays. */
    void boot() throws IOException {
        devices.reset();
        Files.writeString(directory.resolve("boot"), "boot-" + ++boots + "\n");
    }

    /** Starts the agent and registers it with the kubelet. */
    void start() throws Exception {
        startAgent();
        plugin = kubelet.register(kubelet.found().get(0));
    }

    /** Starts the agent, and leaves it to somebody else to register it. */
    void startAgent() throws Exception {
        steps.set(Integer.MAX_VALUE);
        agent = Agent.start(arguments(), Map.of(), devices, log::add);
    }

    /** Kubelet's directory. */
    Path directory() {
        return directory;
    }

    /** The arguments of the agent's command line. */
    String[] arguments(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--node",
                name,
                "--kubelet",
                directory.toString(),
                "--cdi",
                directory.resolve("cdi").toString(),
                "--boot-id",
                directory.resolve("boot").toString(),
                "--api",
                api.toString()));
        arguments.addAll(List.of(more));
        return arguments.toArray(new String[0]);
    }

    /** From the step of hardware after so many others, nothing of this agent is done any more. */
    void dieAfter(int more) {
        steps.set(more);
    }

    boolean dead() {
        return steps.get() == 0;
    }

    void stop() throws IOException {
        if (agent != null) {
            agent.close();
            agent = null;
        }
    }

    /** What an uninstallation does. */
    boolean uninstall() throws IOException {
        return Agent.uninstall(arguments("--uninstall", "yes"), Map.of(), log::add);
    }

    /** Waits until the agent has said something that begins so. */
    String said(String beginning) throws InterruptedException {
        List<String> others = new ArrayList<>();
        for (String line = ""; line != null; line = log.poll(LONGEST_SECONDS, TimeUnit.SECONDS)) {
            others.add(line);
            if (!line.isEmpty() && line.startsWith(beginning)) {
                return line;
            }
        }
        throw new AssertionError(name + ": was not said: " + beginning + "; but: " + others);
    }

    /** Names of the places where complete instances are, as the hardware has it; a bare one counts with a mark. */
    List<String> hardware() throws DeviceException {
        List<String> places = new ArrayList<>();
        for (Gpu gpu : devices.gpus()) {
            for (GpuInstance instance : devices.instances(gpu.address())) {
                String profile = gpu.profile(instance.profileId()).orElseThrow().name();
                places.add(ProfileNames.device(gpu.address(), profile, instance.start())
                        + (instance.compute().size() == 1 ? "" : " bare"));
            }
        }
        return places;
    }

    /** Names of CDI specifications. */
    List<String> specifications() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("cdi"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Override
    public String prepare(String node, ObjectNode claim) {
        ObjectNode metadata = (ObjectNode) claim.get("metadata");
        return ask(
                metadata.get("uid").asText(),
                metadata.get("namespace").asText(),
                metadata.get("name").asText(),
                true);
    }

    @Override
    public String unprepare(String node, String namespace, String claim, String uid) {
        return ask(uid, namespace, claim, false);
    }

    private String ask(String uid, String namespace, String claim, boolean prepare) {
        if (plugin == null) {
            return "not registered";
        }
        ClaimsRequest request = new ClaimsRequest(List.of(new ClaimRef(uid, namespace, claim)));
        try {
            Map<String, ClaimResult> results =
                    prepare ? kubelet.prepare(plugin, request) : kubelet.unprepare(plugin, request);
            return results.values().iterator().next().error();
        } catch (StatusRuntimeException e) {
            return e.toString();
        }
    }

    @Override
    public void close() throws IOException {
        stop();
        kubelet.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
