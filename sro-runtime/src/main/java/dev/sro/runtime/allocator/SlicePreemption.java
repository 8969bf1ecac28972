package dev.sro.runtime.allocator;

import dev.sro.core.allocation.AllocationFleet;
import dev.sro.core.allocation.AllocationSearch;
import dev.sro.core.allocation.Allocations;
import dev.sro.core.allocation.PlacedDevice;
import dev.sro.core.allocation.PodDemand;
import dev.sro.runtime.scheduler.NodeRoom;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the pods of lower priority whose end makes room for one that waits: on one node, none of which could stay, where the highest priority among them is
 * lowest, then the fewest. Pods of gangs, and those that share a claim, are left alone. For one look.
 */
final class SlicePreemption {
    /** Nodes that are looked at, each with several searches. */
    private static final int MOST_NODES = 64;

    private final AllocationFleet fleet;
    private final NodeRoom room;
    private final Map<String, List<Holder>> byNode = new LinkedHashMap<>();
    private final List<Holder> going = new ArrayList<>();
    /** Claims that have devices and that nobody uses any more: they are about to be taken back. */
    private final Set<String> unused = new HashSet<>();

    /** A pod that has devices of ours. */
    private record Holder(Pod pod, String node, Set<String> claims) {
        int priority() {
            return priorityOf(pod);
        }
    }

    /** What is to be done for a pod. */
    sealed interface Advice {
        /** Pods that end by themselves make room. */
        record Wait() implements Advice {}

        /**
         * These have to end, all on one node.
         *
         * @param room devices that the one that waits can have then
         */
        record Evict(String node, List<Pod> victims, List<PlacedDevice> room) implements Advice {}

        /** Nobody's end would help. */
        record Nothing() implements Advice {}
    }

    /** @param ending UIDs of pods that end, whether or not that was seen yet */
    SlicePreemption(
            AllocationFleet fleet, NodeRoom room, List<Pod> pods, List<ResourceClaim> claims, Set<String> ending) {
        this.fleet = fleet;
        this.room = room;
        Map<String, Set<String>> had = new LinkedHashMap<>();
        Set<String> shared = new HashSet<>();
        Set<String> alive = new HashSet<>();
        pods.stream()
                .filter(pod -> !AllocationMarks.done(pod))
                .forEach(pod -> alive.add(pod.getMetadata().getUid()));
        for (ResourceClaim claim : claims) {
            if (Allocations.allocated(claim)
                    && AllocationMarks.annotation(claim, AllocationMarks.NODE).isPresent()) {
                note(claim, alive, had, shared);
            }
        }
        for (Pod pod : pods) {
            Set<String> own = had.get(pod.getMetadata().getUid());
            String node = AllocationMarks.node(pod);
            if (own == null || node.isEmpty() || AllocationMarks.done(pod)) {
                continue;
            }
            Holder holder = new Holder(pod, node, own);
            if (pod.getMetadata().getDeletionTimestamp() != null
                    || ending.contains(pod.getMetadata().getUid())) {
                going.add(holder);
            } else if (!shared.contains(pod.getMetadata().getUid())
                    && AllocationMarks.annotation(pod, AllocationMarks.GANG).isEmpty()) {
                byNode.computeIfAbsent(node, name -> new ArrayList<>()).add(holder);
            }
        }
    }

    private void note(ResourceClaim claim, Set<String> alive, Map<String, Set<String>> had, Set<String> shared) {
        List<String> consumers = AllocationMarks.consumers(claim).stream()
                .map(ResourceClaimConsumerReference::getUid)
                .toList();
        if (consumers.stream().noneMatch(alive::contains)) {
            unused.add(claim.getMetadata().getUid());
        }
        for (String consumer : consumers) {
            had.computeIfAbsent(consumer, uid -> new HashSet<>())
                    .add(claim.getMetadata().getUid());
            if (consumers.size() > 1) {
                shared.add(consumer);
            }
        }
    }

    static int priorityOf(Pod pod) {
        Integer priority = pod.getSpec().getPriority();
        return priority == null ? 0 : priority;
    }

