package dev.sro.core.probe;

import dev.sro.api.Outcome;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.Code;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/** How far a DaemonSet is on each node of a pool. Stateless. */
public final class NodeReadiness {

    /**
     * Where the API server counts changes of the pod template, in the write that makes one. The controller gives the count to
     * the pods that it makes, as a label.
     */
    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

    private static final int FEW = 4;

    private NodeReadiness() {}

    /** What of a DaemonSet decides, together with its pods, on which nodes it is ready; compared by content. */
    public static List<Object> basis(KubeObject daemonSet) {
        return List.of(
                daemonSet.ref(),
                daemonSet.uid(),
                daemonSet.annotation(TEMPLATE_GENERATION).orElse(""),
                DaemonSetStatus.isObserved(daemonSet));
    }

    /** Without anything else that is asked of a pod. */
    public static Map<String, Outcome> judge(
            KubeObject daemonSet, List<PodFacts> pods, List<ObservedNode> nodes, String kernelLabel, Instant now) {
        return judge(daemonSet, pods, nodes, kernelLabel, (pod, said) -> said, now);
    }

    /**
     * The outcome on each of these nodes, by node name.
     *
     * @param daemonSet as observed
     * @param pods the DaemonSet's pods
     * @param nodes the pool's nodes
     * @param kernelLabel the kernel label by which a kernel-affine DaemonSet finds its nodes; empty for others
     * @param more what is made of what a pod says of itself
     */
    public static Map<String, Outcome> judge(
            KubeObject daemonSet,
            List<PodFacts> pods,
            List<ObservedNode> nodes,
            String kernelLabel,
            BiFunction<PodFacts, Outcome, Outcome> more,
            Instant now) {
        // What is upgraded node by node is no less ready for running the former version.
        boolean stepwise = daemonSet.annotation(MetadataKeys.DRIVER_REVISION).isPresent();
        String generation =
                stepwise ? "" : daemonSet.annotation(TEMPLATE_GENERATION).orElse("");
        // Of two pods on a node during an update, the one that stays counts.
        Comparator<PodFacts> staying = Comparator.comparing((PodFacts pod) -> !pod.terminating())
                .thenComparing(pod -> pod.templateGeneration().equals(generation))
                .thenComparing(PodFacts::ready)
                .thenComparing(PodFacts::name);
        // Of a large DaemonSet few nodes are asked about at a time.
        Set<String> asked = FEW * nodes.size() < pods.size()
                ? nodes.stream().map(ObservedNode::name).collect(Collectors.toSet())
                : Set.of();
        Map<String, PodFacts> byNode = new HashMap<>();
        for (PodFacts pod : pods) {
            if (asked.isEmpty() || asked.contains(pod.node())) {
                byNode.merge(pod.node(), pod, BinaryOperator.maxBy(staying));
            }
        }
        boolean seen = stepwise || DaemonSetStatus.isObserved(daemonSet);
        Map<String, Outcome> result = new HashMap<>(nodes.size() * 2);
        for (ObservedNode node : nodes) {
            PodFacts pod = byNode.get(node.name());
            Outcome outcome;
            if (pod == null) {
                outcome = missing(daemonSet, node, kernelLabel, now);
            } else if (!seen
                    && (generation.isEmpty() || pod.templateGeneration().isEmpty())) {
                // Nothing else tells whether the pod is of the newest template. Where something does, a change of
                // another
                // field takes no node's readiness away.
                outcome = Outcome.waiting(
                        Code.POD_OUTDATED.text(), now, daemonSet.ref() + " has a change that is not rolled out yet");
            } else {
                outcome = more.apply(pod, PodOutcomes.judge(pod, generation, now));
            }
            result.put(node.name(), outcome.isReady() || node.facts().ready() ? outcome : notReady(node, now));
        }
        return result;
    }

    private static Outcome notReady(ObservedNode node, Instant now) {
        return Outcome.waiting("NodeNotReady", now, "node " + node.name() + " is not Ready");
    }

    private static Outcome missing(KubeObject daemonSet, ObservedNode node, String kernelLabel, Instant now) {
        String actual = node.facts().labels().getOrDefault(MetadataKeys.KERNEL_LABEL, "");
        if (!kernelLabel.isEmpty() && !kernelLabel.equals(actual)) {
            return Outcome.waiting(
                    "KernelLabelOutdated",
                    now,
                    "node " + node.name() + " runs kernel " + node.facts().kernel() + ", but its label "
                            + MetadataKeys.KERNEL_LABEL + " says \"" + actual + "\"");
        }
        for (Map.Entry<String, Object> wanted : ValueTrees.map(
                        daemonSet.tree(), "spec", "template", "spec", "nodeSelector")
                .entrySet()) {
            boolean otherKernel = kernelLabel.isEmpty()
                    && wanted.getKey().equals(MetadataKeys.KERNEL_LABEL)
                    && !wanted.getValue().equals(node.facts().kernel().normalized());
            if (otherKernel) {
                // It asks for a kernel by itself, and this node has another one: it says nothing of this node.
                return Outcome.ready();
            }
            if (!wanted.getValue().equals(node.facts().labels().get(wanted.getKey()))) {
                return Outcome.waiting(
                        "NodeNotSelected",
                        now,
                        daemonSet.ref() + " waits for label " + wanted.getKey() + "=" + wanted.getValue() + " on node "
                                + node.name());
            }
        }
        return Outcome.waiting(
                Code.POD_MISSING.text(), now, daemonSet.ref() + " has no pod on node " + node.name() + " yet");
    }
}
