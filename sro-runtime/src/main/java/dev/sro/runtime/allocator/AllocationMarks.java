package dev.sro.runtime.allocator;

import dev.sro.core.placement.SlicePodRules;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the allocator reads of pods and claims, and the names by which it marks them. Stateless. */
final class AllocationMarks {
    /** The gate by which a pod waits for its slices. */
    static final String GATE = SlicePodRules.GATE;

    /** Annotation of a claim that was given devices here: the node. It stays when a scheduler takes the allocation away. */
    static final String NODE = SlicePodRules.NODE;

    /** Annotation of a pod: the gang of its namespace that it is one of. */
    static final String GANG = "slices.sro.dev/gang";

    /** Annotation of a pod: how many pods its gang has. */
    static final String GANG_SIZE = "slices.sro.dev/gang-size";

    /** Finalizer of claims that have devices, as Kubernetes' own components have it. */
    static final String FINALIZER = "resource.kubernetes.io/delete-protection";

    private AllocationMarks() {}

    static Optional<String> annotation(HasMetadata object, String name) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return Optional.ofNullable(annotations == null ? null : annotations.get(name));
    }

    static boolean gated(Pod pod) {
        return pod.getSpec().getSchedulingGates().stream().anyMatch(gate -> GATE.equals(gate.getName()));
    }

    /** Whether something else than devices is waited for, too. */
    static boolean otherGates(Pod pod) {
        return pod.getSpec().getSchedulingGates().stream().anyMatch(gate -> !GATE.equals(gate.getName()));
    }

    /** The node that a pod is bound to; empty if it is bound to none. */
    static String node(Pod pod) {
        String node = pod.getSpec().getNodeName();
        return node == null ? "" : node;
    }

    /** Whether a pod needs its claims no more: what Kubernetes' own controller takes for it. */
    static boolean done(Pod pod) {
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        return "Succeeded".equals(phase)
                || "Failed".equals(phase)
                || (pod.getMetadata().getDeletionTimestamp() != null
                        && node(pod).isEmpty());
    }

    /** When a pod was made; the beginning of time if it does not say so. */
    static Instant created(HasMetadata object) {
        String created = object.getMetadata().getCreationTimestamp();
        return created == null || created.isEmpty() ? Instant.EPOCH : Instant.parse(created);
    }

    static List<ResourceClaimConsumerReference> consumers(ResourceClaim claim) {
        return claim.getStatus() == null ? List.of() : claim.getStatus().getReservedFor();
    }

    static boolean reserved(ResourceClaim claim, Pod pod) {
        return consumers(claim).stream()
                .anyMatch(consumer -> pod.getMetadata().getUid().equals(consumer.getUid()));
    }
}
