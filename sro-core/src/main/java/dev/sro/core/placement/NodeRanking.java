package dev.sro.core.placement;

import dev.sro.core.placement.NodeBook.Gpu;
import dev.sro.core.placement.NodeBook.Node;
import dev.sro.core.placement.SliceDemand.Wanted;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceRequest;
import dev.sro.core.slicing.Spread;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How nodes answer to demands of pods that have nothing yet. What was answered is remembered: for a slice by each state of a GPU, for several slices of a
 * pod by each state of a node, and by each node until it changes. Not thread-safe.
 */
final class NodeRanking {
    /** States of nodes remembered at most; they are made again. */
    private static final int MOST_STATES = 4096;

    private final SliceAllocator allocator;
    private final NodeBook nodes;
    private final AskedShapes shapes;
    private final Map<NodeBook.State, StateAnswers> states = new HashMap<>();

    /** Counts what changed. */
    private long version;

    NodeRanking(SliceAllocator allocator, NodeBook nodes) {
        this.allocator = allocator;
        this.nodes = nodes;
        this.shapes = new AskedShapes(allocator, () -> {
            states.clear();
            nodes.forgetAnswers();
            version++;
        });
    }

    /** Has to be told when a node has changed. */
    void changed() {
        version++;
    }

    /** What each of these nodes answers. */
    NodeAnswers ask(SliceDemand demand, NodeNameList names) {
        int shape = shapes.number(demand.shape());
        int[] answers = new int[names.size()];
        int[] known = nodes.answers(shape);
        for (int i = 0; i < answers.length; i++) {
            int node = nodes.number(names, i);
            int answer = node == NodeNames.NONE ? StateAnswers.NO_GPUS : known[node];
            if (answer == StateAnswers.UNKNOWN) {
                answer = answer(node, names.name(i), demand, shape);
                known = nodes.answers(shape);
            }
            answers[i] = answer;
        }
        List<String> profiles = demand.profiles();
        NodeAnswers.Reasons reasons =
                new NodeAnswers.Reasons("no room for " + profiles, "no GPU with " + profiles, "no GPU that is cut");
        return new NodeAnswers(names, answers, reasons, new NodeAnswers.Basis(version, shape));
    }

    /** Whether nodes would answer the same to this demand. */
    boolean holds(SliceDemand demand, NodeAnswers answers) {
        NodeAnswers.Basis basis = answers.basis();
        return basis.version() == version && basis.shape() == shapes.number(demand.shape());
    }

    /** The node with the best place, the first of equal ones; empty if none has room. */
    Optional<String> best(SliceDemand demand, Collection<String> names) {
        int shape = shapes.number(demand.shape());
        String best = null;
        int least = Integer.MAX_VALUE;
        for (String name : names) {
            int answer = answer(nodes.number(name), name, demand, shape);
            if (answer >= 0 && answer < least) {
                best = name;
                least = answer;
            }
        }
        return Optional.ofNullable(best);
    }

    /** The fullest GPU of a node that takes all of these. */
    Optional<String> gpuFor(String node, List<SliceRequest> requests) {
        return nodes.fullestFirst(node).stream()
                .filter(gpu -> allocator.fits(DemandRequests.on(Optional.of(gpu), requests), Spread.SAME_NODE))
                .findFirst();
    }

    private int answer(int number, String name, SliceDemand demand, int shape) {
        if (number == NodeNames.NONE) {
            return StateAnswers.NO_GPUS;
        }
        int known = nodes.answers(shape)[number];
        if (known == StateAnswers.UNKNOWN) {
            Node node = nodes.node(number);
            known = demand.slices().size() == 1
                    ? ofGpus(node, demand.slices().get(0), shape)
                    : ofState(node, name, demand, shape);
            nodes.answers(shape)[number] = known;
        }
        return known;
    }

    private int ofGpus(Node node, Wanted wanted, int shape) {
        int best = StateAnswers.NEVER;
        for (Gpu gpu : node.gpus.values()) {
            StateAnswers answers = nodes.state(gpu).answers;
            int known = answers.of(shape);
            if (known == StateAnswers.UNKNOWN) {
                known = ask(gpu, wanted);
                answers.set(shape, known);
            }
            best = StateAnswers.better(best, known);
        }
        return best;
    }

    private int ask(Gpu gpu, Wanted wanted) {
        if (gpu.device().model().profile(wanted.profile()).isEmpty()) {
            return StateAnswers.NEVER;
        }
        return allocator
                .preference(SliceRequest.builder()
                        .claim("?")
                        .profile(wanted.profile())
                        .device(gpu.device().id())
                        .build())
                .orElse(StateAnswers.FULL);
    }

    private int ofState(Node node, String name, SliceDemand demand, int shape) {
        if (states.size() >= MOST_STATES) {
            states.clear();
        }
        StateAnswers answers = states.computeIfAbsent(nodes.state(node), state -> new StateAnswers());
        int known = answers.of(shape);
        if (known == StateAnswers.UNKNOWN) {
            known = ask(node, name, demand);
            answers.set(shape, known);
        }
        return known;
    }

    private int ask(Node node, String name, SliceDemand demand) {
        for (Wanted wanted : demand.slices()) {
            if (!node.offers(wanted.profile())) {
                return StateAnswers.NEVER;
            }
        }
        List<SliceRequest> requests = DemandRequests.anonymous(demand, name);
        boolean fits = DemandRequests.together(demand)
                ? gpuFor(name, requests).isPresent()
                : allocator.fits(requests, DemandRequests.within(demand.spread()));
        return fits ? allocator.preference(requests.get(0)).orElse(StateAnswers.FULL) : StateAnswers.FULL;
    }
}
