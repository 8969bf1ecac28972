package dev.sro.runtime.imports;

import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.ClaimState;
import dev.sro.core.das.DasNames;
import dev.sro.core.placement.PodSlices;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What becomes of the claims of a running DAS: a pure function of what the cluster has. No pod is touched. Immutable.
 *
 * @param steps one for each claim of DAS, in the order in which they were read
 * @param problems what does not map, naming object and fix
 * @param notes what somebody should know
 */
record DasTakeover(List<Step> steps, List<String> problems, List<String> notes) {
    /** What is done with a claim. */
    enum Action {
        /** DAS made its slice; the agent destroys it when its pod has ended. */
        TAKE_OVER("take over"),
        /** Its pod is on its node and has nothing yet: the agent keeps the promise. */
        PROMISE("promise"),
        /** Nothing stands behind it. */
        DELETE("delete"),
        /** It was taken over before. */
        DONE("done");

        private final String text;

        Action(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /**
     * Of one claim.
     *
     * @param why for people
     */
    record Step(AllocationClaim claim, Action action, String why) {}

    DasTakeover {
        steps = List.copyOf(steps);
        problems = List.copyOf(problems);
        notes = List.copyOf(notes);
    }

    /**
     * Decides.
     *
     * @param claims of DAS's namespace
     * @param pods of the cluster
     * @param agents nodes that have an agent
     */
    static DasTakeover of(List<GenericKubernetesResource> claims, List<Pod> pods, Set<String> agents) {
        Map<String, Pod> byUid = new HashMap<>();
        pods.stream()
                .filter(DasTakeover::lives)
                .forEach(pod -> byUid.put(pod.getMetadata().getUid(), pod));
        List<Step> steps = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<AllocationClaim> placed = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (GenericKubernetesResource object : claims) {
            try {
                AllocationClaim claim = AllocationClaim.of(object);
                Step step =
                        step(claim, Optional.ofNullable(byUid.get(claim.pod().uid())));
                Optional<AllocationClaim> other = step.action() == Action.DELETE
                        ? Optional.empty()
                        : placed.stream().filter(claim::overlaps).findFirst();
                if (other.isPresent()) {
                    problems.add("AllocationClaim " + claim.reference() + ": " + claim.place() + " is that of "
                            + other.get().reference() + ", too: look on node " + claim.node()
                            + " which of the two is there, and delete the other claim");
                    continue;
                }
                steps.add(step);
                if (step.action() != Action.DELETE) {
                    placed.add(claim);
                    known.add(claim.pod().uid());
                }
            } catch (IllegalArgumentException e) {
                problems.add(e.getMessage() + ": delete it when its pod has ended");
            }
        }
        placed.stream()
                .map(AllocationClaim::node)
                .distinct()
                .filter(node -> !agents.contains(node))
                .sorted()
                .forEach(node -> notes.add("node " + node
                        + " has no agent that offers slices by device plugins yet: its claims wait for one"));
        byUid.values().stream()
                .filter(pod -> !known.contains(pod.getMetadata().getUid()))
                .sorted(java.util.Comparator.comparing(DasTakeover::name))
                .forEach(pod -> unclaimed(pod).ifPresent(notes::add));
        return new DasTakeover(steps, problems, notes);
    }

    private static Step step(AllocationClaim claim, Optional<Pod> pod) {
        if (claim.finalizers().contains(DasNames.TAKEN_OVER)) {
            return new Step(claim, Action.DONE, "was taken over before");
        }
        boolean made = claim.state() != ClaimState.STAGED && claim.state() != ClaimState.CREATED;
        if (made) {
            return new Step(
                    claim,
                    Action.TAKE_OVER,
                    pod.isPresent()
                            ? "pod " + claim.pod() + " keeps it"
                            : "pod " + claim.pod() + " has ended: the agent destroys the slice");
        }
        if (pod.isEmpty()) {
            return new Step(claim, Action.DELETE, "pod " + claim.pod() + " has ended, and nothing was made for it");
        }
        String node = pod.get().getSpec().getNodeName();
        if (claim.state() == ClaimState.CREATED && claim.node().equals(node)) {
            return new Step(claim, Action.PROMISE, "pod " + claim.pod() + " is on its node and gets it there");
        }
        return new Step(
                claim,
                Action.DELETE,
                node == null || node.isEmpty()
                        ? "pod " + claim.pod() + " is on no node"
                        : "pod " + claim.pod() + " is on " + node);
    }

    private static Optional<String> unclaimed(Pod pod) {
        try {
            if (PodSlices.of(pod).isEmpty()) {
                return Optional.empty();
            }
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        String node = pod.getSpec().getNodeName();
        if (node == null || node.isEmpty()) {
            return "das-scheduler".equals(pod.getSpec().getSchedulerName())
                    ? Optional.of("pod " + name(pod)
                            + " waits for das-scheduler, which it cannot leave: delete it, so that it is made anew")
                    : Optional.empty();
        }
        return Optional.of("pod " + name(pod) + " has slices on " + node
                + " of which no claim says where: a GPU with such a slice gives nothing new until it ends");
    }

    private static boolean lives(Pod pod) {
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        return !"Succeeded".equals(phase) && !"Failed".equals(phase);
    }

    private static String name(Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }
}
