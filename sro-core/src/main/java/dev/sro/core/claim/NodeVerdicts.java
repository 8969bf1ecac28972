package dev.sro.core.claim;

import dev.sro.core.claim.PodExplanation.NodeVerdict;
import dev.sro.core.claim.PodExplanation.Verdict;
import dev.sro.core.dra.PublishedFleet;
import dev.sro.core.slicing.Decision;
import dev.sro.core.slicing.MovePlan;
import dev.sro.core.slicing.SliceAllocator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What it comes to on each node, of its devices alone. Immutable. */
final class NodeVerdicts {
    private final PublishedFleet fleet;
    private final FreeCapacity room;
    private final FreeCapacity without;

    NodeVerdicts(PublishedFleet fleet, FreeCapacity room) {
        this.fleet = fleet;
        this.room = room;
        this.without = room.anyTainted() ? room.untainted() : room;
    }

    /**
     * By what its devices say.
     *
     * @param plans where moves within the node that make room go
     */
    NodeVerdict of(String node, Map<String, MovePlan> plans) {
        return tainted(untainted(node, plans));
    }

    private NodeVerdict untainted(String node, Map<String, MovePlan> plans) {
        SliceAllocator allocator = room.allocator(Set.of(node));
        Optional<Decision> decision = allocator.devices().isEmpty() ? Optional.empty() : room.decide(allocator);
        if (decision.isEmpty()) {
            return of(node, Verdict.NO_SUCH_SLICE, noSuchSlice(node));
        }
        if (decision.get() instanceof Decision.Granted granted) {
            return of(
                    node,
                    Verdict.HAS_ROOM,
                    "room on " + granted.claim().device() + " from unit "
                            + granted.claim().start() + " on");
        }
        Decision.Refused refused = (Decision.Refused) decision.get();
        return switch (refused.reason()) {
            case FRAGMENTED -> {
                refused.plan().ifPresent(plan -> plans.put(node, plan));
                yield of(
                        node,
                        Verdict.FRAGMENTED,
                        refused.plan()
                                .map(plan -> "free, but in pieces: "
                                        + (plan.moves().size() == 1
                                                ? "1 move"
                                                : plan.moves().size() + " moves")
                                        + " within the node would do")
                                .orElse("free, but in pieces, and no few moves within the node would do"));
            }
            case INFEASIBLE -> of(node, Verdict.NO_ROOM, "too full, however it is arranged");
            case NO_SUCH_DEVICE -> of(node, Verdict.NO_SUCH_SLICE, noSuchSlice(node));
        };
    }

    /** Of a node without room: whether there were some, if nothing that is asked for were tainted. */
    private NodeVerdict tainted(NodeVerdict verdict) {
        Set<String> node = Set.of(verdict.node());
        List<TaintedDevice> tainted = room.tainted(node);
        if (tainted.isEmpty() || verdict.verdict() == Verdict.HAS_ROOM || verdict.verdict() == Verdict.FRAGMENTED) {
            return verdict;
        }
        boolean would = without.decide(without.allocator(node))
                .filter(Decision::granted)
                .isPresent();
        return would || verdict.verdict() == Verdict.NO_SUCH_SLICE
                ? of(
                        verdict.node(),
                        Verdict.TAINTED,
                        TaintedDevice.shortText(tainted) + (would ? "" : ", and nothing of it is free"))
                : verdict;
    }

    /** With a reason that is known already. */
    NodeVerdict of(String node, Verdict verdict, String text) {
        List<PublishedFleet.Gpu> gpus = fleet.gpus(node);
        int units = gpus.stream().mapToInt(gpu -> gpu.model().memoryUnits()).sum();
        int taken = gpus.stream()
                .mapToInt(gpu -> gpu.usedUnits() + gpu.closedUnits())
                .sum();
        return new NodeVerdict(node, verdict, units - taken, units, text);
    }

    private String noSuchSlice(String node) {
        List<PublishedFleet.Gpu> gpus = fleet.gpus(node);
        return gpus.stream().allMatch(gpu -> gpu.closed() && gpu.closedUnits() > 0)
                ? "all of its GPUs are closed"
                : "its GPUs have no such slice: "
                        + String.join(
                                ", ",
                                gpus.stream()
                                        .map(gpu -> gpu.model().key())
                                        .collect(Collectors.toCollection(TreeSet::new)));
    }
}
