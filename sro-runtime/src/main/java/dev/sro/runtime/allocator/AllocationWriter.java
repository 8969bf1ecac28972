package dev.sro.runtime.allocator;

import dev.sro.core.allocation.Allocations;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what claims get, and opens gates. Each write has the version that it was decided on for a condition, and none is made by who does not lead. What
 * is answered is passed on at once. As thread-safe as the client.
 */
final class AllocationWriter {
    private static final Logger LOG = LoggerFactory.getLogger(AllocationWriter.class);

    private final KubernetesClient client;
    private final BooleanSupplier leads;
    private final Consumer<ResourceClaim> claimSeen;
    private final Consumer<Pod> podSeen;

    /** What became of a write. */
    enum Outcome {
        /** The server has it. */
        DONE,
        /** The server does not have it. */
        FAILED,
        /** Nobody can say now. */
        UNKNOWN
    }

    AllocationWriter(
            KubernetesClient client, BooleanSupplier leads, Consumer<ResourceClaim> claimSeen, Consumer<Pod> podSeen) {
        this.client = client;
        this.leads = leads;
        this.claimSeen = claimSeen;
        this.podSeen = podSeen;
    }

    /** Gives devices to a claim, for a pod: first the finalizer, without which it could go while it is used, then the allocation. */
    Outcome allocate(ResourceClaim claim, Pod pod, String node, AllocationResult allocation) {
        try {
            ResourceClaim marked = isMarked(claim, node) ? claim : patch(claim, "", marks(claim, node));
            Map<String, Object> status = new HashMap<>();
            status.put("allocation", allocation);
            status.put("reservedFor", reservation(marked, pod));
            patch(marked, "status", Map.of("status", status));
            return Outcome.DONE;
        } catch (KubernetesClientException e) {
            LOG.atWarn().log("claim {} was given nothing: {}", ObjectBook.key(claim), e.getMessage());
            return outcome(
                    claim,
                    now -> Allocations.results(now)
                                    .equals(allocation.getDevices().getResults())
                            && AllocationMarks.reserved(now, pod));
        }
    }

    private static boolean isMarked(ResourceClaim claim, String node) {
        return claim.getMetadata().getFinalizers().contains(AllocationMarks.FINALIZER)
                && AllocationMarks.annotation(claim, AllocationMarks.NODE)
                        .filter(node::equals)
                        .isPresent();
    }

    private static Map<String, Object> marks(ResourceClaim claim, String node) {
        List<String> finalizers = new ArrayList<>(claim.getMetadata().getFinalizers());
        if (!finalizers.contains(AllocationMarks.FINALIZER)) {
            finalizers.add(AllocationMarks.FINALIZER);
        }
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("finalizers", finalizers);
        metadata.put("annotations", Map.of(AllocationMarks.NODE, node));
        return Map.of("metadata", metadata);
    }

    private static List<ResourceClaimConsumerReference> reservation(ResourceClaim claim, Pod pod) {
        List<ResourceClaimConsumerReference> consumers = new ArrayList<>(AllocationMarks.consumers(claim));
        if (!AllocationMarks.reserved(claim, pod)) {
            consumers.add(new ResourceClaimConsumerReference(
                    null, pod.getMetadata().getName(), "pods", pod.getMetadata().getUid()));
        }
        return consumers;
    }

    /** Notes that a pod uses a claim that has its devices already. */
    Outcome reserve(ResourceClaim claim, Pod pod) {
        try {
            patch(claim, "status", Map.of("status", Map.of("reservedFor", reservation(claim, pod))));
            return Outcome.DONE;
        } catch (KubernetesClientException e) {
            LOG.atWarn()
                    .log(
                            "claim {} was not reserved for {}: {}",
                            ObjectBook.key(claim),
                            ObjectBook.key(pod),
                            e.getMessage());
            return outcome(claim, now -> AllocationMarks.reserved(now, pod));
        }
    }

    /** Takes devices from a claim; the finalizer stays, as with Kubernetes' own components. */
    Outcome takeBack(ResourceClaim claim) {
        Map<String, @Nullable Object> status = new HashMap<>();
        status.put("allocation", null);
        status.put("reservedFor", null);
        try {
            patch(claim, "status", Map.of("status", status));
            return Outcome.DONE;
        } catch (KubernetesClientException e) {
            LOG.atWarn().log("claim {} was not taken back: {}", ObjectBook.key(claim), e.getMessage());
            return outcome(claim, now -> !Allocations.allocated(now));
        }
    }

    /** Takes finalizer and mark from a claim that has nothing and that nobody waits for. */
    void forget(ResourceClaim claim) {
        Map<String, @Nullable Object> annotations = new HashMap<>();
        annotations.put(AllocationMarks.NODE, null);
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put(
                "finalizers",
                claim.getMetadata().getFinalizers().stream()
                        .filter(finalizer -> !AllocationMarks.FINALIZER.equals(finalizer))
                        .toList());
        metadata.put("annotations", annotations);
        try {
            patch(claim, "", Map.of("metadata", metadata));
        } catch (KubernetesClientException e) {
            LOG.atDebug().log("claim {} keeps its marks: {}", ObjectBook.key(claim), e.getMessage());
        }
    }

