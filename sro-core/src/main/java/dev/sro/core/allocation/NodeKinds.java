package dev.sro.core.allocation;

import dev.sro.core.allocation.ClaimDemand.Choice;
import dev.sro.core.claim.DeviceTaints;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which nodes are alike for pods of a search that are still to be placed, so that what led nowhere on one of them need not be tried on the others: they have
 * the same left, may be used by the same pods, and each of these may have the same places there. For one search.
 */
final class NodeKinds {
    private final List<PodDemand> pods;
    private final String taint;
    private final Map<String, Object> remembered = new HashMap<>();

    NodeKinds(List<PodDemand> pods, String taint) {
        this.pods = pods;
        this.taint = taint;
    }

    /**
     * Equal for nodes that are alike.
     *
     * @param number of the first pod that is still to be placed
     */
    Object of(String node, NodeState state, int number) {
        List<Object> key = new ArrayList<>();
        state.uses().forEach(use -> key.add(use.key()));
        key.add(remembered.computeIfAbsent(number + "/" + node, name -> fixed(node, state, number)));
        return key;
    }

    /** What does not change while pods are placed. */
    private Object fixed(String node, NodeState state, int number) {
        List<Object> key = new ArrayList<>();
        for (FleetGpu gpu : state.gpus()) {
            key.add(gpu.geometry().map(System::identityHashCode).orElse(0));
        }
        for (PodDemand pod : pods.subList(number, pods.size())) {
            boolean may = pod.nodes().contains(node);
            key.add(may);
            if (may && looksAtMore(pod)) {
                key.add(node);
            }
            if (may) {
                choices(pod).forEach(choice -> state.gpus().forEach(gpu -> key.add(places(gpu, choice))));
            }
        }
        return key;
    }

    /** Values of attributes, and what a pod has already, are of one node. */
    private static boolean looksAtMore(PodDemand pod) {
        return !pod.had().isEmpty()
                || pod.claims().stream().anyMatch(claim -> !claim.rules().isEmpty());
    }

    private static List<Choice> choices(PodDemand pod) {
        return pod.claims().stream()
                .flatMap(claim -> claim.asks().stream())
                .flatMap(ask -> ask.choices().stream())
                .toList();
    }

    private Set<Object> places(FleetGpu gpu, Choice choice) {
        Set<Object> places = new HashSet<>();
        for (String name : gpu.selected(choice.selectors())) {
            FleetGpu.Slot slot = gpu.slot(name);
            if (slot != null
                    && slot.placement().isPresent()
                    && DeviceTaints.against(slot.device(), choice.tolerations(), taint)
                            .isEmpty()) {
                places.add(slot.placement().get());
            }
        }
        return places;
    }
}
