package dev.sro.runtime.allocator;

import dev.sro.core.allocation.AllocationFleet;
import dev.sro.core.allocation.AllocationSearch;
import dev.sro.core.allocation.Allocations;
import dev.sro.core.allocation.PlacedDevice;
import dev.sro.core.allocation.PodDemand;
import dev.sro.core.claim.NodeRules;
import dev.sro.core.placement.PodSlices;
import dev.sro.runtime.allocator.AllocationWriter.Outcome;
import dev.sro.runtime.allocator.WaitingUnit.Member;
import dev.sro.runtime.allocator.WaitingUnit.Open;
import dev.sro.runtime.scheduler.NodeRoom;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Places one unit: all claims of all its pods are written, then all gates opened; or what was written is taken back. A unit that was left halfway, by
 * whoever led before, goes on where it is. Not thread-safe.
 */
final class UnitPlacer {
    private final AllocationFleet fleet;
    private final AllocationWriter writer;
    private final ObjectBook<ResourceClaim> claims;
    private final ObjectBook<Pod> pods;
    private final NodeAvoidance avoidance;
    private final KeptRooms rooms;

    /** What became of a unit. */
    sealed interface Result {
        /** All is written. */
        record Placed() implements Result {}

        /**
         * There is no room, or something is waited for.
         *
         * @param full whether it is room
         */
        record Waits(String why, boolean full) implements Result {}

        /** A write failed: to be tried again. */
        record Failed() implements Result {}
    }

    /**
     * What nodes are like at this look.
     *
     * @param room beside devices
     */
    record Nodes(List<Node> nodes, NodeRoom room, Instant now) {}

    UnitPlacer(
            AllocationFleet fleet,
            AllocationWriter writer,
            ObjectBook<ResourceClaim> claims,
            ObjectBook<Pod> pods,
            NodeAvoidance avoidance,
            KeptRooms rooms) {
        this.fleet = fleet;
        this.writer = writer;
        this.claims = claims;
        this.pods = pods;
        this.avoidance = avoidance;
        this.rooms = rooms;
    }

    Result place(WaitingUnit unit, Nodes nodes) {
        if (!unit.fault().isEmpty()) {
            giveBack(unit, List.of());
            return new Result.Waits(unit.fault(), false);
        }
        // What an earlier attempt may have written counts as taken for everybody but itself.
        for (Member member : unit.members()) {
            for (Open open : member.open()) {
                ResourceClaim now = newest(open.claim()).orElse(open.claim());
                if (Allocations.allocated(now)) {
                    // Told meanwhile: looked at anew.
                    return new Result.Failed();
                }
                fleet.claim(now);
            }
        }
        KeptRooms.Demands demands = demands(unit, nodes);
        if (demands.pods().isEmpty()) {
            return open(unit);
        }
        Optional<KeptRooms.Kept> kept = rooms.of(demands);
        AllocationSearch.Answer answer = kept.map(room -> rooms.place(room, demands, nodes.room()))
                .orElseGet(() -> fleet.place(demands.pods(), new ClaimedRoom(nodes.room(), demands.byUid())));
        if (!answer.granted()) {
            fleet.refused(demands.pods());
            return giveBack(unit, List.of()) ? new Result.Failed() : new Result.Waits(answer.refusal(), true);
        }
        Result result = write(unit, answer);
        if (result instanceof Result.Placed) {
            kept.ifPresent(room -> rooms.letGo(room.owner()));
        }
        return result;
    }

    /** What the pods of a unit still need, and where they may be. */
    KeptRooms.Demands demands(WaitingUnit unit, Nodes nodes) {
        List<PodDemand> demands = new ArrayList<>();
        Map<String, Pod> byUid = new HashMap<>();
        for (Member member : unit.members()) {
            if (!member.open().isEmpty()) {
                demands.add(demand(member, nodes));
                byUid.put(member.uid(), member.pod());
            }
        }
        return new KeptRooms.Demands(unit.name(), demands, byUid);
    }

    /** What a pod still needs, and where it may be. */
    PodDemand demand(Member member, Nodes nodes) {
        return new PodDemand(
                member.uid(),
                ObjectBook.key(member.pod()),
                member.open().stream().map(Open::demand).toList(),
                member.had().stream().map(claim -> claim.getMetadata().getUid()).toList(),
                PodSlices.spread(member.pod()),
                candidates(member.pod(), member.had(), nodes));
    }

