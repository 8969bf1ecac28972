package dev.sro.core.claim;

import dev.sro.core.claim.PodExplanation.NodeVerdict;
import dev.sro.core.claim.PodExplanation.State;
import dev.sro.core.claim.PodExplanation.Verdict;
import dev.sro.core.dra.InfeasibilityCertificate;
import dev.sro.core.dra.PublishedFleet;
import dev.sro.core.slicing.Decision;
import dev.sro.core.slicing.MovePlan;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.catalogue.Catalogue;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Says why a pod waits for slices: whether any arrangement of what runs could serve it, which moves would, which node is nearest. Immutable and
 * thread-safe as long as nobody changes the objects.
 *
 * <p>Of what the scheduler looks at it knows devices, and of nodes what people set: cordons, taints, selectors and affinity. Where devices are not
 * what a pod waits for it says so, with the scheduler's own words.
 */
public final class PodExplainer {
    private static final int MOST_ENDS = 3;

    private final ClaimObjects objects;
    private final PublishedFleet fleet;

    private PodExplainer(ClaimObjects objects, PublishedFleet fleet) {
        this.objects = objects;
        this.fleet = fleet;
    }

    /** For these objects. */
    public static PodExplainer of(ClaimObjects objects, Catalogue catalogue) {
        return new PodExplainer(objects, PublishedFleet.of(objects.slices(), objects.holders(), catalogue));
    }

