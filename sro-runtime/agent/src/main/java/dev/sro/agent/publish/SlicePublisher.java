package dev.sro.agent.publish;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.device.ProfileNames;
import dev.sro.agent.node.NodeFacts;
import dev.sro.agent.node.NodeSource;
import dev.sro.core.dra.DraDetail;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.DraPublication;
import dev.sro.core.dra.DraPublisher;
import dev.sro.core.dra.DraServer;
import dev.sro.core.dra.OrderBudget;
import dev.sro.core.dra.PublishRule;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is published true. Each call reads hardware, checkpoint, claims and slices, and writes what differs; what was written before
 * is not remembered, so that whatever fails or is changed by others is put right by the next call. Not thread-safe.
 */
public final class SlicePublisher {
    private static final int ATTEMPTS = 3;
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration LATER = Duration.ofMinutes(1);
    private static final Duration COUNT = Duration.ofHours(1);

    private final String driver;
    private final boolean authoritative;
    private final ApiSlices api;
    private final ClaimsInUse claims;
    private final NodeReader reader;
    private final NodeSource node;
    private final GpuCare care;
    private final PublishRule rule;
    private final Consumer<String> log;
    private final Set<String> said = new HashSet<>();
    private @Nullable DraPublisher publisher;
    private final ServersHeard servers = new ServersHeard();
    private int nodes = 1;
    private Optional<Instant> counted = Optional.empty();
    private boolean ended;
    private Consumer<String> warnings;
    private boolean countersDropped;
    private Optional<Instant> lastOrder = Optional.empty();
    private OrderBudget budget = OrderBudget.full();
    private Instant lastUse = Instant.MAX;
    private Set<String> lastAllocated = Set.of();
    private Duration delay = SOON;

    /** One whose devices the scheduler gives. */
    public SlicePublisher(
            String driver,
            ApiSlices api,
            NodeReader reader,
            NodeSource node,
            GpuCare care,
            PublishRule rule,
            Consumer<String> log) {
        this(driver, false, api, reader, node, care, rule, log);
    }

    /**
     * Nothing is read or written yet.
     *
     * @param authoritative whether devices are tainted, so that SRO's own allocator alone gives them
     * @param node what the Node says
     * @param care what else is known of GPUs, and done to them
     * @param log takes a sentence at a time
     */
    public SlicePublisher(
            String driver,
            boolean authoritative,
            ApiSlices api,
            NodeReader reader,
            NodeSource node,
            GpuCare care,
            PublishRule rule,
            Consumer<String> log) {
        this.driver = driver;
        this.authoritative = authoritative;
        this.api = api;
        claims = new ClaimsInUse(api);
        this.reader = reader;
        this.node = node;
        this.care = care;
        this.rule = rule;
        this.log = log;
        warnings = log;
    }

    /** Where people are told, once, of what they should know of the version of the API server; the log if nowhere else. */
    public SlicePublisher warning(Consumer<String> of) {
        warnings = of;
        return this;
    }

