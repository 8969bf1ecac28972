package dev.sro.runtime.allocator;

import dev.sro.core.allocation.AllocationFleet;
import dev.sro.core.allocation.ClaimDemands;
import dev.sro.core.allocation.MovablePod;
import dev.sro.core.allocation.MoveSearch;
import dev.sro.core.allocation.RoomPlan;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Finds moves that make room for a pod or a gang, or says which would if their owners allowed it. Not thread-safe. */
final class RoomPlanner {
    /** Pods that are moved for one that waits at most: they go one after the other, while all that is free by then is idle. */
    static final int MOST_MOVES = 4;

    /** The same for a gang. */
    static final int MOST_GANG_MOVES = 8;

    private static final int MOST_NAMED = 3;

    private final AllocationFleet fleet;
    private final UnitPlacer placer;
    private final ObjectBook<ResourceClaim> claims;
    private final ObjectBook<Pod> pods;
    private final Supplier<ClaimDemands> demands;

    /**
     * What was found.
     *
     * @param plan empty if there is none with pods that may be moved
     * @param text for people; empty if there is nothing to say
     */
    record Finding(Optional<RoomPlan> plan, String text) {}

    /** Who may be moved, who could be if its owner said so, and why others stay. */
    private record Candidates(List<MovablePod> asked, List<MovablePod> others, List<String> stay) {}

    RoomPlanner(
            AllocationFleet fleet,
            UnitPlacer placer,
            ObjectBook<ResourceClaim> claims,
            ObjectBook<Pod> pods,
            Supplier<ClaimDemands> demands) {
        this.fleet = fleet;
        this.placer = placer;
        this.claims = claims;
        this.pods = pods;
        this.demands = demands;
    }

    /** Who may be moved for pods, by what is known now: nobody whose priority is higher than that of one of them. */
    MovablePods movable(Collection<Pod> waiting, UnitPlacer.Nodes known, MoveBook book) {
        return new MovablePods(
                claims,
                demands.get(),
                pod -> placer.candidates(pod, List.of(), known),
                book,
                waiting.stream().mapToInt(SliceHolders::priorityOf).min().orElse(0));
    }

    /**
     * Looks for moves.
     *
     * @param refused pods that may not be evicted now, with why
     * @param most pods that may be moved at most
     */
    Finding find(
            KeptRooms.Demands waiting, UnitPlacer.Nodes known, MoveBook book, Map<String, String> refused, int most) {
        MovablePods movable = movable(waiting.byUid().values(), known, book);
        Map<String, Pod> byUid = new HashMap<>(waiting.byUid());
        Set<String> nodes = new HashSet<>();
        waiting.pods().forEach(pod -> nodes.addAll(pod.nodes()));
        Candidates candidates = candidates(movable, byUid, nodes, refused);
        VacatedRoom room = new VacatedRoom(known.room(), byUid);
        Optional<RoomPlan> plan = search(waiting, room, candidates.asked(), most);
        if (plan.isPresent()) {
            return new Finding(plan, moves(plan.get(), "makes") + goes(plan.get()));
        }
        List<MovablePod> all = new ArrayList<>(candidates.asked());
        all.addAll(candidates.others());
        Optional<RoomPlan> would =
                candidates.others().isEmpty() ? Optional.empty() : search(waiting, room, all, MOST_GANG_MOVES);
        return new Finding(
                Optional.empty(), would.map(found -> ask(found, candidates)).orElse(stay(candidates)));
    }

    private Optional<RoomPlan> search(KeptRooms.Demands waiting, VacatedRoom room, List<MovablePod> movable, int most) {
        return new MoveSearch(
                        fleet,
                        KeptRooms.owner(waiting.unit()),
                        room,
                        waiting.pods(),
                        movable,
                        Set.of(),
                        Math.min(most, waiting.pods().size() == 1 ? MOST_MOVES : MOST_GANG_MOVES))
                .find();
    }

    private Candidates candidates(
            MovablePods movable, Map<String, Pod> byUid, Set<String> nodes, Map<String, String> refused) {
        Candidates candidates = new Candidates(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (Pod pod : pods.all()) {
            if (AllocationMarks.node(pod).isEmpty()
                    || pod.getSpec().getResourceClaims().isEmpty()
                    || AllocationMarks.done(pod)
                    || pod.getMetadata().getDeletionTimestamp() != null) {
                continue;
            }
            Optional<String> why =
                    Optional.ofNullable(refused.get(pod.getMetadata().getUid())).or(() -> movable.against(pod));
            if (why.isPresent()) {
                if (nodes.contains(AllocationMarks.node(pod)) && MovablePods.isAskedFor(pod)) {
                    candidates.stay().add("pod " + ObjectBook.key(pod) + " stays: " + why.get());
                }
                continue;
            }
            movable.read(pod).ifPresent(found -> {
                byUid.put(found.next().uid(), KeptRooms.unbound(pod));
                (MovablePods.isAskedFor(pod) ? candidates.asked() : candidates.others()).add(found);
            });
        }
        return candidates;
    }

    /** In the words of {@code sro slices explain}. */
    private static String moves(RoomPlan plan, String verb) {
        return "moving " + (plan.slices() == 1 ? "1 slice " : plan.slices() + " slices ") + verb + " room on "
                + (plan.nodes().size() == 1 ? "node " : "nodes ") + String.join(", ", plan.nodes()) + proof(plan);
    }

    /** What is proved of how many have to move; empty where that goes without saying, or nothing is. */
    static String proof(RoomPlan plan) {
        if (plan.fewest()) {
            return plan.slices() > 1 ? " (proved: fewer do not)" : "";
        }
        return plan.needed() > 1
                ? " (proved: " + plan.needed() + " have to at least; whether fewer than " + plan.slices()
                        + " do is not known)"
                : "";
    }

    private static String goes(RoomPlan plan) {
        return plan.moves().stream()
                .map(move -> "pod " + move.pod().next().key() + " of node "
                        + move.pod().node() + " gets other slices on node " + move.node())
                .collect(Collectors.joining(", then ", ": ", ""));
    }

    private static String ask(RoomPlan plan, Candidates candidates) {
        List<String> names = plan.moves().stream()
                .map(RoomPlan.PodMove::pod)
                .filter(candidates.others()::contains)
                .map(pod -> pod.next().key())
                .toList();
        return moves(plan, "would make") + ", but "
                + (names.size() == 1 ? "the owner of pod " : "the owners of pods ") + String.join(", ", names)
                + (names.size() == 1 ? " has" : " have") + " not allowed it: metadata.annotations["
                + MovablePods.MOVABLE + "] is not \"true\"";
    }

    private static String stay(Candidates candidates) {
        int others = candidates.stay().size() - MOST_NAMED;
        return candidates.stay().isEmpty()
                ? ""
                : "no moves that make room were found: "
                        + candidates.stay().stream().limit(MOST_NAMED).collect(Collectors.joining("; "))
                        + (others > 0 ? "; and " + others + " more" : "");
    }
}
