package dev.sro.runtime.allocator;

import dev.sro.core.allocation.AllocationFleet;
import dev.sro.core.allocation.AllocationSearch;
import dev.sro.core.allocation.Allocations;
import dev.sro.core.allocation.ClaimDemand;
import dev.sro.core.allocation.PlacedDevice;
import dev.sro.core.allocation.PodDemand;
import dev.sro.runtime.allocator.WaitingUnit.Member;
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

/**
 * Rooms that are kept for pods that others end for, and for those that come in the place of others, until they have them or the time is over. Nobody else
 * gets what is in them. Not thread-safe.
 */
final class KeptRooms {
    private final AllocationFleet fleet;
    private final Map<String, Kept> rooms = new LinkedHashMap<>();

    /**
     * One room.
     *
     * @param owner under which it is kept
     * @param who UID of the pod that gets it, or of the controller whose next pod does
     * @param next what that one asks for; its claims are those of the devices, its nodes the one
     * @param until when it is kept
     * @param pod as which it takes what a node has beside devices; empty where that is not known any more
     */
    record Kept(String owner, String who, PodDemand next, Instant until, Optional<Pod> pod) {
        String node() {
            return next.nodes().get(0);
        }
    }

    KeptRooms(AllocationFleet fleet) {
        this.fleet = fleet;
    }

    /** Under which a room is kept for a pod, or for the one in its place. */
    static String owner(String uid) {
        return "room/" + uid;
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

    void keep(Kept room, List<PlacedDevice> devices) {
        rooms.put(room.owner(), room);
        fleet.keep(room.owner(), devices);
    }

    void letGo(String owner) {
        rooms.remove(owner);
        fleet.letGo(owner);
    }

    boolean isKept(String owner) {
        return rooms.containsKey(owner);
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
            room.next().claims().forEach(claim -> before.add(claim.uid()));
            boolean has = room.who().equals(room.next().uid())
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

    /** Keeps nothing. */
    void clear() {
        List.copyOf(rooms.keySet()).forEach(this::letGo);
    }

    /** Counts those who are to come as if they were there. */
    void take(NodeRoom nodes) {
        rooms.values().forEach(room -> room.pod().ifPresent(pod -> nodes.take(room.node(), pod)));
    }

    /** The room of a pod, or of one in whose place it comes. */
    Optional<Kept> of(Member member, PodDemand demand) {
        Optional<String> controller = controller(member.pod());
        return rooms.values().stream()
                .filter(room -> room.who().equals(member.uid())
                        || controller.filter(room.who()::equals).isPresent())
                .filter(room -> room.next().shape().equals(demand.shape())
                        && demand.had().isEmpty())
                .findFirst();
    }

    /**
     * Where a pod goes: to what is kept for it if that can be had, else where there is room otherwise.
     *
     * @param nodes of which what is kept for the pod is not taken
     */
    AllocationSearch.Answer place(Kept kept, Pod pod, PodDemand demand, NodeRoom nodes) {
        kept.pod().ifPresent(counted -> nodes.giveBack(kept.node(), counted));
        ClaimedRoom room = new ClaimedRoom(nodes, Map.of(demand.uid(), pod));
        AllocationSearch.Answer answer =
                exactly(kept, demand, room).orElseGet(() -> fleet.place(kept.owner(), List.of(demand), room, Set.of()));
        if (!answer.granted()) {
            kept.pod().ifPresent(counted -> nodes.take(kept.node(), counted));
        }
        return answer;
    }

    private Optional<AllocationSearch.Answer> exactly(Kept kept, PodDemand demand, ClaimedRoom room) {
        List<PlacedDevice> devices = fleet.kept(kept.owner());
        if (!demand.nodes().contains(kept.node())
                || !fleet.canHave(kept.owner(), devices, Set.of())
                || !room.take(demand.uid(), kept.node())) {
            return Optional.empty();
        }
        List<PlacedDevice> own = new ArrayList<>();
        for (int i = 0; i < demand.claims().size(); i++) {
            String before = kept.next().claims().get(i).uid();
            ClaimDemand claim = demand.claims().get(i);
            devices.stream()
                    .filter(device -> device.claim().equals(before))
                    .forEach(device -> own.add(named(device, claim)));
        }
        return Optional.of(
                new AllocationSearch.Answer(Map.of(demand.uid(), own), Map.of(demand.uid(), kept.node()), ""));
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
