package dev.sro.runtime.allocator;

import dev.sro.core.allocation.AllocationFleet;
import dev.sro.core.allocation.AllocationSearch;
import dev.sro.core.allocation.Allocations;
import dev.sro.core.allocation.ClaimDemand;
import dev.sro.core.allocation.PlacedDevice;
import dev.sro.core.allocation.PodDemand;
import dev.sro.runtime.scheduler.NodeRoom;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Rooms that are kept for pods that others end for, and for those that come in the place of others, until they have them or the time is over. Nobody else
 * gets what is in them. Not thread-safe.
 */
final class KeptRooms {
    private final AllocationFleet fleet;
    private final Map<String, Kept> rooms = new LinkedHashMap<>();

    /** Why a room is kept. */
    enum Kind {
        /** Pods end for it, or were moved from it. */
        PROMISED,
        /** Whoever is there ends some time, and nobody ends for it. */
        HELD
    }

    /**
     * One room.
     *
     * @param owner under which it is kept
     * @param who the unit of pods that gets it, or UID of the controller whose next pod does
     * @param seats one for each pod, in the order of the devices
     * @param until when it is kept
     */
    record Kept(String owner, String who, List<Seat> seats, Instant until, Kind kind) {
        Kept {
            seats = List.copyOf(seats);
        }

        /** For the pods of a unit, or for one of a controller. */
        static Kept promised(String owner, String who, List<Seat> seats, Instant until) {
            return new Kept(owner, who, seats, until, Kind.PROMISED);
        }

        private boolean isFor(Demands demands) {
            List<Object> shapes =
                    seats.stream().map(seat -> seat.next().shape()).toList();
            return demands.haveNothing()
                    && shapes.equals(
                            demands.pods().stream().map(PodDemand::shape).toList())
                    && (shapes.size() == 1
                            || seats.stream()
                                    .map(seat -> seat.next().uid())
                                    .toList()
                                    .equals(demands.pods().stream()
                                            .map(PodDemand::uid)
                                            .toList()));
        }
    }

    /**
     * What is kept for one pod.
     *
     * @param next what it asks for; its claims are those of the devices, its nodes the one
     * @param pod as which it takes what a node has beside devices; empty where that is not known any more
     */
    record Seat(PodDemand next, Optional<Pod> pod) {
        String node() {
            return next.nodes().get(0);
        }
    }

    /**
     * What the pods of a unit ask for that have not got it.
     *
     * @param unit its name
     * @param pods in their order
     * @param byUid the same pods
     */
    record Demands(String unit, List<PodDemand> pods, Map<String, Pod> byUid) {
        Demands {
            pods = List.copyOf(pods);
            byUid = Map.copyOf(byUid);
        }

        /** Whether none of them has a device or a node yet, so that all of them can go anywhere. */
        boolean haveNothing() {
            return pods.stream().allMatch(pod -> pod.had().isEmpty()) && isUnbound();
        }

        boolean isUnbound() {
            return byUid.values().stream()
                    .allMatch(pod -> AllocationMarks.node(pod).isEmpty());
        }

        /** For people. */
        String name() {
            return byUid.containsKey(unit) ? "pod " + pods.get(0).key() : "gang " + unit;
        }
    }

    KeptRooms(AllocationFleet fleet) {
        this.fleet = fleet;
    }

    /** Under which a room is kept for a unit, such as a pod by its UID, or for the pod in its place. */
    static String owner(String unit) {
        return "room/" + unit;
    }

    /** Whose next pod will be like this one; empty for a pod that nobody makes again. */
    static Optional<String> controller(Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .map(OwnerReference::getUid)
                .findFirst();
    }

    /** A pod as one that is on no node yet. */
    static Pod unbound(Pod pod) {
        return new PodBuilder(pod).editSpec().withNodeName(null).endSpec().build();
    }

    /** What is kept, without what there is no room to remember. */
    static PodDemand at(PodDemand pod, String node) {
        List<ClaimDemand> claims = pod.claims().stream()
                .map(claim -> new ClaimDemand(claim.uid(), claim.key(), claim.asks(), claim.rules(), List.of()))
                .toList();
        return new PodDemand(pod.uid(), pod.key(), claims, List.of(), pod.spread(), List.of(node));
    }

    /** Seats for the pods of a unit, each of which has its node. */
    static List<Seat> seats(Demands demands, List<PodDemand> placed) {
        return placed.stream()
                .map(pod -> new Seat(
                        at(pod, pod.nodes().get(0)),
                        Optional.ofNullable(demands.byUid().get(pod.uid()))))
                .toList();
    }

    void keep(Kept room, List<PlacedDevice> devices) {
        rooms.put(room.owner(), room);
        fleet.keep(room.owner(), devices);
    }

    void letGo(String owner) {
        rooms.remove(owner);
        fleet.letGo(owner);
    }

    /** The same, and counts no more who was to come there. */
    void letGo(String owner, NodeRoom nodes) {
        Kept kept = rooms.get(owner);
        if (kept != null) {
            giveBack(kept, nodes);
            letGo(owner);
        }
    }

    boolean isKept(String owner) {
        return rooms.containsKey(owner);
    }

    /** Whether pods end for it, or were moved from it. */
    boolean isPromised(String owner) {
        Kept kept = rooms.get(owner);
        return kept != null && kept.kind() == Kind.PROMISED;
    }

    /** Those that are kept although nobody ends for them. */
    List<Kept> held() {
        return rooms.values().stream().filter(kept -> kept.kind() == Kind.HELD).toList();
    }

    /** What is kept under this name; nothing if nothing is. */
    List<PlacedDevice> devices(Kept kept) {
        return fleet.kept(kept.owner());
    }

