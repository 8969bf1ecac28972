package dev.sro.runtime.allocator;

import dev.sro.core.allocation.AllocationFleet;
import dev.sro.core.allocation.PlacedDevice;
import dev.sro.core.allocation.PodDemand;
import dev.sro.runtime.allocator.KeptRooms.Kept;
import dev.sro.runtime.allocator.SliceHolders.Holder;
import dev.sro.runtime.allocator.UnitPlacer.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Holds room for who has waited too long: places that are its own as soon as whoever is there has ended, so that smaller pods do not pass it for ever. One
 * unit at a time, the first in the order in which they are served; nobody ends for it. All of it is found anew by whoever leads next. Not thread-safe.
 */
final class RoomHolder {
    /** Between two looks whether less has to end elsewhere: each takes many searches. */
    private static final Duration EACH = Duration.ofSeconds(30);

    /** Nodes that are looked at, those with most units free first; four for each pod of a large gang. */
    private static final int MOST_NODES = 64;

    private static final int NODES_OF_POD = 4;

    /** Nodes of which it is looked who has to end, for each pod: each takes several searches. */
    private static final int MOST_EMPTIED = 8;

    private final Optional<Duration> after;
    private final AllocationFleet fleet;
    private final KeptRooms rooms;
    private final PodEvents events;
    private final Supplier<SliceHolders> holders;
    private Map<String, Integer> order = Map.of();
    /** Units for which nothing was found, and until when nothing is looked for. */
    private final Map<String, Instant> hopeless = new HashMap<>();

    private Instant next = Instant.MIN;

    /** @param after how long a unit waits before room is held for it; empty if none is */
    RoomHolder(
            Optional<Duration> after,
            AllocationFleet fleet,
            KeptRooms rooms,
            PodEvents events,
            Supplier<SliceHolders> holders) {
        this.after = after;
        this.fleet = fleet;
        this.rooms = rooms;
        this.events = events;
        this.holders = holders;
    }

    /** Learns who waits, in the order in which they are served, and holds nothing for others. To be called before each look. */
    void inform(List<WaitingUnit> units) {
        order = new HashMap<>();
        units.forEach(unit -> order.put(unit.name(), order.size()));
        hopeless.keySet().retainAll(order.keySet());
        rooms.held().stream().filter(kept -> !order.containsKey(kept.who())).forEach(kept -> rooms.letGo(kept.owner()));
    }

    /** Places a unit that has no room in what is held for who comes later, if it has room then. */
    Result placeBefore(WaitingUnit unit, UnitPlacer.Nodes known, Result.Waits waits, Supplier<Result> again) {
        int own = order.getOrDefault(unit.name(), 0);
        Map<Kept, List<PlacedDevice>> later = new LinkedHashMap<>();
        rooms.held().stream()
                .filter(kept -> order.getOrDefault(kept.who(), 0) > own)
                .forEach(kept -> later.put(kept, rooms.devices(kept)));
        if (later.isEmpty()) {
            return waits;
        }
        later.keySet().forEach(kept -> rooms.letGo(kept.owner(), known.room()));
        Result result = again.get();
        if (result instanceof Result.Waits) {
            later.forEach((kept, devices) -> {
                rooms.keep(kept, devices);
                KeptRooms.take(kept, known.room());
            });
        }
        return result;
    }

    /** Why others have no room, for one of them; empty if it is not for this. */
    String reason(WaitingUnit unit) {
        return rooms.held().stream()
                .filter(kept -> !kept.who().equals(unit.name()))
                .map(kept -> "; room on " + nodes(kept.seats().stream().map(seat -> seat.node())) + " is held for "
                        + (kept.seats().size() == 1
                                ? "pod " + kept.seats().get(0).next().key()
                                : "gang " + kept.who())
                        + ", which has waited longer or has a higher priority")
                .collect(Collectors.joining());
    }

    /** Holds room for a unit that has none, if it has waited long enough and is the first. To be called before those are served that come later. */
    void look(FullUnit full, UnitPlacer.Nodes known) {
        boolean due = after.filter(wait -> !full.since().plus(wait).isAfter(known.now()))
                .isPresent();
        if (due
                && full.demands().haveNothing()
                && !rooms.isPromised(full.owner())
                && order.getOrDefault(full.unit().name(), 0) <= firstHeld()) {
            hold(full, known);
        }
    }

