package dev.sro.runtime.scheduler;

import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.NodeAccelerator;
import dev.sro.core.placement.DasPlacements;
import dev.sro.core.placement.PlacedSlice;
import dev.sro.core.placement.PlacementFleet;
import dev.sro.core.placement.extender.ExtenderAnswers;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.catalogue.Catalogue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the fleet as the API server has it, and sees to those who wait: opens gates, wakes pods for which something came free, deletes claims that
 * nobody uses. Thread-safe; what writes runs one at a time on the executor.
 */
final class SliceScheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SliceScheduler.class);

    /** A claim of a pod that is bound nowhere is given back after this time: the process that wrote it ended before it could bind. */
    static final Duration GRACE = Duration.ofMinutes(3);

    /**
     * What it does.
     *
     * @param gates whether gates are opened
     * @param wakes whether pods that the scheduler has put aside are woken
     */
    record Duties(boolean gates, boolean wakes) {}

    private final KubernetesClient client;
    private final Catalogue catalogue;
    private final Duties duties;
    private final BooleanSupplier leads;
    private final Clock clock;
    private final Executor executor;
    private final PlacementFleet fleet = new PlacementFleet(SliceAllocator.create());
    private final WaitingPods pods = new WaitingPods();
    private final GatePlacer gates;
    private final PodWaker waker;
    private final ClaimWriter claims;
    private final NodeInventories inventories = new NodeInventories();
    private final Map<String, Instant> unused = new ConcurrentHashMap<>();
    private final ToldOnce told = new ToldOnce(what -> LOG.atWarn().log("{}", what));
    private final ObjectWatches watches = new ObjectWatches(this::request);
    private final SoonTask look;
    private @Nullable SharedIndexInformer<Node> nodes;
    private @Nullable SharedIndexInformer<Pod> podInformer;

    SliceScheduler(
            KubernetesClient client,
            Catalogue catalogue,
            Duties duties,
            BooleanSupplier leads,
            Clock clock,
            Executor executor) {
        this.client = client;
        this.catalogue = catalogue;
        this.duties = duties;
        this.leads = leads;
        this.clock = clock;
        this.executor = executor;
        this.look = new SoonTask(executor, "those who wait were not looked after", this::pass);
        this.gates = new GatePlacer(client, fleet, pods::seen, clock);
        this.waker = new PodWaker(client, fleet);
        this.claims = new ClaimWriter(client);
    }

    /** Watches from now on. */
    void start() {
        watches.follow(
                client.genericKubernetesResources(ClaimWriter.NODES)
                        .inAnyNamespace()
                        .runnableInformer(0),
                seen -> inventory(inventories.seen(seen)),
                gone -> inventory(inventories.gone(gone)));
        watches.follow(
                client.genericKubernetesResources(ClaimWriter.CLAIMS)
                        .inAnyNamespace()
                        .runnableInformer(0),
                this::claim,
                gone -> fleet.drop(id(gone)));
        if (duties.gates()) {
            nodes = client.nodes().runnableInformer(0);
            watches.follow(nodes, node -> {}, node -> {});
            podInformer = client.pods().inAnyNamespace().runnableInformer(0);
        } else {
            podInformer = client.pods()
                    .inAnyNamespace()
                    .withField("spec.nodeName", "")
                    .runnableInformer(0);
        }
        watches.follow(
                podInformer, pods::seen, pod -> pods.gone(pod.getMetadata().getUid()));
        watches.start();
    }

    private void inventory(NodeInventories.Counted counted) {
        String name = counted.node();
        try {
            List<String> faults = new ArrayList<>();
            fleet.node(
                    name,
                    counted.object()
                            .map(object -> DasPlacements.gpus(NodeAccelerator.of(object), catalogue, faults::add))
                            .orElse(List.of()));
            told.tell("node " + name, String.join("; ", faults));
        } catch (IllegalArgumentException e) {
            told.tell("node " + name, String.valueOf(e.getMessage()));
        }
    }

    private void claim(GenericKubernetesResource object) {
        try {
            PlacedSlice slice = DasPlacements.slice(AllocationClaim.of(object));
            PlacementFleet.Seen seen = fleet.hold(slice);
            told.tell(
                    id(object),
                    seen == PlacementFleet.Seen.MISFIT
                            ? "AllocationClaim " + id(object) + ": " + slice
                                    + ": there is no such place, or another claim has it; the agent refuses the later"
                                    + " one"
                            : "");
        } catch (IllegalArgumentException e) {
            told.tell(id(object), String.valueOf(e.getMessage()));
        }
    }

    private static String id(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }

    /** Looks after those who wait, soon; several requests are one look. */
    void request() {
        look.request();
    }

    private void pass() {
        if (!leads.getAsBoolean() || !isFilled()) {
            return;
        }
        List<WaitingPods.Waiting> waiting = pods.inOrder();
        SharedIndexInformer<Node> known = nodes;
        SharedIndexInformer<Pod> all = podInformer;
        if (duties.gates() && known != null && all != null) {
            gates.pass(waiting, known.getStore().list(), all.getStore().list());
        }
        if (duties.wakes()) {
            waker.wake(waiting);
        }
    }

    /** Gives back what nobody uses. To be called every few seconds. */
    void tick() {
        fleet.expire(clock.instant());
        if (leads.getAsBoolean() && isFilled()) {
            executor.execute(this::sweep);
        }
    }

    private void sweep() {
        Instant now = clock.instant();
        List<PlacedSlice> idle = fleet.held().stream()
                .filter(slice -> fleet.reservedUntil(slice.id()).isEmpty())
                .filter(this::isUnused)
                .toList();
        unused.keySet().retainAll(idle.stream().map(PlacedSlice::id).toList());
        for (PlacedSlice slice : idle) {
            Instant since = unused.computeIfAbsent(slice.id(), id -> now);
            if (!since.plus(GRACE).isAfter(now) && isIdle(slice) && claims.delete(List.of(slice))) {
                LOG.atInfo().log("AllocationClaim {} was deleted: its pod is bound nowhere", slice.id());
            }
        }
    }

    /** A watch may have been silent for as long as that, so the pod itself is looked at before a claim is taken from it. */
    private boolean isIdle(PlacedSlice slice) {
        try {
            Pod now = client.pods()
                    .inNamespace(slice.namespace())
                    .withName(slice.pod())
                    .get();
            if (now == null || !slice.uid().equals(now.getMetadata().getUid())) {
                return true;
            }
            pods.seen(now);
            return isUnused(slice);
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    /** A pod whose gate was opened waits for the scheduler as long as it takes, with its slices on that node. */
    private boolean isUnused(PlacedSlice slice) {
        return pods.of(slice.uid())
                .map(waiting -> !GatePlacer.node(waiting.pod()).equals(Optional.of(slice.node())))
                .orElse(false);
    }

    /** Whether all that is watched was seen once. */
    boolean isFilled() {
        return watches.isFilled();
    }

    PlacementFleet fleet() {
        return fleet;
    }

    /** What answers the scheduler. */
    ExtenderEndpoints extender() {
        return new ExtenderEndpoints(
                new ExtenderAnswers(fleet, new ScheduledPods(pods, client.getKubernetesSerialization())),
                new SliceBinder(client, fleet, pods, () -> leads.getAsBoolean() && isFilled(), clock));
    }

    @Override
    public void close() {
        watches.close();
    }
}