    /** Nodes on which a pod may be; where it has claims or is bound, that one alone. */
    List<String> candidates(Pod pod, List<ResourceClaim> had, Nodes nodes) {
        Set<String> fixed = new HashSet<>();
        if (!AllocationMarks.node(pod).isEmpty()) {
            fixed.add(AllocationMarks.node(pod));
        }
        had.forEach(claim -> fleet.node(claim.getMetadata().getUid()).ifPresent(fixed::add));
        Set<String> offered = new HashSet<>(fleet.nodes());
        return nodes.nodes().stream()
                .filter(node -> offered.contains(node.getMetadata().getName()))
                .filter(node -> fixed.isEmpty()
                        || fixed.equals(Set.of(node.getMetadata().getName())))
                .filter(node -> !AllocationMarks.node(pod).isEmpty()
                        || NodeRules.against(pod, node, Set.of()).isEmpty())
                .map(node -> node.getMetadata().getName())
                .filter(node -> !avoidance.avoids(pod.getMetadata().getUid(), node, nodes.now()))
                .sorted()
                .toList();
    }

    private Result write(WaitingUnit unit, AllocationSearch.Answer answer) {
        List<ResourceClaim> written = new ArrayList<>();
        for (Member member : unit.members()) {
            List<PlacedDevice> devices = answer.devicesOf(member.uid());
            String node = answer.nodeOf(member.uid());
            for (Open open : member.open()) {
                List<PlacedDevice> own = devices.stream()
                        .filter(device -> device.claim().equals(open.demand().uid()))
                        .toList();
                Outcome outcome = writer.allocate(
                        open.claim(), member.pod(), node, Allocations.allocation(open.demand(), fleet.driver(), own));
                if (outcome == Outcome.UNKNOWN) {
                    fleet.reserve(own);
                }
                if (outcome != Outcome.DONE) {
                    giveBack(unit, written);
                    return new Result.Failed();
                }
                written.add(open.claim());
            }
        }
        return open(unit);
    }

    private Optional<ResourceClaim> newest(ResourceClaim claim) {
        ResourceClaim now = claims.get(
                claim.getMetadata().getNamespace(), claim.getMetadata().getName());
        return Optional.ofNullable(now)
                .filter(found ->
                        found.getMetadata().getUid().equals(claim.getMetadata().getUid()));
    }

    /**
     * Gives back what was written just now, and what the unit has while none of it is let through.
     *
     * @return whether there was something
     */
    private boolean giveBack(WaitingUnit unit, List<ResourceClaim> written) {
        List<ResourceClaim> all = new ArrayList<>(written);
        if (!unit.begun()
                && unit.members().stream().anyMatch(member -> !member.open().isEmpty())) {
            unit.members().stream()
                    .filter(member -> !member.returnable().isEmpty() && writer.isGated(member.pod()))
                    .forEach(member -> all.addAll(member.returnable()));
        }
        boolean any = false;
        for (ResourceClaim claim : all) {
            ResourceClaim now = newest(claim).orElse(claim);
            if (Allocations.allocated(now)) {
                any = true;
                writer.takeBack(now);
            }
        }
        return any;
    }

    private Result open(WaitingUnit unit) {
        boolean all = true;
        for (Member member : unit.members()) {
            Pod pod = Objects.requireNonNullElse(
                    pods.get(
                            member.pod().getMetadata().getNamespace(),
                            member.pod().getMetadata().getName()),
                    member.pod());
            for (ResourceClaim claim : member.had()) {
                ResourceClaim now = newest(claim).orElse(claim);
                if (!AllocationMarks.reserved(now, pod)
                        && AllocationMarks.node(pod).isEmpty()) {
                    all &= writer.reserve(now, pod) == Outcome.DONE;
                }
            }
            if (all && AllocationMarks.gated(pod)) {
                all = writer.open(pod, node(member)) == Outcome.DONE;
            }
        }
        return all ? new Result.Placed() : new Result.Failed();
    }

    private String node(Member member) {
        List<String> uids = new ArrayList<>();
        member.had().forEach(claim -> uids.add(claim.getMetadata().getUid()));
        member.open().forEach(open -> uids.add(open.demand().uid()));
        return uids.stream()
                .flatMap(uid -> fleet.node(uid).stream())
                .findFirst()
                .orElse("");
    }
}