    /** Whether a pod may have others end for it at all. */
    static boolean mayPreempt(Pod pod) {
        return !"Never".equals(pod.getSpec().getPreemptionPolicy());
    }

    /** Whether a pod has room once those have ended that do so anyway. */
    boolean endsMakeRoom(Pod pod, PodDemand demand) {
        return fits(pod, demand, going).isPresent();
    }

    /**
     * What makes room for a pod that found none.
     *
     * @param kept UIDs of pods that may not be evicted
     */
    Advice advise(Pod pod, PodDemand demand, Set<String> kept) {
        if (endsMakeRoom(pod, demand)) {
            return new Advice.Wait();
        }
        Comparator<List<Holder>> least = Comparator.<List<Holder>>comparingInt(victims ->
                        victims.stream().mapToInt(Holder::priority).max().orElse(0))
                .thenComparingInt(List::size)
                .thenComparing(victims -> victims.get(0).node());
        Optional<List<Holder>> best = demand.nodes().stream()
                .filter(byNode::containsKey)
                .limit(MOST_NODES)
                .flatMap(node -> victims(pod, demand, node, kept).stream())
                .min(least);
        return best.<Advice>map(victims -> evict(pod, demand, victims)).orElseGet(Advice.Nothing::new);
    }

    private Advice evict(Pod pod, PodDemand demand, List<Holder> victims) {
        String node = victims.get(0).node();
        return new Advice.Evict(
                node,
                victims.stream().map(Holder::pod).toList(),
                fits(pod, at(demand, node), with(victims)).orElse(List.of()));
    }

    private static PodDemand at(PodDemand demand, String node) {
        return new PodDemand(demand.uid(), demand.key(), demand.claims(), demand.had(), demand.spread(), List.of(node));
    }

    /** All of lower priority on a node, less those that can stay, the dearest first. */
    private Optional<List<Holder>> victims(Pod pod, PodDemand demand, String node, Set<String> kept) {
        PodDemand here = at(demand, node);
        List<Holder> lower = byNode.getOrDefault(node, List.of()).stream()
                .filter(holder -> holder.priority() < priorityOf(pod)
                        && !kept.contains(holder.pod().getMetadata().getUid()))
                .sorted(Comparator.comparingInt(Holder::priority)
                        .reversed()
                        .thenComparing(holder -> created(holder.pod()))
                        .thenComparing(holder -> ObjectBook.key(holder.pod())))
                .toList();
        List<Holder> victims = new ArrayList<>(lower);
        if (victims.isEmpty() || fits(pod, here, with(victims)).isEmpty()) {
            return Optional.empty();
        }
        for (Holder holder : lower) {
            victims.remove(holder);
            if (victims.isEmpty() || fits(pod, here, with(victims)).isEmpty()) {
                victims.add(holder);
            }
        }
        return Optional.of(victims);
    }

    private List<Holder> with(List<Holder> victims) {
        List<Holder> all = new ArrayList<>(going);
        all.addAll(victims);
        return all;
    }

    /** The devices that a pod can have as if some were gone; empty if there are none, or none are gone. */
    private Optional<List<PlacedDevice>> fits(Pod pod, PodDemand demand, List<Holder> gone) {
        if (gone.isEmpty() && unused.isEmpty()) {
            return Optional.empty();
        }
        Set<String> claims = new HashSet<>(unused);
        gone.forEach(holder -> {
            claims.addAll(holder.claims());
            room.giveBack(holder.node(), holder.pod());
        });
        try {
            AllocationSearch.Answer answer = fleet.place(
                    KeptRooms.owner(demand.uid()),
                    List.of(demand),
                    new ClaimedRoom(room, Map.of(demand.uid(), pod)),
                    claims);
            if (answer.granted()) {
                // It was only asked.
                room.giveBack(answer.nodeOf(demand.uid()), pod);
            }
            return answer.granted() ? Optional.of(answer.devicesOf(demand.uid())) : Optional.empty();
        } finally {
            gone.forEach(holder -> room.take(holder.node(), holder.pod()));
        }
    }

    private static String created(Pod pod) {
        String created = pod.getMetadata().getCreationTimestamp();
        return created == null ? "" : created;
    }
}
