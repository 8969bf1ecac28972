package dev.sro.runtime.allocator;

import dev.sro.core.allocation.AllocationFleet;
import dev.sro.core.allocation.ClaimDemand;
import dev.sro.runtime.allocator.MoveBook.Plan;
import dev.sro.runtime.allocator.MoveBook.Step;
import dev.sro.runtime.scheduler.NodeRoom;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether a step of a plan still leads to room, by all that is known right before it is made. Not thread-safe. */
final class MoveChecks {
    private final AllocationFleet fleet;
    private final UnitPlacer placer;
    private final RoomPlanner planner;
    private final ObjectBook<Pod> pods;

    MoveChecks(AllocationFleet fleet, UnitPlacer placer, RoomPlanner planner, ObjectBook<Pod> pods) {
        this.fleet = fleet;
        this.placer = placer;
        this.planner = planner;
        this.pods = pods;
    }

    /**
     * Why a pod is not evicted after all; empty if it is.
     *
     * @param pod and
     * @param waiting those that wait, in the order of the plan, as the server has them now
     */
    Optional<String> against(Plan plan, Step step, Pod pod, List<Pod> waiting, UnitPlacer.Nodes known) {
        String name = "pod " + step.key();
        if (!MovablePods.isAskedFor(pod)) {
            return Optional.of("metadata.annotations[" + MovablePods.MOVABLE + "] of " + name + " is not \"true\"");
        }
        if (!AllocationMarks.node(pod).equals(step.from())) {
            return Optional.of(name + " is not on node " + step.from());
        }
        return planner.movable(waiting, known, MoveBook.EMPTY)
                .against(pod)
                .map(why -> name + " stays: " + why)
                .or(() -> places(plan, step))
                .or(() -> nodes(plan, step, pod, waiting, known));
    }

    /** Pods that were moved before may be ending still: what they have counts as free. */
    private Optional<String> places(Plan plan, Step step) {
        Set<String> all = new HashSet<>();
        plan.steps().forEach(each -> all.addAll(claims(each)));
        Set<String> own = new HashSet<>();
        for (Step each : plan.steps()) {
            own.addAll(claims(each));
            if (each.equals(step)) {
                break;
            }
        }
        if (!fleet.canHave(plan.owner(), plan.devices(), all)) {
            return Optional.of("they would not make room on " + plan.where() + " any more");
        }
        return fleet.canHave(step.owner(), step.to(), own)
                ? Optional.empty()
                : Optional.of("the place on node " + step.node() + " for the pod in the place of pod " + step.key()
                        + " is not to be had any more");
    }

    private static List<String> claims(Step step) {
        return step.next().claims().stream().map(ClaimDemand::uid).toList();
    }

    private Optional<String> nodes(Plan plan, Step step, Pod pod, List<Pod> waiting, UnitPlacer.Nodes known) {
        List<Step> seats = plan.seats();
        for (int i = 0; i < seats.size(); i++) {
            String node = seats.get(i).node();
            if (!placer.candidates(waiting.get(i), List.of(), known).contains(node)) {
                return Optional.of(name(plan, seats.get(i)) + " may not be on node " + node + " any more");
            }
        }
        if (!placer.candidates(KeptRooms.unbound(pod), List.of(), known).contains(step.node())) {
            return Optional.of("pod " + step.key() + " may not be on node " + step.node() + " any more");
        }
        NodeRoom left = new NodeRoom(known.nodes(), pods.all());
        pods.all().stream()
                .filter(each -> AllocationMarks.node(each).isEmpty() && !AllocationMarks.gated(each))
                .forEach(each -> AllocationMarks.annotation(each, AllocationMarks.NODE)
                        .ifPresent(node -> left.take(node, each)));
        Map<String, Pod> byUid = pods.byUid();
        for (Step each : plan.steps()) {
            Pod leaving = byUid.get(each.uid());
            if (leaving != null && !AllocationMarks.done(leaving)) {
                left.giveBack(each.from(), leaving);
            }
        }
        for (int i = 0; i < seats.size(); i++) {
            Step seat = seats.get(i);
            Optional<String> why = left.against(waiting.get(i), seat.node());
            if (why.isPresent()) {
                return Optional.of("node " + seat.node() + " has " + why.get() + " for " + name(plan, seat));
            }
            left.take(seat.node(), waiting.get(i));
        }
        return left.against(pod, step.node())
                .map(why -> "node " + step.node() + " has " + why + " for the pod in the place of pod " + step.key());
    }

    private static String name(Plan plan, Step seat) {
        return plan.seats().size() == 1 ? "the pod" : "pod " + seat.key();
    }
}
