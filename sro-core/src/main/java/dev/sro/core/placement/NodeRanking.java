package dev.sro.core.placement;

import dev.sro.core.placement.NodeBook.Gpu;
import dev.sro.core.placement.NodeBook.Node;
import dev.sro.core.placement.NodeChoice.Refused;
import dev.sro.core.placement.SliceDemand.Wanted;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceRequest;
import dev.sro.core.slicing.Spread;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    /** A scheduler asks for scores of the nodes that it was told just now, in their order. Null once anything changed. */
    private @Nullable LastChoice last;

    NodeRanking(SliceAllocator allocator, NodeBook nodes) {
        this.allocator = allocator;
        this.nodes = nodes;
        this.shapes = new AskedShapes(allocator, () -> {
            states.clear();
            nodes.forgetAnswers();
            last = null;
        });
    }

    /** Has to be told when a node has changed. */
    void changed() {
        last = null;
    }

    /** Which of these nodes have room. */
    NodeChoice choose(SliceDemand demand, Collection<String> names) {
        int shape = shapes.number(demand.shape());
        List<String> fitting = new ArrayList<>(names.size());
        int[] answers = new int[names.size()];
        List<Refused> full = new ArrayList<>();
        List<Refused> unsuited = new ArrayList<>();
        // The same text for all of them: most of a thousand nodes may be full.
        String crowded = "no room for " + demand.profiles();
        for (String name : names) {
            int node = nodes.number(name);
            int answer = answer(node, name, demand, shape);
            if (answer >= 0) {
                answers[fitting.size()] = answer;
                fitting.add(name);
            } else if (answer == StateAnswers.FULL) {
                full.add(new Refused(name, crowded));
            } else {
                unsuited.add(new Refused(
                        name, node == NodeNames.NONE ? "no GPU that is cut" : "no GPU with " + demand.profiles()));
            }
        }
        List<String> fit = Collections.unmodifiableList(fitting);
        last = new LastChoice(shape, fit, answers);
        return new NodeChoice(fit, Collections.unmodifiableList(full), Collections.unmodifiableList(unsuited));
    }

    /** What each of these nodes answers, in their order. */
    int[] answers(SliceDemand demand, List<String> names) {
        int shape = shapes.number(demand.shape());
        LastChoice asked = last != null && last.shape() == shape ? last : LastChoice.none(shape);
        return asked.answers(names, name -> answer(nodes.number(name), name, demand, shape));
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
            return StateAnswers.NEVER;
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
