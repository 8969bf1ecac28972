package dev.sro.core.plan;

import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Takes everything away again: states in reverse order, each when the one after it is gone, then the namespace if it is
 * ours, then node labels, then the finalizer. Stateless.
 */
final class Teardown {

    private Teardown() {}

    /**
     * @param deleted whether the special resource itself goes too
     */
    static Plan plan(PlanInput in, boolean deleted) {
        List<Write> work = new ArrayList<>();
        List<KubeObject> operands = new ArrayList<>();
        List<KubeObject> namespaces = new ArrayList<>();
        for (KubeObject live : in.owned().values()) {
            (live.ref().kind().equals("Namespace") ? namespaces : operands).add(live);
        }
        boolean blind = !in.unseenKinds().isEmpty();
        work.addAll(Retirement.lastWave(operands, "the special resource goes", in));
        if (operands.isEmpty() && !blind) {
            work.addAll(Retirement.lastWave(namespaces, "the special resource goes", in));
        }
        boolean gone = operands.isEmpty() && namespaces.isEmpty() && !blind;
        List<Write> labels = gone ? releaseNodes(in) : List.of();
        work.addAll(labels);
        boolean done = gone && labels.isEmpty();
        StatusBuilder status = new StatusBuilder(in, List.of(), in.nodeProblems(), work);
        List<Write> writes = new ArrayList<>(work);
        if (deleted && done && in.resource().getMetadata().getFinalizers().contains(Marks.FINALIZER)) {
            writes.add(new Write.SetFinalizer(Planner.self(in), Planner.uid(in), false));
        } else if (!done || !deleted) {
            status.writeTeardown(deleted, done, operands.size()).ifPresent(writes::add);
        }
        return new Plan(
                writes, List.of(), List.of(), List.of(), new TreeMap<>(), List.of(), Planner.wakeUp(in, status), done);
    }

    private static List<Write> releaseNodes(PlanInput in) {
        String manager = Marks.nodeManager(in.resource().getMetadata().getName());
        Map<String, ObservedNode> holding = new TreeMap<>();
        Stream.concat(in.nodes().values().stream(), in.strays().stream())
                .filter(node ->
                        !node.appliedLabels().getOrDefault(manager, Set.of()).isEmpty())
                .forEach(node -> holding.put(node.name(), node));
        List<Write> writes = new ArrayList<>();
        holding.values()
                .forEach(node -> writes.add(new Write.LabelNode(node.name(), node.uid(), manager, new TreeMap<>())));
        return writes;
    }
}
