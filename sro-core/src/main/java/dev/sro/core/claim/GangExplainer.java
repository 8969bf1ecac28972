package dev.sro.core.claim;

import dev.sro.core.claim.PodExplanation.State;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.PublishedFleet;
import dev.sro.core.slicing.Decision;
import dev.sro.core.slicing.MovePlan;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What keeps a pod that would have room alone, or by moves: it is one of a gang, whose pods get their devices together or not at all where SRO gives them.
 * Looked at are gangs all of whose pods are there and wait for one slice each. For one reading.
 */
final class GangExplainer {
    private static final String GANG = "slices.sro.dev/gang";
    private static final String GANG_SIZE = "slices.sro.dev/gang-size";

    private final ClaimObjects objects;
    private final PublishedFleet fleet;
    private final Selections selections;
    private final Map<String, Node> nodes;

    GangExplainer(ClaimObjects objects, PublishedFleet fleet, Selections selections, Map<String, Node> nodes) {
        this.objects = objects;
        this.fleet = fleet;
        this.selections = selections;
        this.nodes = nodes;
    }

    /** @param alone what is to be said of the pod by itself */
    PodExplanation explain(Pod pod, PodExplanation alone) {
        String gang = annotation(pod, GANG);
        if (gang.isEmpty() || (alone.state() != State.HAS_ROOM && alone.state() != State.FRAGMENTED)) {
            return alone;
        }
        List<Pod> members = objects.pods().stream()
                .filter(one -> gang.equals(annotation(one, GANG))
                        && Objects.equals(
                                one.getMetadata().getNamespace(),
                                pod.getMetadata().getNamespace()))
                .toList();
        if (!annotation(pod, GANG_SIZE).equals(Integer.toString(members.size()))) {
            return alone;
        }
        List<SliceChoice> choices = new ArrayList<>();
        for (Pod member : members) {
            Optional<SliceChoice> choice = choice(member);
            if (choice.isEmpty()) {
                return alone;
            }
            choices.add(choice.get());
        }
        String name =
                "all " + members.size() + " pods of gang " + pod.getMetadata().getNamespace() + "/" + gang;
        FreeCapacity room = FreeCapacity.anywhere(fleet, choices);
        return room.decide(room.allocator(new TreeSet<>(fleet.nodes())))
                .map(decision -> decision.map(
                        granted -> with(
                                alone,
                                alone.state(),
                                alone.summary(),
                                "there is room for " + name + " together",
                                alone.moves()),
                        refused -> refused(alone, name, refused)))
                .orElse(alone);
    }

    private static PodExplanation refused(PodExplanation alone, String name, Decision.Refused refused) {
        int moves = refused.plan().map(plan -> plan.moves().size()).orElse(0);
        if (moves == 0) {
            return with(
                    alone,
                    State.NO_ROOM,
                    "there is no room for " + name + " at a time, and no few moves that make some were found",
                    "by itself: " + alone.summary(),
                    Optional.empty());
        }
        return with(
                alone,
                State.FRAGMENTED,
                "there is no room for " + name + " at a time; "
                        + (moves == 1 ? "moving 1 slice" : "moving " + moves + " slices") + " makes some",
                "by itself: " + alone.summary(),
                refused.plan());
    }

    private static PodExplanation with(
            PodExplanation one, State state, String summary, String detail, Optional<MovePlan> moves) {
        List<String> details = new ArrayList<>(one.details());
        details.add(0, detail);
        return new PodExplanation(
                one.pod(),
                state,
                summary,
                one.asks(),
                one.has(),
                details,
                one.nodes(),
                one.nearest(),
                moves,
                one.certificates());
    }

    /** What serves a pod that waits for one slice and nothing else; empty for others. */
    private Optional<SliceChoice> choice(Pod pod) {
        PodDeviceRequests requests = new PodDeviceRequests(objects, pod);
        if (!requests.missing().isEmpty()
                || !requests.had().isEmpty()
                || requests.requested().size() != 1) {
            return Optional.empty();
        }
        List<String> faults = new ArrayList<>();
        List<SliceChoice> all = SliceChoice.of(requests.requested().get(0), fleet.gpus(), selections, faults);
        if (!faults.isEmpty() || all.size() != 1 || all.get(0).count() != 1) {
            return Optional.empty();
        }
        NodeExclusions exclusions = new NodeExclusions(objects, nodes, pod, requests);
        Set<String> open = new HashSet<>();
        fleet.gpus().stream()
                .filter(gpu -> isGivenBySro(gpu)
                        && all.get(0).gpus().contains(gpu.id())
                        && exclusions.against(gpu.node()).isEmpty())
                .forEach(gpu -> open.add(gpu.id()));
        List<TaintedDevice> tainted = all.get(0).tainted().stream()
                .filter(device -> open.contains(device.gpu().id()))
                .toList();
        return open.isEmpty()
                ? Optional.empty()
                : Optional.of(new SliceChoice(all.get(0).profile(), 1, open, tainted));
    }

    /** kube-scheduler knows no gangs. */
    private static boolean isGivenBySro(PublishedFleet.Gpu gpu) {
        String taint = DraOptions.allocatorTaint(gpu.driver());
        return gpu.places().stream()
                .flatMap(place -> place.device().getTaints().stream())
                .anyMatch(one -> taint.equals(one.getKey()));
    }

    private static String annotation(Pod pod, String name) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(name, "");
    }
}
