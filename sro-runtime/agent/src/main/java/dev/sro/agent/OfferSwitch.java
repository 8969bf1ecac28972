package dev.sro.agent;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DevicePort;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.health.HealthKeeper;
import dev.sro.agent.node.NodeFacts;
import dev.sro.agent.node.NodeSource;
import dev.sro.agent.plugin.PluginExposure;
import dev.sro.agent.publish.GpuCare;
import dev.sro.agent.slice.Holding;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.core.dra.NodeMarks;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * In which of the two ways each GPU is offered: never in both. One goes over to device plugins when it was closed to claims for longer than a scheduler needs to
 * hear of it, and no claim has anything of it; and back when no pod has anything of it by a device plugin. Thread-safe.
 */
final class OfferSwitch implements PluginExposure {
    private static final Duration CLOSED = Duration.ofSeconds(30);
    private static final String BY_PLUGIN = "offered by device plugins";

    private final NodeSource node;
    private final NodeMarks.Offer otherwise;
    private final DevicePort devices;
    private final SliceKeeper keeper;
    private final HealthKeeper health;
    private final Supplier<Map<PciAddress, String>> old;
    private final Clock clock;
    private final Map<PciAddress, Instant> closedSince = new HashMap<>();
    private Set<PciAddress> listed = Set.of();
    private Set<PciAddress> had = Set.of();
    private BooleanSupplier published = () -> false;

    /**
     * Nothing is offered yet.
     *
     * @param otherwise how slices are offered where the Node does not say
     * @param old GPUs that pods have by NVIDIA's device plugin
     */
    OfferSwitch(
            NodeSource node,
            NodeMarks.Offer otherwise,
            DevicePort devices,
            SliceKeeper keeper,
            HealthKeeper health,
            Supplier<Map<PciAddress, String>> old,
            Clock clock) {
        this.node = node;
        this.otherwise = otherwise;
        this.devices = devices;
        this.keeper = keeper;
        this.health = health;
        this.old = old;
        this.clock = clock;
    }

    /** Says whether what claims can have was published, or never will be. */
    synchronized void published(BooleanSupplier done) {
        published = done;
    }

    /** Says what claims can have now, and do have. */
    synchronized void published(GpuCare.Published state) {
        listed = state.listed();
        had = state.had();
        boolean plugins = offered();
        closedSince.keySet().removeIf(gpu -> !plugins || !state.listed().contains(gpu));
        if (plugins) {
            state.listed().forEach(gpu -> closedSince.putIfAbsent(gpu, clock.instant()));
        }
    }

    private NodeFacts facts() {
        try {
            return node.node();
        } catch (java.io.IOException e) {
            return NodeFacts.UNKNOWN;
        }
    }

    @Override
    public boolean offered() {
        return facts().offer().orElse(otherwise) == NodeMarks.Offer.DEVICE_PLUGIN;
    }

    /** GPUs that are not offered to claims, with the reason. */
    Map<PciAddress, String> notForClaims() {
        Map<PciAddress, String> gpus = new TreeMap<>();
        for (Holding holding : keeper.holdings()) {
            if (holding.claim().isOfPlugin()) {
                gpus.put(holding.place().gpu(), "a pod has " + holding.place() + " by a device plugin");
            }
        }
        if (offered()) {
            try {
                devices.gpus().forEach(gpu -> gpus.putIfAbsent(gpu.address(), BY_PLUGIN));
            } catch (DeviceException e) {
                keeper.gpus().forEach(gpu -> gpus.putIfAbsent(gpu.address(), BY_PLUGIN));
            }
        }
        return gpus;
    }

    @Override
    public synchronized Optional<String> closed(Gpu gpu) {
        PciAddress address = gpu.address();
        NodeFacts facts = facts();
        if (!offered()) {
            return Optional.of("slices of this node are offered to claims");
        }
        if (!published.getAsBoolean()) {
            return Optional.of("what claims have is not known yet");
        }
        if (had.contains(address)) {
            return Optional.of("claims have slices of it");
        }
        Instant since = closedSince.get(address);
        if (listed.contains(address) && (since == null || clock.instant().isBefore(since.plus(CLOSED)))) {
            return Optional.of("it was offered to claims until now");
        }
        return Optional.ofNullable(old.get().get(address))
                .or(() -> facts.cordoned(gpu).map(why -> "cordoned: " + why))
                .or(() -> facts.change(gpu).map(mode -> "its mode is to be changed"));
    }

    @Override
    public boolean healthy(Gpu gpu) {
        return health.faults(gpu.address()).isEmpty();
    }
}