    private int firstHeld() {
        return rooms.held().stream()
                .mapToInt(kept -> order.getOrDefault(kept.who(), 0))
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    private void hold(FullUnit full, UnitPlacer.Nodes known) {
        Optional<Kept> before = rooms.held().stream()
                .filter(kept -> kept.owner().equals(full.owner()))
                .findFirst();
        boolean usable = before.filter(kept -> isUsable(kept, full)).isPresent();
        Instant again = usable ? next : hopeless.getOrDefault(full.unit().name(), Instant.MIN);
        if (again.isAfter(known.now())) {
            return;
        }
        next = known.now().plus(EACH);
        Optional<RoomSearch.Found> found = rooms.leaving(
                full.owner(), known.room(), () -> search(full, known).find());
        if (usable
                && found.filter(room -> inTheWay(room.devices()) < inTheWay(rooms.devices(before.get())))
                        .isEmpty()) {
            return;
        }
        if (found.isPresent()) {
            rooms.held().forEach(kept -> rooms.letGo(kept.owner(), known.room()));
            keep(full, found.get(), known);
        } else {
            before.ifPresent(kept -> rooms.letGo(kept.owner(), known.room()));
            hopeless.put(full.unit().name(), next);
        }
    }

    private int inTheWay(List<PlacedDevice> devices) {
        return fleet.inTheWay(devices).size();
    }

    /** Whether a unit can be there once those have ended that are. */
    private boolean isUsable(Kept kept, FullUnit full) {
        List<PlacedDevice> devices = rooms.devices(kept);
        List<PodDemand> pods = full.demands().pods();
        boolean same = pods.size() == kept.seats().size();
        for (int i = 0; same && i < pods.size(); i++) {
            KeptRooms.Seat seat = kept.seats().get(i);
            same = seat.next().uid().equals(pods.get(i).uid())
                    && pods.get(i).nodes().contains(seat.node());
        }
        return same && fleet.canHave(kept.owner(), devices, fleet.inTheWay(devices));
    }

    private RoomSearch search(FullUnit full, UnitPlacer.Nodes known) {
        SliceHolders now = holders.get();
        List<Holder> all = now.staying();
        Map<Holder, Integer> units = new HashMap<>();
        all.forEach(holder -> units.put(
                holder, holder.claims().stream().mapToInt(fleet::units).sum()));
        Comparator<List<Holder>> least = Comparator.<List<Holder>>comparingInt(some ->
                        some.stream().mapToInt(holder -> holder.pods().size()).sum())
                .thenComparingInt(some -> some.stream()
                        .mapToInt(holder -> units.getOrDefault(holder, 0))
                        .sum())
                .thenComparing(some -> some.get(0).nodes().toString());
        return new RoomSearch(
                fleet,
                known.room(),
                now,
                emptiest(full.demands()),
                // The small ones stay, so that few have to end.
                new RoomSearch.Rules(
                        all,
                        Comparator.<Holder>comparingInt(holder -> units.getOrDefault(holder, 0))
                                .thenComparing(Holder::key),
                        least,
                        MOST_EMPTIED));
    }

    /** The same on fewer nodes. */
    private KeptRooms.Demands emptiest(KeptRooms.Demands demands) {
        Map<String, Integer> free = new HashMap<>();
        demands.pods().forEach(pod -> pod.nodes().forEach(node -> free.computeIfAbsent(node, fleet::freeUnits)));
        Comparator<String> emptiest = Comparator.<String>comparingInt(node -> -free.getOrDefault(node, 0))
                .thenComparing(Comparator.naturalOrder());
        int most = Math.max(MOST_NODES, NODES_OF_POD * demands.pods().size());
        List<PodDemand> pods = demands.pods().stream()
                .map(pod -> new PodDemand(
                        pod.uid(),
                        pod.key(),
                        pod.claims(),
                        pod.had(),
                        pod.spread(),
                        pod.nodes().stream().sorted(emptiest).limit(most).toList()))
                .toList();
        return new KeptRooms.Demands(demands.unit(), pods, demands.byUid());
    }

    private void keep(FullUnit full, RoomSearch.Found found, UnitPlacer.Nodes known) {
        Kept room = new Kept(
                full.owner(),
                full.unit().name(),
                KeptRooms.seats(full.demands(), found.seats()),
                Instant.MAX,
                KeptRooms.Kind.HELD);
        rooms.keep(room, found.devices());
        KeptRooms.take(room, known.room());
        long ends =
                found.gone().stream().mapToLong(holder -> holder.pods().size()).sum();
        events.tell(
                full.first().pod(),
                "SlicesHeld",
                "room is held for it on "
                        + nodes(found.seats().stream().map(seat -> seat.nodes().get(0)))
                        + (ends == 0
                                ? "; pods that are ending make it"
                                : ends == 1
                                        ? " until one pod there has ended"
                                        : " until " + ends + " pods there have ended"));
    }

    private static String nodes(Stream<String> names) {
        Set<String> all = names.collect(Collectors.toCollection(TreeSet::new));
        return (all.size() == 1 ? "node " : "nodes ") + String.join(", ", all);
    }
}
