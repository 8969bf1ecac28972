package dev.sro.core.claim;

import dev.sro.core.claim.PodExplanation.NodeVerdict;
import dev.sro.core.claim.PodExplanation.State;
import dev.sro.core.claim.PodExplanation.Verdict;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.InfeasibilityCertificate;
import dev.sro.core.dra.PublishedFleet;
import dev.sro.core.slicing.Decision;
import dev.sro.core.slicing.MovePlan;
import dev.sro.core.slicing.catalogue.Catalogue;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

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
    private final Selections selections;
    private final Map<String, Node> nodes = new HashMap<>();
    private final Set<String> drivers;

    private PodExplainer(ClaimObjects objects, PublishedFleet fleet, Selections selections) {
        this.objects = objects;
        this.fleet = fleet;
        this.selections = selections;
        this.drivers = fleet.drivers();
        objects.nodes().forEach(node -> nodes.put(node.getMetadata().getName(), node));
    }

    /** For these objects. */
    public static PodExplainer of(ClaimObjects objects, Catalogue catalogue) {
        return new PodExplainer(
                objects, PublishedFleet.of(objects.slices(), objects.holders(), catalogue), new Selections());
    }

    /**
     * The same fleet among other objects, without reading its slices anew.
     *
     * @param others in which slices and allocations are those that this one was made with
     */
    public PodExplainer among(ClaimObjects others) {
        return new PodExplainer(others, fleet, selections);
    }

    /** How many GPUs an explanation looks at. */
    public int gpus() {
        return fleet.gpus().size();
    }

    /** Claims of a pod that are there and have no devices yet. */
    public List<ResourceClaim> waitingClaims(Pod pod) {
        return List.copyOf(new PodDeviceRequests(objects, pod).waiting());
    }

    /** Whether a pod asks for devices of a driver that it has not: by a class or selector that names it. */
    public boolean asksFor(Pod pod, String driver) {
        PodDeviceRequests requests = new PodDeviceRequests(objects, pod);
        return requests.requested().stream().anyMatch(request -> request.names(driver))
                || requests.missing().stream().anyMatch(text -> text.contains("." + driver + " "));
    }

    /** How often selectors were tried on a place, for all pods so far. */
    long selectorsTried() {
        return selections.tried();
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
        return new GangExplainer(objects, fleet, selections, nodes).explain(pod, waiting(pod, requests, draft));
    }

    /**
     * What certificates about a pod have to be true of now: the GPUs that could serve what it asks for and has not, of the nodes that it may be on.
     * Empty where it asks for nothing more, or nobody publishes it.
     */
    public Set<ProofGround> grounds(Pod pod) {
        PodDeviceRequests requests = new PodDeviceRequests(objects, pod);
        Choices choices = new Choices();
        if (!requests.missing().isEmpty()
                || requests.requested().isEmpty()
                || choose(requests, choices, new ExplanationDraft(ClaimObjects.key(pod)))
                        .isPresent()) {
            return Set.of();
        }
        boolean together = choices.requests.stream().allMatch(PodDeviceRequest::together);
        int most = choices.serving.stream().mapToInt(List::size).max().orElse(1);
        Set<String> eligible = new TreeSet<>(fleet.nodes());
        NodeExclusions exclusions = new NodeExclusions(objects, nodes, pod, requests);
        eligible.removeIf(node -> exclusions.against(node).isPresent());
        Set<ProofGround> grounds = new LinkedHashSet<>();
        for (int i = 0; i < most; i++) {
            FreeCapacity room = new FreeCapacity(fleet, choices.ranked(i), together);
            grounds.addAll(new InfeasibilityProofs(room.allocator(eligible), room.wanted()).grounds());
        }
        return grounds;
    }

    /** What a pod asks for, with what serves each request, the most wanted first. */
    private static final class Choices {
        final List<PodDeviceRequest> requests = new ArrayList<>();
        final List<List<SliceChoice>> serving = new ArrayList<>();

        /** Of each request the one of this rank, or the last. */
        List<SliceChoice> ranked(int rank) {
            return serving.stream()
                    .map(own -> own.get(Math.min(rank, own.size() - 1)))
                    .toList();
        }
    }

    /** Looks for what serves a pod; an explanation where that is all there is to say. */
    private Optional<PodExplanation> choose(PodDeviceRequests asked, Choices choices, ExplanationDraft draft) {
        List<String> faults = new ArrayList<>();
        boolean gpus = asked.requested().stream().anyMatch(this::aboutGpus);
        for (PodDeviceRequest request : asked.requested()) {
            List<SliceChoice> own = SliceChoice.of(request, fleet.gpus(), selections, faults);
            if (!faults.isEmpty()) {
                return Optional.of(draft.done(State.MISSING_OBJECT, faults.get(0)));
            }
            if (own.isEmpty() && gpus && !aboutGpus(request)) {
                // A network card beside a slice, say: what is known of the slice is true whatever becomes of the card.
                draft.details.add("not looked at, as no GPU is of its class: " + asks(request));
            } else if (own.isEmpty()) {
                draft.details.add(offered());
                return Optional.of(draft.done(State.NOT_PUBLISHED, notPublished(request)));
            } else {
                choices.requests.add(request);
                choices.serving.add(own);
            }
        }
        return Optional.empty();
    }

    private PodExplanation waiting(Pod pod, PodDeviceRequests requests, ExplanationDraft draft) {
        Choices choices = new Choices();
        Optional<PodExplanation> early = choose(requests, choices, draft);
        if (early.isPresent()) {
            return early.get();
        }
        boolean together = choices.requests.stream().allMatch(PodDeviceRequest::together);
        int most = choices.serving.stream().mapToInt(List::size).max().orElse(1);
        PodExplanation first = null;
        for (int i = 0; i < most; i++) {
            PodExplanation one =
                    attempt(pod, requests, draft.copy(), new FreeCapacity(fleet, choices.ranked(i), together));
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
        NodeExclusions exclusions = new NodeExclusions(objects, nodes, pod, requests);
        Map<String, MovePlan> plans = new TreeMap<>();
        Set<String> eligible = new TreeSet<>();
        NodeVerdicts verdicts = new NodeVerdicts(fleet, room);
        for (String node : fleet.nodes()) {
            NodeVerdict verdict = exclusions
                    .against(node)
                    .map(reason -> verdicts.of(node, Verdict.RULED_OUT, reason))
                    .orElseGet(() -> verdicts.of(node, plans));
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

    /** Whether a request is about GPUs, even where none that would do is published. */
    private boolean aboutGpus(PodDeviceRequest request) {
        return request.names(DraOptions.DRIVER) || drivers.stream().anyMatch(request::names);
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
