package dev.sro.runtime.allocator;

import dev.sro.core.allocation.AllocationFleet;
import dev.sro.core.allocation.AllocationSearch;
import dev.sro.core.allocation.PlacedDevice;
import dev.sro.core.allocation.PodDemand;
import dev.sro.runtime.allocator.SliceHolders.Held;
import dev.sro.runtime.allocator.SliceHolders.Holder;
import dev.sro.runtime.scheduler.NodeRoom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds whose end makes room for a unit: pod by pod, on the node where least has to end for it, none of whom could stay. For one look; changes nothing but
 * what it gives back.
 */
final class RoomSearch {
    private final AllocationFleet fleet;
    private final NodeRoom room;
    private final SliceHolders holders;
    private final KeptRooms.Demands demands;
    private final Rules rules;

    /**
     * Who may end.
     *
     * @param may who ends at all
     * @param dearest who is to stay if anybody can, first
     * @param least which of two sets is better
     * @param nodes that are looked at for a pod
     */
    record Rules(List<Holder> may, Comparator<Holder> dearest, Comparator<List<Holder>> least, int nodes) {
        Rules {
            may = List.copyOf(may);
        }
    }

    /**
     * What was found.
     *
     * @param gone who has to end
     * @param seats the pods of the unit, each on its node, in their order
     * @param devices what they can have then
     */
    record Found(List<Holder> gone, List<PodDemand> seats, List<PlacedDevice> devices) {}

    RoomSearch(AllocationFleet fleet, NodeRoom room, SliceHolders holders, KeptRooms.Demands demands, Rules rules) {
        this.fleet = fleet;
        this.room = room;
        this.holders = holders;
        this.demands = demands;
        this.rules = rules;
    }

    /** Whether there is room once those have ended that do so anyway. */
    static boolean endsMakeRoom(AllocationFleet fleet, NodeRoom room, SliceHolders holders, KeptRooms.Demands demands) {
        Rules nobody = new Rules(List.of(), Comparator.comparing(Holder::key), Comparator.comparing(List::size), 0);
        return new RoomSearch(fleet, room, holders, demands, nobody)
                .fits(demands.pods(), Set.of())
                .isPresent();
    }

    Optional<Found> find() {
        Set<Holder> gone = new LinkedHashSet<>();
        List<PodDemand> seats = new ArrayList<>();
        for (PodDemand pod : AllocationSearch.widestFirst(demands.pods())) {
            Optional<AllocationSearch.Answer> answer = fits(with(seats, pod), gone);
            if (answer.isEmpty()) {
                Optional<List<Holder>> least = pod.nodes().stream()
                        .filter(node -> rules.may().stream()
                                .anyMatch(holder ->
                                        !gone.contains(holder) && holder.nodes().contains(node)))
                        .limit(rules.nodes())
                        .flatMap(node -> victims(with(seats, at(pod, node)), node, gone).stream())
                        .min(rules.least());
                if (least.isEmpty()) {
                    return Optional.empty();
                }
                gone.addAll(least.get());
                answer = fits(with(seats, pod), gone);
            }
            String node = answer.map(found -> found.nodeOf(pod.uid())).orElse("");
            if (node.isEmpty()) {
                return Optional.empty();
            }
            seats.add(at(pod, node));
        }
        List<Holder> needed = spared(seats, gone);
        List<String> order = demands.pods().stream().map(PodDemand::uid).toList();
        seats.sort(Comparator.comparingInt(seat -> order.indexOf(seat.uid())));
        return fits(seats, needed).map(answer -> new Found(needed, List.copyOf(seats), devices(seats, answer)));
    }

    private static List<PlacedDevice> devices(List<PodDemand> seats, AllocationSearch.Answer answer) {
        return seats.stream()
                .flatMap(seat -> answer.devicesOf(seat.uid()).stream())
                .toList();
    }

    private static List<PodDemand> with(List<PodDemand> seats, PodDemand pod) {
        List<PodDemand> all = new ArrayList<>(seats);
        all.add(pod);
        return all;
    }

    private static PodDemand at(PodDemand pod, String node) {
        return new PodDemand(pod.uid(), pod.key(), pod.claims(), pod.had(), pod.spread(), List.of(node));
    }

    /** All on a node that may end, less those that can stay, the dearest first. */
    private Optional<List<Holder>> victims(List<PodDemand> pods, String node, Set<Holder> gone) {
        Set<Holder> all = new LinkedHashSet<>(gone);
        rules.may().stream()
                .filter(holder -> !gone.contains(holder) && holder.nodes().contains(node))
                .sorted(rules.dearest())
                .forEach(all::add);
        if (fits(pods, all).isEmpty()) {
            return Optional.empty();
        }
        List<Holder> own = new ArrayList<>(all);
        own.removeAll(gone);
        for (Holder holder : List.copyOf(own)) {
            all.remove(holder);
            if (fits(pods, all).isEmpty()) {
                all.add(holder);
            } else {
                own.remove(holder);
            }
        }
        return Optional.of(own);
    }

    /** Who was to end for one pod may be able to stay for what ends for another. */
    private List<Holder> spared(List<PodDemand> seats, Set<Holder> gone) {
        List<Holder> needed = new ArrayList<>(gone);
        if (demands.pods().size() > 1) {
            gone.stream().sorted(rules.dearest()).forEach(holder -> {
                needed.remove(holder);
                if (fits(seats, needed).isEmpty()) {
                    needed.add(holder);
                }
            });
        }
        return needed;
    }

    /** Where these can be as if some were gone; empty if they cannot, or none are gone. */
    private Optional<AllocationSearch.Answer> fits(List<PodDemand> pods, Collection<Holder> gone) {
        if (gone.isEmpty()
                && holders.free().isEmpty()
                && pods.size() == demands.pods().size()) {
            return Optional.empty();
        }
        Set<String> claims = new HashSet<>(holders.free());
        List<Held> away = new ArrayList<>(holders.going());
        gone.forEach(holder -> {
            claims.addAll(holder.claims());
            away.addAll(holder.pods());
        });
        away.forEach(held -> room.giveBack(held.node(), held.pod()));
        try {
            ClaimedRoom claimed = new ClaimedRoom(room, demands.byUid());
            AllocationSearch.Answer answer = fleet.place(KeptRooms.owner(demands.unit()), pods, claimed, claims);
            // It was only asked.
            answer.nodes().forEach(claimed::giveBack);
            return answer.granted() ? Optional.of(answer) : Optional.empty();
        } finally {
            away.forEach(held -> room.take(held.node(), held.pod()));
        }
    }
}
