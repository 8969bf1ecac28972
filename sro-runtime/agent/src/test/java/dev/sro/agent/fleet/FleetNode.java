package dev.sro.agent.fleet;

import dev.sro.agent.LocalAgent;
import dev.sro.agent.claims.ApiServer;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuInstance;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.ProfileNames;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.emulated.EmulatedNode;
import dev.sro.agent.publish.PublishLoop;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.SliceException;
import dev.sro.core.slicing.catalogue.DeviceModel;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/** A node of emulated GPUs with the agent on it; whoever calls it is kubelet. Everything on it happens in one thread. */
final class FleetNode implements AutoCloseable {
    private final String name;
    private final EmulatedDevices devices;
    private final LocalAgent agent;
    private final ScheduledExecutorService thread;
    private final PublishLoop loop;
    private final FleetWay way;
    private final Consumer<String> problems;

    /**
     * Publishes the empty node.
     *
     * @param problems takes what should not have happened
     */
    FleetNode(
            String name,
            DeviceModel model,
            int gpus,
            FleetWay way,
            ApiServer server,
            Path directory,
            Consumer<String> problems)
            throws IOException, DeviceException {
        this.name = name;
        this.way = way;
        this.problems = problems;
        devices = new EmulatedDevices(
                name,
                new EmulatedNode(
                        new DriverVersion("580.65.06", "13.0"),
                        Duration.ZERO,
                        Duration.ZERO,
                        List.of(new EmulatedGpus(model, gpus, GpuMode.SLICES)),
                        List.of()),
                pause -> {});
        agent = LocalAgent.start(name, "boot", server, directory, devices, text -> {
            if (text.startsWith("not published")) {
                problems.accept(name + ": " + text);
            }
        });
        agent.publish(Clock.systemUTC().instant(), true);
        thread = Executors.newSingleThreadScheduledExecutor();
        loop = new PublishLoop(agent::publish, thread, Clock.systemUTC(), text -> problems.accept(name + ": " + text));
    }

    String name() {
        return name;
    }

    /** As kubelet does before it starts the containers of a pod. */
    void start(ClaimRef claim) {
        thread.execute(() -> {
            try {
                agent.prepare(claim);
                changed();
            } catch (IOException | SliceException | RuntimeException e) {
                problems.accept(name + ": " + claim + " was not prepared: " + e);
            }
        });
    }

    /** As kubelet does when the containers of a pod have ended; then the pod may go. */
    Future<?> end(ClaimRef claim) {
        return thread.submit(() -> {
            try {
                agent.unprepare(claim.uid());
                changed();
            } catch (SliceException | RuntimeException e) {
                problems.accept(name + ": " + claim + " was not taken away: " + e);
            }
        });
    }

    private void changed() {
        if (way.follows()) {
            loop.changed();
        }
    }

    /** Publishes as if so much time had gone by that no order has to wait for its second. */
    void publishAt(Instant now) throws Exception {
        done(thread.submit(() -> agent.publish(now, false)));
    }

    private static void done(Future<?> future) throws InterruptedException, ExecutionException {
        future.get();
    }

    /** Names of the places where complete instances are, as the hardware has it; a bare one counts with a mark. */
    List<String> hardware() throws DeviceException {
        List<String> places = new ArrayList<>();
        for (Gpu gpu : devices.gpus()) {
            for (GpuInstance instance : devices.instances(gpu.address())) {
                String profile = gpu.profile(instance.profileId()).orElseThrow().name();
                places.add(name + " " + ProfileNames.device(gpu.address(), profile, instance.start())
                        + (instance.compute().size() == 1 ? "" : " bare"));
            }
        }
        return places;
    }

    /** Waits until all that was begun is done. */
    void quiet() throws InterruptedException, ExecutionException {
        done(thread.submit(() -> {}));
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
