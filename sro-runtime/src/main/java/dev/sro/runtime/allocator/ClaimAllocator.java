package dev.sro.runtime.allocator;

import dev.sro.core.allocation.AllocationFleet;
import dev.sro.core.allocation.ClaimDemands;
import dev.sro.core.allocation.LimitClasses;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.runtime.allocator.UnitPlacer.Result;
import dev.sro.runtime.allocator.WaitingUnit.Member;
import dev.sro.runtime.allocator.WaitingUnit.Open;
import dev.sro.runtime.scheduler.NodeRoom;
import dev.sro.runtime.scheduler.ObjectWatches;
import dev.sro.runtime.scheduler.SoonTask;
import dev.sro.runtime.scheduler.ToldOnce;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives devices to the pods of a cluster that wait for them, as long as it leads. All that it knows it has from the API server, so whoever starts anew
 * knows the same. Thread-safe; what writes runs one at a time on the executor.
 */
final class ClaimAllocator implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimAllocator.class);

    private static final Duration MOST_DELAY = Duration.ofSeconds(30);

    private record Retry(Instant at, Duration next) {}

    private final KubernetesClient client;
    private final BooleanSupplier leads;
    private final Clock clock;
    private final Executor executor;
    private final AllocationFleet fleet;
    private final AllocationWriter writer;
    private final ObjectBook<ResourceClaim> claims = new ObjectBook<>();
    private final ObjectBook<Pod> pods = new ObjectBook<>();
    private final Map<String, Map<String, ResourceSlice>> pools = new HashMap<>();
    private final Map<String, DeviceClass> classes = new ConcurrentHashMap<>();
    private final Map<String, Node> nodes = new ConcurrentHashMap<>();
    private final NodeAvoidance avoidance = new NodeAvoidance();
    private final UnitPlacer placer;
    private final ClaimKeeper keeper;
    private final PodEvents events;
    private final Map<String, Retry> retries = new HashMap<>();
    /** Versions of claims that were looked at after a scheduler, or this, had taken their devices away. */
    private final Map<String, String> cleared = new HashMap<>();

    private final ToldOnce told = new ToldOnce(what -> LOG.atInfo().log("{}", what));
    private final ObjectWatches watches = new ObjectWatches(this::request);
    private final SoonTask look;
    private final AllocatorOptions options;
    private final KeptRooms rooms;
    private final Preemptor preemptor;
    private final MoveCounts counts = new MoveCounts();
    private final RoomMaker roomMaker;
    private final RoomHolder roomHolder;
    private final LimitTemplates limits;
    private boolean led;

    /** @param ledger of moves; what is not to be made room for is not written there */
    ClaimAllocator(
            KubernetesClient client,
            AllocatorOptions options,
            Catalogue catalogue,
            BooleanSupplier leads,
            MoveLedger ledger,
            Clock clock,
            Executor executor) {
        this.client = client;
        this.options = options;
        this.leads = leads;
        this.clock = clock;
        this.executor = executor;
        this.look = new SoonTask(executor, "those who wait were not looked after", this::pass);
        this.fleet = new AllocationFleet(options.driver(), catalogue);
        this.rooms = new KeptRooms(fleet);
        this.writer = new AllocationWriter(client, leads, this::written, pods::seen);
        this.placer = new UnitPlacer(fleet, writer, claims, pods, avoidance, rooms);
        this.keeper = new ClaimKeeper(fleet, writer, claims, pods, clock);
        this.events = new PodEvents(client, clock);
        this.limits = new LimitTemplates(options.limits(), client, leads, events);
        PodEviction eviction = new PodEviction(client);
        this.preemptor = new Preemptor(fleet, eviction, rooms, events, pods, claims);
        RoomPlanner planner = new RoomPlanner(fleet, placer, claims, pods, this::demands);
        MakeRoom makeRoom = options.makeRoom();
        MoveSteps steps = new MoveSteps(
                client,
                leads,
                makeRoom.movesPerHour(),
                ledger,
                new MoveChecks(fleet, placer, planner, pods),
                rooms,
                events,
                eviction,
                pods,
                counts);
        this.roomHolder = new RoomHolder(options.holdAfter(), fleet, rooms, events, preemptor::holders);
        this.roomMaker = new RoomMaker(makeRoom, ledger, planner, steps, rooms, events, eviction, pods, counts);
    }

    private ClaimDemands demands() {
        return new ClaimDemands(fleet.driver(), classes::get);
    }

    /** Watches from now on. */
    void start() {
        watches.follow(
                client.resources(ResourceSlice.class).runnableInformer(0),
                slice -> slice(slice, true),
                slice -> slice(slice, false));
        watches.follow(
                client.resources(DeviceClass.class).runnableInformer(0),
                seen -> classes.put(seen.getMetadata().getName(), seen),
                gone -> classes.remove(gone.getMetadata().getName()));
        watches.follow(
                client.nodes().runnableInformer(0),
                seen -> nodes.put(seen.getMetadata().getName(), seen),
                gone -> nodes.remove(gone.getMetadata().getName()));
        watches.follow(
                client.resources(ResourceClaim.class).inAnyNamespace().runnableInformer(0), this::seen, this::gone);
        watches.follow(client.pods().inAnyNamespace().runnableInformer(0), pods::seen, pods::gone);
        if (options.limits()) {
            watches.follow(limits.informer(), limits::seen, limits::gone);
        }
        watches.start();
    }

    /** Both or neither, so that of two that tell at a time the older one does not have the last word. */
    private void seen(ResourceClaim claim) {
        synchronized (claims) {
            if (claims.seen(claim)) {
                fleet.claim(claim);
            }
        }
    }

    private void gone(ResourceClaim claim) {
        synchronized (claims) {
            claims.gone(claim);
            fleet.gone(claim.getMetadata().getUid());
        }
    }

    private void written(ResourceClaim claim) {
        seen(claim);
        synchronized (cleared) {
            cleared.put(claim.getMetadata().getUid(), claim.getMetadata().getResourceVersion());
        }
    }

    private void slice(ResourceSlice slice, boolean there) {
        if (!fleet.driver().equals(slice.getSpec().getDriver())) {
            return;
        }
        String pool = slice.getSpec().getPool().getName();
        synchronized (pools) {
            Map<String, ResourceSlice> own = pools.computeIfAbsent(pool, name -> new TreeMap<>());
            if (there) {
                own.put(slice.getMetadata().getName(), slice);
            } else {
                own.remove(slice.getMetadata().getName());
            }
            told.tell(pool, fleet.pool(pool, List.copyOf(own.values())));
        }
    }

    /** Looks after those who wait, soon; several requests are one look. */
    void request() {
        look.request();
    }

    /** Gives back what nobody uses, and looks after those who wait. To be called every few seconds. */
    void tick() {
        executor.execute(() -> {
            if (led && leads.getAsBoolean() && isFilled()) {
                keeper.releaseUnused();
            }
        });
        request();
    }

    private void pass() {
        if (!leads.getAsBoolean() || !isFilled()) {
            led = false;
            roomMaker.forget();
            return;
        }
        if (!led && !takeOver()) {
            return;
        }
        led = true;
        Instant now = clock.instant();
        roomMaker.inform(now);
        rooms.expire(now);
        rooms.settle(claims.all());
        keeper.settleConflicts();
        UnitReader reader = new UnitReader(claims, demands(), fleet.driver());
        List<Pod> all = pods.all();
        limits.look(all, this::limitClasses, now);
        List<WaitingUnit> units = reader.units(all);
        Set<String> waiting = new HashSet<>();
        units.forEach(unit -> {
            waiting.add(unit.name());
            unit.members().forEach(member -> waiting.add(member.uid()));
        });
        avoidance.retain(waiting(reader, waiting));
        events.retain(waiting);
        synchronized (cleared) {
            cleared.keySet().retainAll(claims.byUid().keySet());
        }
        retries.keySet().retainAll(units.stream().map(WaitingUnit::name).toList());
        if (!units.isEmpty() || roomMaker.isBusy()) {
            serve(units, waiting, reader, new NodeRoom(nodes.values(), all), now);
        }
    }

    /** Those who wait, in their order. */
    private void serve(List<WaitingUnit> units, Set<String> waiting, UnitReader reader, NodeRoom room, Instant now) {
        reader.settled().forEach(member -> nodeOf(member, room));
        roomHolder.inform(units);
        rooms.take(room);
        UnitPlacer.Nodes known = new UnitPlacer.Nodes(List.copyOf(nodes.values()), room, now);
        List<FullUnit> full = new ArrayList<>();
        for (WaitingUnit unit : units) {
            if (!leads.getAsBoolean()) {
                return;
            }
            unit.members().forEach(member -> feedback(member, now));
            place(unit, known).ifPresent(full::add);
        }
        roomMaker.look(full.stream().filter(FullUnit::isWhole).toList(), waiting, known, () -> preemptor.look(known));
    }

    private static Set<String> waiting(UnitReader reader, Set<String> waiting) {
        Set<String> all = new HashSet<>(waiting);
        reader.settled().forEach(member -> all.add(member.uid()));
        return all;
    }

    /** Whoever led before may have written what no watch has told yet. */
    private boolean takeOver() {
        return writer.claims()
                .map(all -> {
                    all.forEach(this::seen);
                    return true;
                })
                .orElse(false);
    }

    private void nodeOf(Member member, NodeRoom room) {
        member.had().stream()
                .flatMap(claim -> fleet.node(claim.getMetadata().getUid()).stream())
                .findFirst()
                .ifPresent(node -> room.take(node, member.pod()));
    }

    /** A scheduler takes an allocation away when it can bind the pod nowhere: the node would not do. */
    private void feedback(Member member, Instant now) {
        if (member.gated() || !AllocationMarks.node(member.pod()).isEmpty()) {
            return;
        }
        synchronized (cleared) {
            for (Open open : member.open()) {
                String version = open.claim().getMetadata().getResourceVersion();
                AllocationMarks.annotation(open.claim(), AllocationMarks.NODE)
                        .filter(node ->
                                !version.equals(cleared.put(open.demand().uid(), version)))
                        .ifPresent(node -> {
                            avoidance.refused(member.uid(), node, now);
                            events.tell(
                                    member.pod(),
                                    "SlicesRefused",
                                    "node " + node
                                            + " had slices for it, and the scheduler would not bind it there; it gets"
                                            + " others, of another node for the time being");
                        });
            }
        }
    }

    /** Who found no room, if others may end for it. */
    private Optional<FullUnit> place(WaitingUnit unit, UnitPlacer.Nodes known) {
        Retry retry = retries.get(unit.name());
        if (retry != null && retry.at().isAfter(known.now())) {
            return Optional.empty();
        }
        Result result = placer.place(unit, known);
        if (result instanceof Result.Waits waits && waits.full()) {
            result = roomHolder.placeBefore(unit, known, waits, () -> placer.place(unit, known));
        }
        if (result instanceof Result.Failed) {
            Duration wait = retry == null ? Duration.ofSeconds(1) : retry.next();
            Duration twice = wait.multipliedBy(2);
            retries.put(
                    unit.name(),
                    new Retry(known.now().plus(wait), twice.compareTo(MOST_DELAY) > 0 ? MOST_DELAY : twice));
        } else {
            retries.remove(unit.name());
        }
        return result instanceof Result.Waits waits ? waits(unit, waits, known) : Optional.empty();
    }

    private Optional<FullUnit> waits(WaitingUnit unit, Result.Waits waits, UnitPlacer.Nodes known) {
        Optional<FullUnit> full =
                waits.full() ? Optional.of(new FullUnit(unit, placer.demands(unit, known))) : Optional.empty();
        String refused = full.filter(each -> options.preempts() && SlicePreemption.mayPreempt(each.demands()))
                .map(each -> preemptor.preempt(each.demands(), known))
                .orElse("");
        full.ifPresent(each -> roomHolder.look(each, known));
        String held = waits.full() ? roomHolder.reason(unit) : "";
        events.waits(unit.firstWaiting().pod(), waits.why() + held + (refused.isEmpty() ? "" : "; " + refused));
        return full;
    }

    /** Whether all that is watched was seen once. */
    boolean isFilled() {
        return watches.isFilled();
    }

    /** Which limits mean devices of ours, once {@link #isFilled}. */
    LimitClasses limitClasses() {
        return new LimitClasses(fleet.driver(), classes.values());
    }

    /** What became of moves. */
    MoveCounts moves() {
        return counts;
    }

    AllocationFleet fleet() {
        return fleet;
    }

    @Override
    public void close() {
        watches.close();
    }
}
