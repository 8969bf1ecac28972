package dev.sro.runtime.allocator;

import dev.sro.core.allocation.Allocations;
import dev.sro.core.allocation.ClaimDemand;
import dev.sro.core.allocation.ClaimDemands;
import dev.sro.core.allocation.ClaimDemands.Reading;
import dev.sro.core.allocation.MovablePod;
import dev.sro.core.allocation.PodDemand;
import dev.sro.core.placement.PodSlices;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Which pods may be ended so that another one comes in their place, and why others may not. For one look; not thread-safe. */
final class MovablePods {
    /** Annotation of a pod: {@code "true"} if it may be evicted to make room, as another one is made in its place. */
    static final String MOVABLE = "slices.sro.dev/movable";

    private final ObjectBook<ResourceClaim> claims;
    private final ClaimDemands demands;
    private final Function<Pod, List<String>> nodes;
    private final MoveBook book;
    private final int priority;

    /**
     * For one that waits.
     *
     * @param nodes on which a pod may be that is bound to none
     * @param book of the last hour
     * @param priority of the one that waits
     */
    MovablePods(
            ObjectBook<ResourceClaim> claims,
            ClaimDemands demands,
            Function<Pod, List<String>> nodes,
            MoveBook book,
            int priority) {
        this.claims = claims;
        this.demands = demands;
        this.nodes = nodes;
        this.book = book;
        this.priority = priority;
    }

    /** Whether its owner has said so. */
    static boolean isAskedFor(Pod pod) {
        return AllocationMarks.annotation(pod, MOVABLE).filter("true"::equals).isPresent();
    }

    /** What keeps a pod where it is, whatever its owner says; empty if nothing does. */
    Optional<String> against(Pod pod) {
        Optional<OwnerReference> owner = pod.getMetadata().getOwnerReferences().stream()
                .filter(one -> Boolean.TRUE.equals(one.getController()))
                .findFirst();
        if (owner.isEmpty()) {
            return Optional.of("no controller would make it again");
        }
        String kind = owner.get().getKind();
        if (kind.equals("DaemonSet") || kind.equals("Node")) {
            return Optional.of("its " + kind + " would make it again on the same node");
        }
        if (AllocationMarks.annotation(pod, AllocationMarks.GANG).isPresent()) {
            return Optional.of("it is one of a gang");
        }
        if (SliceHolders.priorityOf(pod) > priority) {
            return Optional.of("its priority is higher");
        }
        if (book.isYoungerThanMoveOf(owner.get().getUid(), AllocationMarks.created(pod))) {
            return Optional.of("a pod of its " + kind + " was moved within the last hour");
        }
        return pod.getSpec().getResourceClaims().stream()
                .filter(entry -> entry.getResourceClaimTemplateName() == null)
                .findFirst()
                .map(entry -> "its claim " + entry.getResourceClaimName()
                        + " is of no ResourceClaimTemplate, so the pod in its place would have the same slice");
    }

    /** What the next one asks for, and what this one has; empty where that cannot be told, or is not ours alone. */
    Optional<MovablePod> read(Pod pod) {
        List<ClaimDemand> asked = new ArrayList<>();
        List<String> had = new ArrayList<>();
        int slices = 0;
        for (PodResourceClaim entry : pod.getSpec().getResourceClaims()) {
            ResourceClaim claim = claims.get(pod.getMetadata().getNamespace(), UnitReader.name(pod, entry));
            if (claim == null
                    || !Allocations.allocated(claim)
                    || AllocationMarks.consumers(claim).size() != 1
                    || !AllocationMarks.reserved(claim, pod)
                    || !(demands.read(claim) instanceof Reading.Ours ours)) {
                return Optional.empty();
            }
            asked.add(ours.demand());
            had.add(claim.getMetadata().getUid());
            slices += Allocations.results(claim).size();
        }
        PodDemand next = new PodDemand(
                pod.getMetadata().getUid(),
                ObjectBook.key(pod),
                asked,
                List.of(),
                PodSlices.spread(pod),
                nodes.apply(KeptRooms.unbound(pod)));
        return asked.isEmpty()
                ? Optional.empty()
                : Optional.of(new MovablePod(next, AllocationMarks.node(pod), Set.copyOf(had), slices));
    }
}
