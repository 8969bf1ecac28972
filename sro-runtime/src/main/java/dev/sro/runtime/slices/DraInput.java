package dev.sro.runtime.slices;

import dev.sro.core.dra.DraGpu;
import dev.sro.core.dra.DraNode;
import dev.sro.core.dra.DraObstacle;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.DraPublisher;
import dev.sro.core.dra.DraServer;
import dev.sro.core.slicing.SliceClaim;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.SliceSnapshot;
import dev.sro.runtime.UnusableInputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** Options of commands that deal with Dynamic Resource Allocation, and nodes out of fleets. */
final class DraInput {
    /** A node of a fleet, with the devices that its claims have. */
    record Node(DraNode node, Set<String> allocated) {}

    @Option(
            names = "--kubernetes",
            paramLabel = "VERSION",
            defaultValue = "1.36.3",
            description = "Version of the server, such as v1.36.2. Default: ${DEFAULT-VALUE}.")
    private String version = "";

    @Option(
            names = "--driver",
            paramLabel = "NAME",
            defaultValue = DraOptions.DRIVER,
            description = "Name of the driver. Default: ${DEFAULT-VALUE}.")
    private String driver = "";

    DraServer server() {
        try {
            return DraServer.of(version);
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("--kubernetes", String.valueOf(e.getMessage()));
        }
    }

    DraOptions options() {
        return DraOptions.builder().server(server()).driver(driver).build();
    }

    /** Those of devices that are given by whom it says: {@code scheduler} or {@code sro}. */
    DraOptions options(String allocator) {
        if (!allocator.equals("sro") && !allocator.equals("scheduler")) {
            throw new UnusableInputException("--allocator " + allocator, "is neither scheduler nor sro");
        }
        try {
            return DraOptions.builder()
                    .server(server())
                    .driver(driver)
                    .authoritative(allocator.equals("sro"))
                    .build();
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("--allocator sro", String.valueOf(e.getMessage()));
        }
    }

    /** The nodes of a fleet, in the order in which they come; devices without a PCI address get one. */
    static List<Node> nodes(SliceSnapshot fleet, DraPublisher publisher) {
        Map<String, List<SliceDevice>> byNode = new LinkedHashMap<>();
        fleet.devices()
                .forEach(device -> byNode.computeIfAbsent(
                                device.node().isEmpty() ? "node-1" : device.node(), name -> new ArrayList<>())
                        .add(device));
        List<Node> nodes = new ArrayList<>();
        byNode.forEach((name, devices) -> {
            DraNode.Builder node = DraNode.builder().name(name);
            Set<String> allocated = new TreeSet<>();
            for (int i = 0; i < devices.size(); i++) {
                DraGpu gpu = gpu(devices.get(i), i, fleet.claims());
                node.addGpus(gpu);
                for (SliceClaim claim : fleet.claims()) {
                    if (claim.device().equals(devices.get(i).id()) && !claim.foreign()) {
                        publisher
                                .deviceName(gpu, claim.profile(), claim.start())
                                .ifPresent(allocated::add);
                    }
                }
            }
            nodes.add(new Node(node.build(), allocated));
        });
        return nodes;
    }

    private static DraGpu gpu(SliceDevice device, int number, List<SliceClaim> claims) {
        String id = device.id().toLowerCase(Locale.ROOT);
        DraGpu.Builder gpu = DraGpu.builder()
                .pciAddress(
                        DraGpu.PCI_ADDRESS.matcher(id).matches()
                                ? id
                                : String.format(Locale.ROOT, "0000:%02x:00.0", number + 1))
                .model(device.model())
                .uuid(device.id());
        if (device.cordoned()) {
            gpu.closed("cordoned");
        }
        claims.stream()
                .filter(claim -> claim.device().equals(device.id()) && claim.foreign())
                .forEach(claim -> gpu.addObstacles(DraObstacle.slice(claim.profile(), claim.start())));
        return gpu.build();
    }
}
