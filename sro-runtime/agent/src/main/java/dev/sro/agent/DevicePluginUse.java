package dev.sro.agent;

import dev.sro.agent.device.ComputeInstance;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DevicePort;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuInstance;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.kubelet.PodResources;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Which GPUs pods have by NVIDIA's device plugin: nothing of them is offered until those pods are gone, so that no GPU is given in two ways.
 * Called by one thread at a time.
 */
final class DevicePluginUse {
    private static final String VENDOR = "nvidia.com/";
    private static final int MOST_PODS = 20;

    /** What pods have by device plugins, as kubelet says. */
    @FunctionalInterface
    interface Source {
        List<PodResources.PodDevices> list() throws IOException;
    }

    private final Source source;
    private final DevicePort devices;
    private final Consumer<String> log;
    private Map<PciAddress, String> gpus = Map.of();
    private Set<String> pods = Set.of();
    private boolean failed;

    DevicePluginUse(Source source, DevicePort devices, Consumer<String> log) {
        this.source = source;
        this.devices = devices;
        this.log = log;
    }

    /** Asks kubelet. If it does not answer, what it said last holds. */
    void refresh() {
        try {
            List<PodResources.PodDevices> all = source.list().stream()
                    .filter(one -> one.resource().startsWith(VENDOR) && !ofTheAgent(one))
                    .toList();
            Map<PciAddress, Set<String>> users = new TreeMap<>();
            Set<String> named = new TreeSet<>();
            if (!all.isEmpty()) {
                Map<String, PciAddress> owners = owners();
                for (PodResources.PodDevices one : all) {
                    named.add(one.pod());
                    users(one, owners, users);
                }
            }
            Map<PciAddress, String> now = new TreeMap<>();
            users.forEach((gpu, who) -> now.put(gpu, "had by a device plugin: " + String.join(", ", who)));
            pods = named;
            gpus = now;
            failed = false;
        } catch (IOException | DeviceException e) {
            if (!failed) {
                log.accept("what pods have by device plugins is not known: " + e.getMessage());
            }
            failed = true;
        }
    }

    /** Places have names in small letters, and NVIDIA's UUIDs do not. */
    private static boolean ofTheAgent(PodResources.PodDevices one) {
        return one.devices().stream().allMatch(id -> id.startsWith("gpu-"));
    }

    private static void users(
            PodResources.PodDevices one, Map<String, PciAddress> owners, Map<PciAddress, Set<String>> users) {
        for (String id : one.devices()) {
            // Devices that are shared have a number behind.
            PciAddress owner = owners.get(id.replaceFirst("::.*$", ""));
            // Whose a device is that nobody knows cannot be said, so that it may be of any.
            for (PciAddress gpu : owner == null ? new TreeSet<>(owners.values()) : Set.of(owner)) {
                users.computeIfAbsent(gpu, key -> new TreeSet<>()).add(one.pod());
            }
        }
    }

    private Map<String, PciAddress> owners() throws DeviceException {
        Map<String, PciAddress> owners = new HashMap<>();
        for (Gpu gpu : devices.gpus()) {
            owners.put(gpu.uuid(), gpu.address());
            if (gpu.mode() == GpuMode.SLICES) {
                for (GpuInstance instance : devices.instances(gpu.address())) {
                    for (ComputeInstance compute : instance.compute()) {
                        owners.put(compute.uuid(), gpu.address());
                    }
                }
            }
        }
        return owners;
    }

    /** GPUs that pods have, and which pods. */
    Map<PciAddress, String> gpus() {
        return gpus;
    }

    /** Pods, as the annotation of the Node names them. */
    String text() {
        return pods.stream().limit(MOST_PODS).collect(Collectors.joining(","));
    }
}
