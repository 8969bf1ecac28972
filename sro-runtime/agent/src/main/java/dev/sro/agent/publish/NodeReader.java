package dev.sro.agent.publish;

import dev.sro.agent.device.CatalogueCheck;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DevicePort;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuInstance;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.node.NodeFacts;
import dev.sro.agent.node.PcieRoots;
import dev.sro.agent.slice.Holding;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.agent.slice.Stage;
import dev.sro.core.dra.DraGpu;
import dev.sro.core.dra.DraNode;
import dev.sro.core.dra.DraObstacle;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads what a node has to offer. Hardware is read first, then the checkpoint, then (by the caller) claims: of an instance that is being
 * made the checkpoint knows before it is there, and of a claim that is being prepared the API server knows before that; so nothing of our
 * own is ever taken for somebody else's. Thread-safe.
 */
public final class NodeReader {
    /** So often in a row a GPU may not answer before that is more than a moment. */
    private static final int PASSING = 2;

    private final String name;
    private final DevicePort devices;
    private final SliceKeeper keeper;
    private final Catalogue catalogue;
    private final PcieRoots roots;
    private final Map<PciAddress, Integer> failures = new ConcurrentHashMap<>();

    /**
     * Of a node.
     *
     * @param name of the Node
     * @param roots where its devices sit
     */
    public NodeReader(String name, DevicePort devices, SliceKeeper keeper, Catalogue catalogue, PcieRoots roots) {
        this.name = name;
        this.devices = devices;
        this.keeper = keeper;
        this.catalogue = catalogue;
        this.roots = roots;
    }

    /** Name of the node. */
    String name() {
        return name;
    }

    /**
     * What is there. Immutable.
     *
     * @param gpus all that answer or ever did
     * @param instances of each GPU that can be cut
     * @param silent GPUs that do not answer
     * @param holdings from before and after the hardware was read
     */
    record HardwareState(
            List<Gpu> gpus,
            Map<PciAddress, List<GpuInstance>> instances,
            Map<PciAddress, Silence> silent,
            Set<Holding> holdings) {
        /** Devices that claims were given, as the checkpoint has it. */
        Set<String> kept() {
            Set<String> kept = new TreeSet<>();
            holdings.stream()
                    .filter(holding -> holding.keep() && !holding.claim().isOfPlugin())
                    .forEach(holding -> kept.add(holding.device()));
            return kept;
        }
    }

    /**
     * That a GPU does not answer.
     *
     * @param code of the fault
     * @param why what was said
     */
    record Silence(String code, String why) {
        static Silence of(DeviceException e) {
            return new Silence(
                    e.kind() == DeviceException.Kind.GPU_IS_LOST ? "gpu-is-lost" : "gpu-does-not-answer",
                    String.valueOf(e.getMessage()));
        }
    }

    /**
     * Reads hardware and checkpoint. A GPU that does not answer keeps nobody from hearing of the others.
     *
     * @throws DeviceException if none answers, or one does not for the moment
     */
    HardwareState read() throws DeviceException {
        Set<Holding> holdings = new LinkedHashSet<>(keeper.holdings());
        List<Gpu> gpus = devices.gpus();
        Map<PciAddress, List<GpuInstance>> instances = new LinkedHashMap<>();
        Map<PciAddress, Silence> silent = new LinkedHashMap<>();
        for (Gpu gpu : gpus) {
            try {
                instances.put(gpu.address(), devices.instances(gpu.address()));
                failures.remove(gpu.address());
            } catch (DeviceException e) {
                if (e.kind() != DeviceException.Kind.GPU_IS_LOST
                        && failures.merge(gpu.address(), 1, Integer::sum) <= PASSING) {
                    throw e;
                }
                silent.put(gpu.address(), Silence.of(e));
            }
        }
        holdings.addAll(keeper.holdings());
        return new HardwareState(gpus, instances, silent, holdings);
    }

    /**
     * The node as it is to be published.
     *
     * @param node for the publisher
     * @param closing GPUs that are listed, closed, and to be listed as something else
     */
    record View(DraNode node, Set<PciAddress> closing) {
        View {
            closing = Set.copyOf(closing);
        }
    }

