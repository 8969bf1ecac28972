package dev.sro.runtime.scheduler;

import dev.sro.agent.cdi.ClaimSpecs;
import dev.sro.agent.cdi.EmulatedEdits;
import dev.sro.agent.claims.ApiServer;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuInstance;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.emulated.EmulatedNode;
import dev.sro.agent.file.LocalDisk;
import dev.sro.agent.kubelet.PluginDevice;
import dev.sro.agent.kubelet.PluginHandler;
import dev.sro.agent.kubelet.PluginSocket;
import dev.sro.agent.plugin.ApiPromises;
import dev.sro.agent.plugin.DevicePlugins;
import dev.sro.agent.plugin.KubeletUse;
import dev.sro.agent.plugin.PluginExposure;
import dev.sro.agent.plugin.PluginHardware;
import dev.sro.agent.slice.Checkpoint;
import dev.sro.agent.slice.ClaimSource;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.mig.MigResources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A node whose slices come from the agent's device plugins, on emulated hardware. Its device manager is this class: it advertises what the plugins list, gives
 * devices to pods that are bound here, and forgets those of pods that ended. Its rounds are confined to one thread; the agent looks from another
 * one, too.
 */
final class PluginNode implements AutoCloseable {
    private final String name;
    private final KubernetesClient client;
    private final EmulatedDevices devices;
    private final ExecutorService work = Executors.newSingleThreadExecutor();
    private final Map<String, PluginHandler> handlers = new ConcurrentSkipListMap<>();
    private final Map<String, List<PluginDevice>> listed = new ConcurrentSkipListMap<>();
    private final Map<String, String> used = new ConcurrentSkipListMap<>();
    private final Set<String> served = new HashSet<>();
    private final List<String> refused = new ArrayList<>();
    private final DevicePlugins plugins;

    PluginNode(String name, String model, int gpus, KubernetesClient client, URI api, Path folder, Clock clock)
            throws IOException {
        this.name = name;
        this.client = client;
        devices = new EmulatedDevices(
                name,
                new EmulatedNode(
                        new DriverVersion("580.65.06", "13.0"),
                        Duration.ZERO,
                        Duration.ZERO,
                        List.of(new EmulatedGpus(Catalogue.builtin().model(model), gpus, GpuMode.SLICES)),
                        List.of()),
                pause -> {});
        SliceKeeper keeper = new SliceKeeper(
                devices,
                Checkpoint.open(new LocalDisk(), folder.resolve("checkpoint"), "boot-1"),
                new ClaimSpecs(new LocalDisk(), folder.resolve("cdi"), new EmulatedEdits()));
        var unused = keeper.reconcile(claim -> ClaimSource.Standing.UNKNOWN);
        plugins = new DevicePlugins(
                Socket::new,
                MigResources::resource,
                keeper,
                new PluginHardware(devices, Catalogue.builtin(), new Offered()),
                new Use(),
                new ApiPromises(
                        ApiServer.at(api, Optional.empty(), Optional.empty()), name, "sro-agent", clock, text -> {}),
                work,
                clock,
                text -> {});
    }

    private static final class Offered implements PluginExposure {
        @Override
        public boolean offered() {
            return true;
        }

        @Override
        public Optional<String> closed(Gpu gpu) {
            return Optional.empty();
        }

        @Override
        public boolean healthy(Gpu gpu) {
            return true;
        }
    }

    private final class Use implements KubeletUse {
        @Override
        public Map<String, String> devices() {
            return Map.copyOf(used);
        }

        @Override
        public Set<String> untold() {
            return Set.of();
        }
    }

    private final class Socket implements PluginSocket {
        private final String resource;

        Socket(String resource, PluginHandler handler) {
            this.resource = resource;
            handlers.put(resource, handler);
        }

        @Override
        public String resource() {
            return resource;
        }

        @Override
        public void devices(List<PluginDevice> now) {
            listed.put(resource, now);
        }

        @Override
        public boolean keep() {
            return false;
        }

        @Override
        public void close() {}
    }

    /** One round of kubelet and agent. */
    void round() {
        plugins.look();
        Node node = client.nodes().withName(name).get();
        Map<String, Quantity> counts = new TreeMap<>();
        listed.forEach((resource, list) -> counts.put(resource, new Quantity(Integer.toString(list.size()))));
        if (!node.getStatus().getAllocatable().entrySet().containsAll(counts.entrySet())) {
            client.nodes().withName(name).editStatus(live -> {
                live.getStatus().getCapacity().putAll(counts);
                live.getStatus().getAllocatable().putAll(counts);
                return live;
            });
        }
        List<Pod> pods = client.pods().inAnyNamespace().list().getItems().stream()
                .filter(pod -> name.equals(pod.getSpec().getNodeName()))
                .toList();
        Set<String> living = new HashSet<>();
        for (Pod pod : pods) {
            String phase = pod.getStatus().getPhase();
            if (!"Succeeded".equals(phase) && !"Failed".equals(phase)) {
                living.add(name(pod));
                if (served.add(pod.getMetadata().getUid())) {
                    admit(pod);
                }
            }
        }
        used.values().retainAll(living);
        plugins.look();
    }

    private void admit(Pod pod) {
        for (Container container : pod.getSpec().getContainers()) {
            Map<String, Quantity> limits = container.getResources() == null
                    ? Map.of()
                    : Objects.requireNonNullElse(container.getResources().getLimits(), Map.of());
            limits.forEach((resource, amount) -> {
                PluginHandler handler = handlers.get(resource);
                if (handler != null) {
                    give(pod, handler, resource, amount.getNumericalAmount().intValueExact());
                }
            });
        }
    }

    private void give(Pod pod, PluginHandler handler, String resource, int count) {
        List<String> free = listed.getOrDefault(resource, List.of()).stream()
                .map(PluginDevice::id)
                .filter(id -> !used.containsKey(id))
                .toList();
        try {
            List<String> chosen = handler.preferred(free, List.of(), count);
            List<String> unused = handler.allocate(chosen);
            chosen.forEach(id -> used.put(id, name(pod)));
            handler.start(chosen);
        } catch (IOException e) {
            refused.add(name(pod) + ": " + e.getMessage());
        }
    }

    private static String name(Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }

    /** What kubelet would have rejected pods with. */
    List<String> refused() {
        return refused;
    }

    /** Profiles of all instances that the hardware has, {@code 1g.5gb@3}, by GPU and start. */
    List<String> hardware() throws DeviceException {
        List<String> places = new ArrayList<>();
        for (Gpu gpu : devices.gpus()) {
            for (GpuInstance instance : devices.instances(gpu.address())) {
                places.add(gpu.profile(instance.profileId()).orElseThrow().name() + "@" + instance.start() + " of "
                        + gpu.uuid());
            }
        }
        return places;
    }

    EmulatedDevices devices() {
        return devices;
    }

    @Override
    public void close() throws IOException {
        plugins.close();
        work.shutdownNow();
    }
}