    /**
     * Writes what is to be written by now.
     *
     * @param look whether this is the look at everything that comes every few minutes: GPUs are put in order with it, if it is quiet
     * @return when to come again, if nothing else calls before; empty for the next look
     * @throws IOException if the API server cannot be asked or refuses
     * @throws DeviceException if the devices cannot be read
     */
    public Optional<Instant> publish(Instant now, boolean look) throws IOException, DeviceException {
        if (ended) {
            return Optional.empty();
        }
        DraPublisher by = publisher(now, look);
        if (by == null) {
            return Optional.empty();
        }
        for (int attempt = 1; ; attempt++) {
            try {
                return publish(by, now, look, false);
            } catch (ConflictException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Null if this server cannot be published to. With each look it is asked whether it is another one now. */
    private @Nullable DraPublisher publisher(Instant at, boolean look) throws IOException {
        if (publisher != null && !look) {
            return publisher;
        }
        count(at);
        DraServer now;
        try {
            now = DraServer.of(api.version());
        } catch (IllegalArgumentException e) {
            if (publisher != null) {
                // One of several servers, in the middle of an upgrade: what is published was right for the others.
                sayOnce("the API server is another one now, for which nothing is published anew: " + e.getMessage());
                return publisher;
            }
            ended = true;
            log.accept("nothing is published: " + e.getMessage());
            return null;
        }
        if (!servers.heard(now) && publisher != null) {
            return publisher;
        }
        if (publisher == null && node.node().uid().isEmpty()) {
            log.accept("the Node cannot be read: its slices will not go with it");
        }
        now.warnings().forEach(warnings);
        try {
            publisher = DraPublisher.of(DraOptions.builder()
                    .server(now)
                    .driver(driver)
                    .authoritative(authoritative)
                    .build());
        } catch (IllegalArgumentException e) {
            ended = true;
            publisher = null;
            log.accept("nothing is published, as --allocator is sro: " + e.getMessage());
        }
        return publisher;
    }

    /** Others come and go slowly, and each node asks. */
    private void count(Instant now) {
        if (counted.filter(last -> now.isBefore(last.plus(COUNT))).isPresent()) {
            return;
        }
        try {
            nodes = api.nodes();
            counted = Optional.of(now);
        } catch (IOException e) {
            sayOnce("how many nodes have slices is not known, " + nodes + " are assumed: " + e.getMessage());
        }
    }

    private Optional<Instant> publish(DraPublisher by, Instant now, boolean look, boolean all)
            throws IOException, DeviceException {
        NodeReader.HardwareState state = reader.read();
        NodeFacts facts = node.node();
        // Before a mode is changed nobody may have anything, prepared or not.
        boolean changes =
                state.gpus().stream().anyMatch(gpu -> facts.change(gpu).isPresent());
        DeviceUse use = claims.use(by.pool(reader.name()), state.holdings(), now, all || changes);
        List<ResourceSlice> current = api.slices();
        Set<String> allocated = new TreeSet<>(use.devices());
        allocated.addAll(state.kept());
        remember(allocated, now, look);
        DraPublication publication;
        NodeReader.View view;
        try {
            view = reader.node(state, facts, care, allocated, current, now);
            publication = by.publish(view.node(), allocated, current, details(use, now, look));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        if (!claims.complete(now) && leavesOut(publication, current)) {
            return publish(by, now, look, true);
        }
        publication.notes().forEach(this::sayOnce);
        countersDropped |= publication.countersDropped();
        if (countersDropped) {
            giveUp(
                    "the API server throws counters away (DRAPartitionableDevices is off), so that nothing would keep two"
                            + " claims from one place");
            return Optional.empty();
        }
        if (publication.taintsDropped()) {
            giveUp(
                    "the API server throws taints of devices away (DRADeviceTaints is off), so that its scheduler would give"
                            + " away what sro slices allocator gives (--allocator sro)");
            return Optional.empty();
        }
        Optional<Instant> again = rule.due(publication.change(), now, lastOrder, budget, nodes);
        if (again.isEmpty() || !again.get().isAfter(now)) {
            if (again.isPresent()) {
                write(publication, now);
            }
            again = use.devices().equals(state.kept()) ? Optional.empty() : Optional.of(now.plus(backOff()));
        }
        Optional<Instant> next = care.published(now, published(state, facts, view, publication, allocated));
        return again.isEmpty() || (next.isPresent() && next.get().isBefore(again.get())) ? next : again;
    }

    /** Whether a device is not listed any more, or consumes something else: one of which no claim may be unknown. */
    private static boolean leavesOut(DraPublication publication, List<ResourceSlice> current) {
        Map<String, Device> next = new HashMap<>();
        publication
                .slices()
                .forEach(slice -> slice.getSpec().getDevices().forEach(device -> next.put(device.getName(), device)));
        return current.stream()
                .flatMap(slice -> slice.getSpec().getDevices().stream())
                .anyMatch(device -> {
                    Device after = next.get(device.getName());
                    return after == null || !after.getConsumesCounters().equals(device.getConsumesCounters());
                });
    }

    private static GpuCare.Published published(
            NodeReader.HardwareState state,
            NodeFacts facts,
            NodeReader.View view,
            DraPublication publication,
            Set<String> allocated) {
        Set<String> devices = publication.slices().stream()
                .flatMap(slice -> slice.getSpec().getDevices().stream())
                .map(Device::getName)
                .collect(Collectors.toSet());
        return new GpuCare.Published(
                state.gpus(),
                facts,
                of(state, devices),
                of(state, allocated),
                view.closing(),
                FreePlaces.of(publication.slices(), allocated));
    }

    /** The GPUs of devices. */
    private static Set<PciAddress> of(NodeReader.HardwareState state, Set<String> devices) {
        Set<PciAddress> gpus = new TreeSet<>();
        for (Gpu gpu : state.gpus()) {
            String name = ProfileNames.device(gpu.address());
            if (devices.stream().anyMatch(device -> device.equals(name) || device.startsWith(name + "-"))) {
                gpus.add(gpu.address());
            }
        }
        return gpus;
    }

    private Set<DraDetail> details(DeviceUse use, Instant now, boolean look) {
        Set<DraDetail> details = EnumSet.noneOf(DraDetail.class);
        if (look && rule.quiet(now, lastUse, use.waiting())) {
            details.add(DraDetail.GPU_ORDER);
        }
        if (rule.lossClasses() || use.lossClasses()) {
            details.add(DraDetail.LOSS_CLASSES);
        }
        return details;
    }

    /** What came and went since; a look counts as much as a write costs, so that a quiet node is put right at last. */
    private void remember(Set<String> allocated, Instant now, boolean look) {
        Set<String> stayed = new TreeSet<>(allocated);
        stayed.retainAll(lastAllocated);
        int uses = allocated.size() + lastAllocated.size() - 2 * stayed.size();
        budget = budget.earned(look ? uses + OrderBudget.USES : uses);
        if (!allocated.equals(lastAllocated) || lastUse.equals(Instant.MAX)) {
            lastAllocated = allocated;
            lastUse = now;
            delay = SOON;
        }
    }

    /** Devices without counters are given twice. If they cannot be taken away now, the next call tries again. */
    private void giveUp(String why) throws IOException {
        sayOnce(why + ": nothing is published");
        api.remove(log);
        ended = true;
    }

    /** Claims that were given devices and not prepared yet, or given back and not freed: it will soon be otherwise, and nobody tells. */
    private Duration backOff() {
        Duration wait = delay;
        delay = delay.multipliedBy(2).compareTo(LATER) > 0 ? LATER : delay.multipliedBy(2);
        return wait;
    }

    private void write(DraPublication publication, Instant now) throws IOException {
        if (publication.change() == DraPublication.Change.ORDER) {
            lastOrder = Optional.of(now);
            budget = budget.spent(publication.writes());
        }
        for (ResourceSlice slice : publication.create()) {
            api.create(slice);
        }
        for (ResourceSlice slice : publication.update()) {
            api.update(slice);
        }
        for (String name : publication.delete()) {
            api.delete(name);
        }
        log.accept((publication.change() == DraPublication.Change.ORDER ? "published an order: " : "published: ")
                + publication.create().size() + " ResourceSlices new, "
                + publication.update().size() + " changed, "
                + publication.delete().size() + " removed; generation " + publication.generation());
    }

    private void sayOnce(String text) {
        if (said.add(text)) {
            log.accept(text);
        }
    }
}