    /** Keeps nothing whose time is over. */
    void expire(Instant now) {
        List.copyOf(rooms.values()).stream()
                .filter(room -> !room.until().isAfter(now))
                .forEach(room -> letGo(room.owner()));
    }

    /** Keeps nothing for those who have it, by what claims have. */
    void settle(List<ResourceClaim> claims) {
        if (rooms.isEmpty()) {
            return;
        }
        Map<String, ResourceClaim> holders = new HashMap<>();
        for (ResourceClaim claim : claims) {
            Allocations.results(claim)
                    .forEach(result -> holders.put(result.getPool() + "/" + result.getDevice(), claim));
        }
        Set<String> allocated = new HashSet<>();
        claims.stream()
                .filter(Allocations::allocated)
                .forEach(claim -> allocated.add(claim.getMetadata().getUid()));
        for (Kept room : List.copyOf(rooms.values())) {
            Set<String> before = new HashSet<>();
            room.seats().forEach(seat -> seat.next().claims().forEach(claim -> before.add(claim.uid())));
            boolean has = isForThesePods(room)
                    ? allocated.containsAll(before)
                    : fleet.kept(room.owner()).stream()
                            .map(device -> holders.get(device.pool() + "/" + device.device()))
                            .allMatch(claim -> claim != null
                                    && !before.contains(claim.getMetadata().getUid()));
            if (has) {
                letGo(room.owner());
            }
        }
    }

    /** Not for one that a controller makes in its place. */
    private static boolean isForThesePods(Kept room) {
        return room.seats().size() > 1
                || room.who().equals(room.seats().get(0).next().uid());
    }

    /** Keeps nothing. */
    void clear() {
        List.copyOf(rooms.keySet()).forEach(this::letGo);
    }

    /** Counts those who are to come as if they were there. */
    void take(NodeRoom nodes) {
        rooms.values().forEach(room -> take(room, nodes));
    }

    /** Counts those for whom a room is as if they were there. */
    static void take(Kept kept, NodeRoom nodes) {
        kept.seats().forEach(seat -> seat.pod().ifPresent(pod -> nodes.take(seat.node(), pod)));
    }

    /** Counts them no more. */
    static void giveBack(Kept kept, NodeRoom nodes) {
        kept.seats().forEach(seat -> seat.pod().ifPresent(pod -> nodes.giveBack(seat.node(), pod)));
    }

    /** Asks something as if those for whom a room is kept under this name were not counted. */
    <T> T leaving(String owner, NodeRoom nodes, Supplier<T> asked) {
        Kept kept = rooms.get(owner);
        if (kept == null) {
            return asked.get();
        }
        giveBack(kept, nodes);
        try {
            return asked.get();
        } finally {
            take(kept, nodes);
        }
    }

    /** The room of a unit, or of the pod in whose place it comes. */
    Optional<Kept> of(Demands demands) {
        Optional<String> controller = demands.byUid().size() == 1
                ? controller(demands.byUid().values().iterator().next())
                : Optional.empty();
        return rooms.values().stream()
                .filter(room -> room.who().equals(demands.unit())
                        || controller.filter(room.who()::equals).isPresent())
                .filter(room -> room.isFor(demands))
                .findFirst();
    }

    /**
     * Where a unit goes: to what is kept for it if that can be had, else where there is room otherwise.
     *
     * @param nodes of which what is kept for the unit is not taken
     */
    AllocationSearch.Answer place(Kept kept, Demands demands, NodeRoom nodes) {
        giveBack(kept, nodes);
        ClaimedRoom room = new ClaimedRoom(nodes, demands.byUid());
        AllocationSearch.Answer answer =
                exactly(kept, demands, room).orElseGet(() -> fleet.place(kept.owner(), demands.pods(), room, Set.of()));
        if (!answer.granted()) {
            take(kept, nodes);
        }
        return answer;
    }

    private Optional<AllocationSearch.Answer> exactly(Kept kept, Demands demands, ClaimedRoom room) {
        List<PlacedDevice> devices = fleet.kept(kept.owner());
        if (!fleet.canHave(kept.owner(), devices, Set.of())) {
            return Optional.empty();
        }
        Map<String, List<PlacedDevice>> own = new HashMap<>();
        Map<String, String> nodes = new HashMap<>();
        for (int i = 0; i < kept.seats().size(); i++) {
            Seat seat = kept.seats().get(i);
            PodDemand demand = demands.pods().get(i);
            if (!demand.nodes().contains(seat.node()) || !room.take(demand.uid(), seat.node())) {
                nodes.forEach(room::giveBack);
                return Optional.empty();
            }
            nodes.put(demand.uid(), seat.node());
            own.put(demand.uid(), named(devices, seat.next(), demand));
        }
        return Optional.of(new AllocationSearch.Answer(own, nodes, ""));
    }

    private static List<PlacedDevice> named(List<PlacedDevice> devices, PodDemand before, PodDemand now) {
        List<PlacedDevice> own = new ArrayList<>();
        for (int i = 0; i < now.claims().size(); i++) {
            String claim = before.claims().get(i).uid();
            ClaimDemand named = now.claims().get(i);
            devices.stream()
                    .filter(device -> device.claim().equals(claim))
                    .forEach(device -> own.add(named(device, named)));
        }
        return own;
    }

    private static PlacedDevice named(PlacedDevice device, ClaimDemand claim) {
        List<DeviceToleration> tolerations = claim.asks().stream()
                .flatMap(ask -> ask.choices().stream())
                .filter(choice -> choice.request().equals(device.request()))
                .map(ClaimDemand.Choice::tolerations)
                .findFirst()
                .orElse(List.of());
        return new PlacedDevice(
                claim.uid(),
                device.request(),
                device.node(),
                device.gpu(),
                device.pool(),
                device.device(),
                tolerations);
    }
}
