package dev.sro.runtime.scheduler;

import dev.sro.core.placement.PodSlices;
import dev.sro.core.placement.SliceDemand;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Pods that are bound to no node and ask for slices, as they were last seen. Thread-safe. */
final class WaitingPods {
    /**
     * One of them.
     *
     * @param pod as it was last seen; nobody changes it
     * @param demand what it asks for
     */
    record Waiting(Pod pod, SliceDemand demand) {
        int priority() {
            Integer priority = pod.getSpec().getPriority();
            return priority == null ? 0 : priority;
        }

        boolean gated() {
            return pod.getSpec().getSchedulingGates().stream().anyMatch(gate -> SliceGates.GATE.equals(gate.getName()));
        }

        /** Whether the scheduler has said that there is no room. */
        boolean unschedulable() {
            return pod.getStatus() != null
                    && pod.getStatus().getConditions().stream()
                            .anyMatch(condition -> "PodScheduled".equals(condition.getType())
                                    && "Unschedulable".equals(condition.getReason()));
        }
    }

    private final Map<String, Waiting> byUid = new ConcurrentHashMap<>();

    /** Notes a pod as it is now; one that is bound, ends or asks for no slices waits no longer. */
    void seen(Pod pod) {
        Optional<SliceDemand> demand = open(pod) ? demand(pod) : Optional.empty();
        String uid = pod.getMetadata().getUid();
        demand.ifPresentOrElse(found -> byUid.put(uid, new Waiting(pod, found)), () -> byUid.remove(uid));
    }

    void gone(String uid) {
        byUid.remove(uid);
    }

    Optional<Waiting> of(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    /** Highest priority first, then those that wait longest. */
    List<Waiting> inOrder() {
        return byUid.values().stream()
                .sorted(Comparator.comparingInt(Waiting::priority)
                        .reversed()
                        .thenComparing(waiting -> created(waiting.pod()))
                        .thenComparing(waiting -> waiting.demand().reference()))
                .toList();
    }

    private static String created(Pod pod) {
        String created = pod.getMetadata().getCreationTimestamp();
        return created == null ? "" : created;
    }

    private static boolean open(Pod pod) {
        String node = pod.getSpec().getNodeName();
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        return (node == null || node.isEmpty())
                && pod.getMetadata().getDeletionTimestamp() == null
                && !"Failed".equals(phase)
                && !"Succeeded".equals(phase);
    }

    /** What cannot be read is told to who asks about the pod; nobody waits for it. */
    private static Optional<SliceDemand> demand(Pod pod) {
        try {
            return PodSlices.of(pod);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