    /** What the server has of a claim whose write had no good answer. */
    private Outcome outcome(ResourceClaim claim, Predicate<ResourceClaim> written) {
        try {
            ResourceClaim now = client.resources(ResourceClaim.class)
                    .inNamespace(claim.getMetadata().getNamespace())
                    .withName(claim.getMetadata().getName())
                    .get();
            if (now == null
                    || !now.getMetadata().getUid().equals(claim.getMetadata().getUid())) {
                return Outcome.FAILED;
            }
            claimSeen.accept(now);
            return written.test(now) ? Outcome.DONE : Outcome.FAILED;
        } catch (KubernetesClientException e) {
            return Outcome.UNKNOWN;
        }
    }

    private ResourceClaim patch(ResourceClaim claim, String subresource, Map<String, ?> change) {
        fence();
        Map<String, Object> patch = versioned(claim.getMetadata().getResourceVersion(), change);
        // With the object at hand the client need not read it first.
        var resource = client.resource(claim);
        String json = client.getKubernetesSerialization().asJson(patch);
        PatchContext merge = PatchContext.of(PatchType.JSON_MERGE);
        ResourceClaim now = subresource.isEmpty()
                ? resource.patch(merge, json)
                : resource.subresource(subresource).patch(merge, json);
        claimSeen.accept(now);
        return now;
    }

    private static Map<String, Object> versioned(String version, Map<String, ?> change) {
        Map<String, Object> patch = new LinkedHashMap<>(change);
        Map<String, Object> metadata = new LinkedHashMap<>();
        if (change.get("metadata") instanceof Map<?, ?> given) {
            given.forEach((key, value) -> metadata.put(String.valueOf(key), value));
        }
        metadata.put("resourceVersion", version);
        patch.put("metadata", metadata);
        return patch;
    }

    /** Lets a pod through to the scheduler, which binds it to the node that its claims are on. */
    Outcome open(Pod pod, String node) {
        Map<String, Object> change = new LinkedHashMap<>();
        change.put("metadata", Map.of("annotations", Map.of(AllocationMarks.NODE, node)));
        change.put(
                "spec",
                Map.of(
                        "schedulingGates",
                        pod.getSpec().getSchedulingGates().stream()
                                .filter(gate -> !AllocationMarks.GATE.equals(gate.getName()))
                                .toList()));
        var resource = client.resource(pod);
        try {
            fence();
            podSeen.accept(resource.patch(
                    PatchContext.of(PatchType.JSON_MERGE),
                    client.getKubernetesSerialization()
                            .asJson(versioned(pod.getMetadata().getResourceVersion(), change))));
            return Outcome.DONE;
        } catch (KubernetesClientException e) {
            LOG.atWarn().log("the gate of pod {} was not opened: {}", ObjectBook.key(pod), e.getMessage());
        }
        try {
            Pod now = client.pods()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .withName(pod.getMetadata().getName())
                    .get();
            if (now == null
                    || !now.getMetadata().getUid().equals(pod.getMetadata().getUid())) {
                return Outcome.FAILED;
            }
            podSeen.accept(now);
            return AllocationMarks.gated(now) ? Outcome.FAILED : Outcome.DONE;
        } catch (KubernetesClientException e) {
            return Outcome.UNKNOWN;
        }
    }

    /** Whether a pod is there and needs its claims, as the server has it now; true where it cannot be asked. */
    boolean lives(String namespace, String name, String uid) {
        return isStill(namespace, name, uid, pod -> !AllocationMarks.done(pod));
    }

    /** Whether a pod is gone or bound to no node, as the server has it now; false where it cannot be asked. */
    boolean isUnbound(String namespace, String name, String uid) {
        return !isStill(namespace, name, uid, pod -> !AllocationMarks.node(pod).isEmpty());
    }

    /** Whether a pod is gone or waits at the gate, as the server has it now; false where it cannot be asked. */
    boolean isGated(Pod pod) {
        return !isStill(
                pod.getMetadata().getNamespace(),
                pod.getMetadata().getName(),
                pod.getMetadata().getUid(),
                now -> !AllocationMarks.gated(now));
    }

    /** Whether a pod is there and is like this; watches may be behind. */
    private boolean isStill(String namespace, String name, String uid, Predicate<Pod> like) {
        try {
            Pod pod = client.pods().inNamespace(namespace).withName(name).get();
            if (pod == null || !pod.getMetadata().getUid().equals(uid)) {
                return false;
            }
            podSeen.accept(pod);
            return like.test(pod);
        } catch (KubernetesClientException e) {
            return true;
        }
    }

    private void fence() {
        if (!leads.getAsBoolean()) {
            throw new KubernetesClientException(
                    "somebody else may lead now", HttpURLConnection.HTTP_PRECON_FAILED, null);
        }
    }

    /** All claims as the server has them at this moment; empty if it cannot be asked. */
    Optional<List<ResourceClaim>> claims() {
        try {
            return Optional.of(client.resources(ResourceClaim.class)
                    .inAnyNamespace()
                    .list()
                    .getItems());
        } catch (KubernetesClientException e) {
            LOG.atWarn().log("claims cannot be read: {}", e.getMessage());
            return Optional.empty();
        }
    }
}
