package dev.sro.runtime.allocator;

import dev.sro.core.allocation.AllocationFleet;
import dev.sro.core.allocation.Allocations;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after claims that were given devices: takes back what nobody uses, and of two claims that have the same place the one whose pod does not run yet.
 * Only what was given here is taken. Not thread-safe.
 */
final class ClaimKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimKeeper.class);

    /** Kubernetes' own controller takes devices back as soon as a pod ends; this is for what it does not see. */
    static final Duration GRACE = Duration.ofSeconds(30);

    private final AllocationFleet fleet;
    private final AllocationWriter writer;
    private final ObjectBook<ResourceClaim> claims;
    private final ObjectBook<Pod> pods;
    private final Clock clock;
    private final Map<String, Instant> unused = new HashMap<>();
    private Set<Set<String>> told = new HashSet<>();

    ClaimKeeper(
            AllocationFleet fleet,
            AllocationWriter writer,
            ObjectBook<ResourceClaim> claims,
            ObjectBook<Pod> pods,
            Clock clock) {
        this.fleet = fleet;
        this.writer = writer;
        this.claims = claims;
        this.pods = pods;
        this.clock = clock;
    }

    private static boolean ours(ResourceClaim claim) {
        return AllocationMarks.annotation(claim, AllocationMarks.NODE).isPresent();
    }

    /** Takes devices back that no pod has used for a while. */
    void releaseUnused() {
        Instant now = clock.instant();
        Set<String> named = named();
        Set<String> idle = new HashSet<>();
        for (ResourceClaim claim : claims.all()) {
            if (!ours(claim) || !Allocations.allocated(claim) || used(claim, named)) {
                continue;
            }
            String uid = claim.getMetadata().getUid();
            idle.add(uid);
            Instant since = unused.computeIfAbsent(uid, id -> now);
            if (!since.plus(GRACE).isAfter(now) && !usedNow(claim)) {
                release(claim);
            }
        }
        unused.keySet().retainAll(idle);
    }

    private void release(ResourceClaim claim) {
        if (writer.takeBack(claim) == AllocationWriter.Outcome.DONE) {
            LOG.atInfo().log("claim {}: its devices were taken back, as no pod uses it", ObjectBook.key(claim));
            ResourceClaim now = claims.get(
                    claim.getMetadata().getNamespace(), claim.getMetadata().getName());
            if (now != null) {
                writer.forget(now);
            }
        }
    }

    /** Claims that pods name which have not ended, by namespace and name. */
    private Set<String> named() {
        Set<String> named = new HashSet<>();
        for (Pod pod : pods.all()) {
            if (AllocationMarks.done(pod)) {
                continue;
            }
            String namespace = pod.getMetadata().getNamespace() + "/";
            for (PodResourceClaim entry : pod.getSpec().getResourceClaims()) {
                if (entry.getResourceClaimName() != null) {
                    named.add(namespace + entry.getResourceClaimName());
                }
            }
            if (pod.getStatus() != null) {
                pod.getStatus()
                        .getResourceClaimStatuses()
                        .forEach(status -> named.add(namespace + status.getResourceClaimName()));
            }
        }
        return named;
    }

    private boolean used(ResourceClaim claim, Set<String> named) {
        return named.contains(ObjectBook.key(claim))
                || AllocationMarks.consumers(claim).stream().anyMatch(consumer -> lives(claim, consumer));
    }

    private boolean lives(ResourceClaim claim, ResourceClaimConsumerReference consumer) {
        if (!"pods".equals(consumer.getResource())) {
            return true;
        }
        Pod pod = pods.get(claim.getMetadata().getNamespace(), consumer.getName());
        return pod != null && pod.getMetadata().getUid().equals(consumer.getUid()) && !AllocationMarks.done(pod);
    }

    /** Asked of the server, as a watch may be behind. */
    private boolean usedNow(ResourceClaim claim) {
        return AllocationMarks.consumers(claim).stream()
                .anyMatch(consumer -> !"pods".equals(consumer.getResource())
                        || writer.lives(claim.getMetadata().getNamespace(), consumer.getName(), consumer.getUid()));
    }

    /** Of claims that have the same place one keeps it: one that was not given here, else one whose pod is bound, else the oldest. */
    void settleConflicts() {
        Set<Set<String>> still = new HashSet<>();
        Map<String, ResourceClaim> byUid = claims.byUid();
        for (Set<String> of : fleet.conflicts()) {
            List<ResourceClaim> all = of.stream()
                    .map(byUid::get)
                    .filter(Objects::nonNull)
                    .sorted(Comparator.comparing(ClaimKeeper::ours)
                            .thenComparing(claim -> !bound(claim))
                            .thenComparing(ClaimKeeper::created)
                            .thenComparing(claim -> claim.getMetadata().getUid()))
                    .toList();
            for (ResourceClaim claim : all.subList(Math.min(1, all.size()), all.size())) {
                if (ours(claim) && !bound(claim) && Allocations.allocated(claim) && isUnbound(claim)) {
                    LOG.atWarn()
                            .log(
                                    "claim {} has what {} has as well: it is given something else",
                                    ObjectBook.key(claim),
                                    ObjectBook.key(all.get(0)));
                    writer.takeBack(claim);
                } else {
                    still.add(of);
                    if (!told.contains(of)) {
                        LOG.atError()
                                .log(
                                        "claims {} and {} have the same place, and pods with both are bound: the agent of the node"
                                                + " refuses one of them; delete that pod",
                                        ObjectBook.key(all.get(0)),
                                        ObjectBook.key(claim));
                    }
                }
            }
        }
        told = still;
    }

    private static String created(HasMetadata object) {
        String time = object.getMetadata().getCreationTimestamp();
        return time == null ? "" : time;
    }

    /** Asked of the server, as a watch may be behind. */
    private boolean isUnbound(ResourceClaim claim) {
        return AllocationMarks.consumers(claim).stream()
                .allMatch(consumer ->
                        writer.isUnbound(claim.getMetadata().getNamespace(), consumer.getName(), consumer.getUid()));
    }

    private boolean bound(ResourceClaim claim) {
        return AllocationMarks.consumers(claim).stream()
                .map(consumer -> pods.get(claim.getMetadata().getNamespace(), consumer.getName()))
                .anyMatch(pod -> pod != null && !AllocationMarks.node(pod).isEmpty());
    }
}