    /** Explains a pod. */
    public PodExplanation explain(Pod pod) {
        PodDeviceRequests requests = new PodDeviceRequests(objects, pod);
        ExplanationDraft draft = new ExplanationDraft(ClaimObjects.key(pod));
        requests.had().forEach(claim -> draft.has.addAll(has(claim)));
        requests.requested().forEach(request -> draft.asks.add(asks(request)));
        String phase =
                pod.getStatus() == null ? "" : String.valueOf(pod.getStatus().getPhase());
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            return draft.done(State.ENDED, "it has ended (" + phase + ")");
        }
        if (requests.none()) {
            return draft.done(
                    State.ASKS_FOR_NONE, "it asks for no devices: no claim, and no resource that a class has");
        }
        if (!requests.missing().isEmpty()) {
            draft.details.addAll(
                    requests.missing().subList(1, requests.missing().size()));
            return draft.done(State.MISSING_OBJECT, requests.missing().get(0));
        }
        if (requests.requested().isEmpty()) {
            draft.details.addAll(gates(pod));
            return draft.done(State.HAS_ALL, "it has what it asks for: " + String.join("; ", draft.has));
        }
        return waiting(pod, requests, draft);
    }

    private PodExplanation waiting(Pod pod, PodDeviceRequests requests, ExplanationDraft draft) {
        List<List<SliceChoice>> choices = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (PodDeviceRequest request : requests.requested()) {
            List<SliceChoice> own = SliceChoice.of(request, fleet.gpus(), faults);
            if (!faults.isEmpty()) {
                return draft.done(State.MISSING_OBJECT, faults.get(0));
            }
            if (own.isEmpty()) {
                draft.details.add(offered());
                return draft.done(State.NOT_PUBLISHED, notPublished(request));
            }
            choices.add(own);
        }
        boolean together = requests.requested().stream().allMatch(PodDeviceRequest::together);
        int most = choices.stream().mapToInt(List::size).max().orElse(1);
        PodExplanation first = null;
        for (int i = 0; i < most; i++) {
            int index = i;
            List<SliceChoice> chosen = choices.stream()
                    .map(own -> own.get(Math.min(index, own.size() - 1)))
                    .toList();
            PodExplanation one = attempt(pod, requests, draft.copy(), new FreeCapacity(fleet, chosen, together));
            if (one.state() == State.HAS_ROOM || one.state() == State.NO_NODE) {
                return one;
            }
            first = first == null || (first.state() != State.FRAGMENTED && one.state() == State.FRAGMENTED)
                    ? one
                    : first;
        }
        if (first == null) {
            throw new IllegalStateException("a request has one choice at least");
        }
        return first;
    }

    private PodExplanation attempt(Pod pod, PodDeviceRequests requests, ExplanationDraft draft, FreeCapacity room) {
        Set<String> resources = requests.requested().stream()
                .map(PodDeviceRequest::resource)
                .filter(resource -> !resource.isEmpty())
                .collect(Collectors.toSet());
        Map<String, MovePlan> plans = new TreeMap<>();
        Set<String> eligible = new TreeSet<>();
        for (String node : nodes()) {
            Optional<String> against = against(pod, node, requests, resources);
            NodeVerdict verdict = against.map(reason -> verdict(node, Verdict.RULED_OUT, reason))
                    .orElseGet(() -> tainted(verdict(node, room, plans), room));
            draft.nodes.add(verdict);
            if (verdict.verdict() != Verdict.RULED_OUT) {
                eligible.add(node);
            }
        }
        Optional<NodeVerdict> fits = draft.nodes.stream()
                .filter(verdict -> verdict.verdict() == Verdict.HAS_ROOM)
                .findFirst();
        if (fits.isPresent()) {
            draft.nearest = fits.get().node();
            draft.details.addAll(gates(pod));
            return draft.done(
                    State.HAS_ROOM,
                    "there is room for " + room.text() + " on node "
                            + fits.get().node() + ": devices are not what it waits for");
        }
        TaintedDevice.tell(room.tainted(eligible), MOST_ENDS, draft.details);
        Optional<Decision.Refused> refused = room.decide(room.allocator(eligible))
                .filter(Decision.Refused.class::isInstance)
                .map(Decision.Refused.class::cast)
                .filter(decision -> decision.reason() != Decision.Reason.NO_SUCH_DEVICE);
        Optional<NodeVerdict> tainted = draft.nodes.stream()
                .filter(verdict -> verdict.verdict() == Verdict.TAINTED)
                .filter(verdict -> refused.isEmpty() || refused.get().reason() != Decision.Reason.FRAGMENTED)
                .findFirst();
        if (tainted.isPresent()) {
            draft.nearest = tainted.get().node();
            return draft.done(
                    State.TAINTED,
                    "devices that would do for " + room.text() + " are tainted, and it does not tolerate that: "
                            + tainted.get().text());
        }
        if (refused.isPresent()) {
            return never(draft, room, eligible).orElseGet(() -> refused(draft, room, refused.get(), eligible, plans));
        }
        return draft.done(
                State.NO_NODE, "every node that publishes " + room.text() + " is ruled out: " + ruledOut(draft));
    }

    /** Where no GPU, or no node, carries all that is asked for, whatever runs. */
    private static Optional<PodExplanation> never(ExplanationDraft draft, FreeCapacity room, Set<String> eligible) {
        InfeasibilityProofs proofs = new InfeasibilityProofs(room.allocator(eligible), room.wanted());
        List<InfeasibilityCertificate> never = room.together() ? proofs.onOneGpu() : proofs.onOneNode();
        if (never.isEmpty()) {
            return Optional.empty();
        }
        draft.proved(never);
        return Optional.of(draft.done(
                State.NO_ROOM,
                (room.together() ? "no GPU" : "no node") + " has room for " + room.text()
                        + " together, even if nothing else runs there (proved)"));
    }

    private PodExplanation refused(
            ExplanationDraft draft,
            FreeCapacity room,
            Decision.Refused refused,
            Set<String> eligible,
            Map<String, MovePlan> plans) {
        Optional<Map.Entry<String, MovePlan>> near = plans.entrySet().stream()
                .min(Comparator.comparingLong(entry -> entry.getValue().cost()));
        draft.moves = near.map(Map.Entry::getValue).or(refused::plan);
        draft.nearest = near.map(Map.Entry::getKey)
                .or(() -> refused.plan()
                        .flatMap(MovePlan::room)
                        .map(place -> place.device().substring(0, place.device().indexOf('/'))))
                .orElse("");
        if (refused.reason() == Decision.Reason.FRAGMENTED) {
            int moves = draft.moves.map(plan -> plan.moves().size()).orElse(0);
            return draft.done(
                    State.FRAGMENTED,
                    "there is no place for " + room.text() + " in one piece; "
                            + (moves == 0
                                    ? "moving slices may make room, but no few moves that do were found"
                                    : (moves == 1 ? "moving 1 slice" : "moving " + moves + " slices")
                                            + " makes room on node " + draft.nearest));
        }
        draft.proved(new InfeasibilityProofs(room.allocator(eligible), room.wanted()).besideWhatRuns());
        if (draft.certificates.isEmpty()) {
            draft.details.add(refused.explanation());
        }
        List<String> ends = room.ends(eligible);
        ends.stream()
                .limit(MOST_ENDS)
                .forEach(holder -> draft.details.add("if " + holder + " ends, there is room"
                        + room.node(holder).map(node -> " on node " + node).orElse("")));
        if (draft.nearest.isEmpty()) {
            draft.nearest = ends.stream()
                    .findFirst()
                    .flatMap(room::node)
                    .or(() -> draft.nodes.stream()
                            .filter(verdict -> verdict.verdict() == Verdict.NO_ROOM)
                            .max(Comparator.comparingInt(NodeVerdict::freeUnits))
                            .map(NodeVerdict::node))
                    .orElse("");
        }
        boolean proved = !draft.certificates.isEmpty();
        return draft.done(
                State.NO_ROOM,
                "the GPUs are too full for " + room.text()
                        + (proved
                                ? ": no arrangement of what runs leaves room (proved)"
                                : ": no arrangement of what runs that leaves room was found")
                        + (draft.nearest.isEmpty() ? "" : "; nearest is node " + draft.nearest));
    }

    private NodeVerdict verdict(String node, FreeCapacity room, Map<String, MovePlan> plans) {
        SliceAllocator allocator = room.allocator(Set.of(node));
        Optional<Decision> decision = allocator.devices().isEmpty() ? Optional.empty() : room.decide(allocator);
        if (decision.isEmpty()) {
            return verdict(node, Verdict.NO_SUCH_SLICE, noSuchSlice(node));
        }
        if (decision.get() instanceof Decision.Granted granted) {
            return verdict(
                    node,
                    Verdict.HAS_ROOM,
                    "room on " + granted.claim().device() + " from unit "
                            + granted.claim().start() + " on");
        }
        Decision.Refused refused = (Decision.Refused) decision.get();
        return switch (refused.reason()) {
            case FRAGMENTED -> {
                refused.plan().ifPresent(plan -> plans.put(node, plan));
                yield verdict(
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
            case INFEASIBLE -> verdict(node, Verdict.NO_ROOM, "too full, however it is arranged");
            case NO_SUCH_DEVICE -> verdict(node, Verdict.NO_SUCH_SLICE, noSuchSlice(node));
        };
    }

    /** Of a node without room: whether there were some, if nothing that is asked for were tainted. */
    private NodeVerdict tainted(NodeVerdict verdict, FreeCapacity room) {
        Set<String> node = Set.of(verdict.node());
        List<TaintedDevice> tainted = room.tainted(node);
        if (tainted.isEmpty() || verdict.verdict() == Verdict.HAS_ROOM || verdict.verdict() == Verdict.FRAGMENTED) {
            return verdict;
        }
        FreeCapacity without = room.untainted();
        boolean would = without.decide(without.allocator(node))
                .filter(Decision::granted)
                .isPresent();
        return would || verdict.verdict() == Verdict.NO_SUCH_SLICE
                ? verdict(
                        verdict.node(),
                        Verdict.TAINTED,
                        TaintedDevice.shortText(tainted) + (would ? "" : ", and nothing of it is free"))
                : verdict;
    }

    private NodeVerdict verdict(String node, Verdict verdict, String text) {
        List<PublishedFleet.Gpu> gpus =
                fleet.gpus().stream().filter(gpu -> gpu.node().equals(node)).toList();
        int units = gpus.stream().mapToInt(gpu -> gpu.model().memoryUnits()).sum();
        int taken = gpus.stream()
                .mapToInt(gpu -> gpu.usedUnits() + gpu.closedUnits())
                .sum();
        return new NodeVerdict(node, verdict, units - taken, units, text);
    }

    private String noSuchSlice(String node) {
        List<PublishedFleet.Gpu> gpus =
                fleet.gpus().stream().filter(gpu -> gpu.node().equals(node)).toList();
        return gpus.stream().allMatch(gpu -> gpu.closed() && gpu.closedUnits() > 0)
                ? "all of its GPUs are closed"
                : "its GPUs have no such slice: "
                        + String.join(
                                ", ",
                                gpus.stream()
                                        .map(gpu -> gpu.model().key())
                                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** A pod stays on one node: where some of its claims have devices, only that one will do. */
    private Optional<String> against(Pod pod, String node, PodDeviceRequests requests, Set<String> resources) {
        for (ResourceClaim claim : requests.had()) {
            Set<String> pools = ClaimObjects.results(claim).stream()
                    .map(DeviceRequestAllocationResult::getPool)
                    .collect(Collectors.toSet());
            Set<String> bound = objects.slices().stream()
                    .filter(slice -> pools.contains(slice.getSpec().getPool().getName())
                            && slice.getSpec().getNodeName() != null)
                    .map(slice -> slice.getSpec().getNodeName())
                    .collect(Collectors.toSet());
            if (!bound.isEmpty() && !bound.contains(node)) {
                return Optional.of("claim " + ClaimObjects.key(claim) + " of the pod has devices of node "
                        + String.join(", ", bound));
            }
        }
        return ClaimObjects.find(objects.nodes(), "", node).flatMap(found -> NodeRules.against(pod, found, resources));
    }

    private Set<String> nodes() {
        return fleet.gpus().stream().map(PublishedFleet.Gpu::node).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String ruledOut(ExplanationDraft draft) {
        return String.join(
                "; ",
                draft.nodes.stream()
                        .limit(MOST_ENDS)
                        .map(verdict -> verdict.node() + ": " + verdict.text())
                        .toList());
    }

    private String notPublished(PodDeviceRequest request) {
        String classes = String.join(
                ", ",
                request.alternatives().stream()
                        .map(PodDeviceRequest.Alternative::deviceClass)
                        .distinct()
                        .toList());
        return "no node publishes a device of class " + classes
                + (fleet.gpus().isEmpty() ? ", and no node publishes GPUs at all: does the agent run?" : "");
    }

    private String offered() {
        Set<String> profiles = new TreeSet<>();
        fleet.gpus()
                .forEach(gpu -> gpu.places().stream()
                        .filter(place -> !place.profile().isEmpty())
                        .forEach(place -> profiles.add(place.profile())));
        return "published are: " + (profiles.isEmpty() ? "none" : String.join(", ", profiles));
    }

    private static String asks(PodDeviceRequest request) {
        PodDeviceRequest.Alternative first = request.alternatives().get(0);
        return request.what() + ": " + (first.count() == 1 ? "" : first.count() + " x ") + first.deviceClass();
    }

    private List<String> has(ResourceClaim claim) {
        return ClaimObjects.results(claim).stream()
                .map(result -> result.getDevice() + " of pool " + result.getPool() + " (claim "
                        + ClaimObjects.key(claim) + ")")
                .toList();
    }

    /** What else keeps it, as the pod itself says. */
    private static List<String> gates(Pod pod) {
        List<String> gates = new ArrayList<>();
        pod.getSpec()
                .getSchedulingGates()
                .forEach(gate -> gates.add("its scheduling gate " + gate.getName() + " is on"));
        if (pod.getStatus() != null) {
            pod.getStatus().getConditions().stream()
                    .filter(condition -> "PodScheduled".equals(condition.getType())
                            && "False".equals(condition.getStatus())
                            && condition.getMessage() != null)
                    .forEach(condition -> gates.add("the scheduler says: " + condition.getMessage()));
        }
        return gates;
    }
}
