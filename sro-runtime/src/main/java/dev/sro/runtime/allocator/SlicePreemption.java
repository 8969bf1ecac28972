package dev.sro.runtime.allocator;

import dev.sro.core.allocation.AllocationFleet;
import dev.sro.runtime.allocator.SliceHolders.Holder;
import dev.sro.runtime.scheduler.NodeRoom;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Finds the pods of lower priority whose end makes room for a unit that waits: none of which could stay, where the highest priority among them is lowest,
 * then the fewest. Gangs end as a whole, and pods that share a claim are left alone. For one look.
 */
final class SlicePreemption {
    /** Nodes that are looked at for a pod, each with several searches. */
    private static final int MOST_NODES = 64;

    private static final Comparator<Holder> DEAREST = Comparator.comparingInt(Holder::priority)
            .reversed()
            .thenComparing(
                    holder -> AllocationMarks.created(holder.pods().get(0).pod()))
            .thenComparing(Holder::key);

    private static final Comparator<List<Holder>> LEAST = Comparator.<List<Holder>>comparingInt(
                    victims -> victims.stream().mapToInt(Holder::priority).max().orElse(0))
            .thenComparingInt(victims ->
                    victims.stream().mapToInt(holder -> holder.pods().size()).sum())
            .thenComparing(victims -> victims.get(0).nodes().toString());

    private final AllocationFleet fleet;
    private final NodeRoom room;
    private final SliceHolders holders;

    /** What is to be done for a unit. */
    sealed interface Advice {
        /** Pods that end by themselves make room. */
        record Wait() implements Advice {}

        /** These have to end. */
        record Evict(RoomSearch.Found found) implements Advice {
            List<Pod> victims() {
                return found.gone().stream()
                        .flatMap(holder -> holder.pods().stream())
                        .map(SliceHolders.Held::pod)
                        .toList();
            }
        }

        /** Nobody's end would help. */
        record Nothing() implements Advice {}
    }

    SlicePreemption(AllocationFleet fleet, NodeRoom room, SliceHolders holders) {
        this.fleet = fleet;
        this.room = room;
        this.holders = holders;
    }

    /** Whether a unit may have others end for it at all. */
    static boolean mayPreempt(KeptRooms.Demands demands) {
        return demands.isUnbound()
                && demands.byUid().values().stream()
                        .noneMatch(pod -> "Never".equals(pod.getSpec().getPreemptionPolicy()));
    }

    /** Whether a unit has room once those have ended that do so anyway. */
    boolean endsMakeRoom(KeptRooms.Demands demands) {
        return RoomSearch.endsMakeRoom(fleet, room, holders, demands);
    }

    /**
     * What makes room for a unit that found none.
     *
     * @param kept UIDs of pods that may not be evicted
     */
    Advice advise(KeptRooms.Demands demands, Set<String> kept) {
        if (endsMakeRoom(demands)) {
            return new Advice.Wait();
        }
        int priority = demands.byUid().values().stream()
                .mapToInt(SliceHolders::priorityOf)
                .min()
                .orElse(0);
        List<Holder> lower = holders.units().stream()
                .filter(holder -> holder.priority() < priority
                        && !holder.shares()
                        && holder.pods().stream().noneMatch(held -> kept.contains(held.uid()) || !held.isBound()))
                .toList();
        return new RoomSearch(fleet, room, holders, demands, new RoomSearch.Rules(lower, DEAREST, LEAST, MOST_NODES))
                .find()
                .<Advice>map(Advice.Evict::new)
                .orElseGet(Advice.Nothing::new);
    }
}