    /**
     * The node as it is to be published.
     *
     * @param facts what the Node says
     * @param care what else is known
     * @param allocated names of devices that claims have
     * @param current what is published
     */
    View node(
            HardwareState state,
            NodeFacts facts,
            GpuCare care,
            Set<String> allocated,
            List<ResourceSlice> current,
            Instant now)
            throws DeviceException {
        DraNode.Builder node = DraNode.builder();
        node.name(name);
        facts.uid().ifPresent(node::uid);
        node.driverVersion(devices.version().driver());
        node.cudaVersion(devices.version().cuda());
        List<DraGpu> gpus = new ArrayList<>();
        Set<PciAddress> closing = new TreeSet<>();
        Map<PciAddress, String> elsewhere = care.elsewhere();
        for (Gpu gpu : state.gpus()) {
            GpuView view = GpuView.of(gpu, facts, current, care.closedLong(gpu.address(), now));
            if (view.closing()) {
                closing.add(gpu.address());
            }
            Optional<String> had = Optional.ofNullable(elsewhere.get(gpu.address()));
            if (view.listed() || (had.isEmpty() && view.offered())) {
                gpu(state, gpu, view, allocated)
                        .map(made -> finished(made, gpu, facts, care, had))
                        .ifPresent(gpus::add);
            }
        }
        return new View(node.gpus(gpus).build(), closing);
    }

    private static DraGpu finished(
            DraGpu.Builder made, Gpu gpu, NodeFacts facts, GpuCare care, Optional<String> elsewhere) {
        care.faults(gpu.address()).forEach(made::putFaults);
        elsewhere.ifPresent(made::closed);
        facts.cordoned(gpu).ifPresent(why -> made.closed("cordoned: " + why));
        return made.build();
    }

    /** A GPU that takes nothing new stays in its slice, as one of its devices may be given to a claim at this very moment. */
    private Optional<DraGpu.Builder> gpu(HardwareState state, Gpu gpu, GpuView view, Set<String> allocated) {
        boolean reported = gpu.mode() == GpuMode.SLICES || gpu.mode() == GpuMode.WHOLE;
        Optional<DeviceModel> known =
                reported ? CatalogueCheck.of(catalogue, gpu).model() : Optional.empty();
        if (!view.listed() && view.slices() && known.isEmpty()) {
            return Optional.empty();
        }
        DraGpu.Builder made = DraGpu.builder();
        made.pciAddress(gpu.address().toString());
        Optional<DeviceModel> model =
                known.or(() -> catalogue.findByPciId(gpu.pciId()).or(() -> catalogue.find(gpu.product())));
        model.ifPresent(made::model);
        made.productName(gpu.product());
        if (!gpu.uuid().isEmpty()) {
            made.uuid(gpu.uuid());
        }
        gpu.numaNode().ifPresent(made::numaNode);
        roots.of(gpu.address()).ifPresent(made::pcieRoot);
        made.whole(view.whole());
        made.slices(view.slices() && model.isPresent());
        if (view.slices() && reported && known.isEmpty()) {
            made.closed("what the driver says of it is not known");
        }
        view.closed().ifPresent(made::closed);
        Optional.ofNullable(state.silent().get(gpu.address()))
                .ifPresent(silence -> made.putFaults(silence.code(), silence.why()));
        made.obstacles(obstacles(state, gpu, allocated));
        return Optional.of(made);
    }

    /** Instances of others, and ours that no claim has any more and that could not be destroyed. */
    private static List<DraObstacle> obstacles(HardwareState state, Gpu gpu, Set<String> allocated) {
        List<DraObstacle> obstacles = new ArrayList<>();
        for (GpuInstance instance : state.instances().getOrDefault(gpu.address(), List.of())) {
            boolean ofAClaim = state.holdings().stream()
                    .filter(holding ->
                            holding.stage() != Stage.NONE && !holding.claim().isOfPlugin())
                    .filter(holding -> holding.place().gpu().equals(gpu.address())
                            && holding.place().fits(instance))
                    .anyMatch(holding -> holding.keep() || allocated.contains(holding.device()));
            if (!ofAClaim) {
                obstacles.add(gpu.profile(instance.profileId())
                        .filter(profile -> profile.starts().contains(instance.start()))
                        .map(profile -> DraObstacle.slice(profile.name(), instance.start()))
                        .orElseGet(() -> DraObstacle.units(instance.start(), instance.size())));
            }
        }
        return obstacles;
    }
}
