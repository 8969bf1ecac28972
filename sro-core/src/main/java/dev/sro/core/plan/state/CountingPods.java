package dev.sro.core.plan.state;

import dev.sro.api.State;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.probe.RuleOutcomes;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the pods of a special resource have counted on their nodes, for the rules of one state. Lives for one plan. */
final class CountingPods {

    private final List<List<PodFacts>> pods;
    private final Map<String, PodFacts> byNode = new HashMap<>();

    CountingPods(StateInput in, State state) {
        List<String> containers = RuleOutcomes.counting(state.readiness());
        this.pods = containers.isEmpty()
                ? List.of()
                : in.owned().values().stream()
                        .filter(live -> live.ref().kind().equals("DaemonSet") && has(live, containers))
                        .map(live -> in.podsOf(live))
                        .toList();
        Comparator<PodFacts> order = Comparator.comparing(PodFacts::created).thenComparing(PodFacts::name);
        pods.stream()
                .flatMap(List::stream)
                .filter(pod -> !pod.terminating() && !pod.node().isEmpty())
                .sorted(order)
                .forEach(pod -> byNode.put(pod.node(), pod));
    }

    private static boolean has(KubeObject live, List<String> containers) {
        return ValueTrees.maps(live.map("spec", "template", "spec"), "initContainers").stream()
                .anyMatch(one -> containers.contains(String.valueOf(one.get("name"))));
    }

    /** All that were looked at. */
    List<List<PodFacts>> all() {
        return pods;
    }

    /** What the container of the youngest pod on the node said. */
    Optional<String> on(String node, String container) {
        PodFacts pod = byNode.get(node);
        return pod == null
                ? Optional.empty()
                : Optional.ofNullable(pod.counted().get(container));
    }
}
