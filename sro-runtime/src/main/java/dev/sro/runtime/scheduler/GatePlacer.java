package dev.sro.runtime.scheduler;

import dev.sro.core.claim.NodeRules;
import dev.sro.core.placement.Placement;
import dev.sro.core.placement.PlacementFleet;
import dev.sro.core.placement.PodSlices;
import dev.sro.core.placement.SliceDemand;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirementBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the scheduling gate of a pod once its slices are its own: writes a claim for each, then ties the pod to the node and takes the gate away in one
 * patch. The scheduler then binds it as any pod. Not thread-safe.
 */
final class GatePlacer {
    private static final Logger LOG = LoggerFactory.getLogger(GatePlacer.class);

    private static final Duration RESERVED = Duration.ofMinutes(2);

    private final KubernetesClient client;
    private final PlacementFleet fleet;
    private final ClaimWriter claims;
    private final Consumer<Pod> seen;
    private final Clock clock;
    private final KubernetesSerialization serialization = new KubernetesSerialization();

    /** @param seen told of each pod as it is behind the gate, before a watch tells of it */
    GatePlacer(KubernetesClient client, PlacementFleet fleet, Consumer<Pod> seen, Clock clock) {
        this.seen = seen;
        this.client = client;
        this.fleet = fleet;
        this.claims = new ClaimWriter(client);
        this.clock = clock;
    }

    /**
     * Places what can be placed.
     *
     * @param gated pods that wait at the gate, in the order in which they are served
     * @param nodes all nodes of the cluster
     * @param pods all pods that are bound
     * @return those that were let through
     */
    List<String> pass(List<WaitingPods.Waiting> gated, List<Node> nodes, List<Pod> pods) {
        List<String> opened = new ArrayList<>();
        if (gated.isEmpty()) {
            return opened;
        }
        NodeRoom room = new NodeRoom(nodes, pods);
        // Let through, and not bound yet: they will be on their node, and the scheduler counts them there.
        gated.stream()
                .filter(waiting -> !waiting.gated())
                .forEach(waiting -> node(waiting.pod()).ifPresent(node -> room.take(node, waiting.pod())));
        for (WaitingPods.Waiting waiting : gated) {
            if (waiting.gated() && others(waiting.pod()) == 0) {
                place(waiting, nodes, room).ifPresent(opened::add);
            }
        }
        return opened;
    }

    /** The node to which a pod was let through. */
    static Optional<String> node(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return Optional.ofNullable(annotations == null ? null : annotations.get(SliceGates.NODE));
    }

    /** What waits for something else too is not given slices yet. */
    private static long others(Pod pod) {
        return pod.getSpec().getSchedulingGates().stream()
                .filter(gate -> !SliceGates.GATE.equals(gate.getName()))
                .count();
    }

    private Optional<String> place(WaitingPods.Waiting waiting, List<Node> nodes, NodeRoom room) {
        Pod pod = waiting.pod();
        List<String> candidates = nodes.stream()
                .filter(node -> NodeRules.against(pod, node, Set.of()).isEmpty())
                .map(node -> node.getMetadata().getName())
                .filter(node -> room.against(pod, node).isEmpty())
                .toList();
        SliceDemand demand = waiting.demand();
        Placement placement = fleet.decide(demand, candidates, clock.instant().plus(RESERVED));
        if (!placement.granted()) {
            LOG.atDebug().log("pod {} waits: {}", demand.reference(), placement.refusal());
            return Optional.empty();
        }
        ClaimWriter.Result result = claims.write(placement.slices());
        if (result.outcome() == ClaimWriter.Outcome.REFUSED) {
            fleet.unreserve(demand.uid());
        }
        if (result.outcome() != ClaimWriter.Outcome.WRITTEN) {
            LOG.atWarn().log("pod {}: {}", demand.reference(), result.fault());
            return Optional.empty();
        }
        placement.slices().forEach(fleet::hold);
        if (isShut(pod, placement.node())) {
            if (claims.delete(placement.slices())) {
                placement.slices().forEach(slice -> fleet.drop(slice.id()));
            }
            return Optional.empty();
        }
        room.take(placement.node(), pod);
        return Optional.of(demand.reference());
    }

    /** Opens the gate; whether it is certain that the pod does not get to the node all the same. */
    private boolean isShut(Pod pod, String node) {
        try {
            // With the object at hand the client need not read it first.
            seen.accept(client.resource(pod)
                    .patch(PatchContext.of(PatchType.JSON_MERGE), serialization.asJson(patch(pod, node))));
            return false;
        } catch (KubernetesClientException e) {
            LOG.atWarn().log("the gate of {} was not opened: {}", PodSlices.name(pod), e.getMessage());
            return isElsewhere(pod, node, e.getCode() == ClaimWriter.NO_ANSWER);
        }
    }

    /** @param mayOpen whether a gate that is shut now may be opened by the request yet */
    private boolean isElsewhere(Pod pod, String node, boolean mayOpen) {
        try {
            Pod now = client.pods()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .withName(pod.getMetadata().getName())
                    .get();
            if (now == null
                    || !pod.getMetadata().getUid().equals(now.getMetadata().getUid())) {
                return true;
            }
            seen.accept(now);
            // Another process may have tied it to another node.
            Optional<String> tied = node(now);
            return tied.isPresent() ? !tied.get().equals(node) : !mayOpen;
        } catch (KubernetesClientException e) {
            // Nobody can say: the claims stay, and the sweep looks again.
            return false;
        }
    }

    /** The version of the pod is a condition: what somebody else changed meanwhile is looked at anew. */
    private Map<String, Object> patch(Pod pod, String node) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("resourceVersion", pod.getMetadata().getResourceVersion());
        metadata.put("annotations", Map.of(SliceGates.NODE, node));
        Map<String, Object> spec = new HashMap<>();
        spec.put("schedulingGates", List.of());
        spec.put("affinity", Map.of("nodeAffinity", nodeAffinity(pod, node)));
        Map<String, Object> patch = new LinkedHashMap<>();
        patch.put("metadata", metadata);
        patch.put("spec", spec);
        return patch;
    }

    /** Each of its terms is tightened, which is what the API server admits at a gate. */
    private static Object nodeAffinity(Pod pod, String node) {
        Affinity before = pod.getSpec().getAffinity();
        List<NodeSelectorTerm> terms = new ArrayList<>();
        if (before != null
                && before.getNodeAffinity() != null
                && before.getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution() != null) {
            terms.addAll(before.getNodeAffinity()
                    .getRequiredDuringSchedulingIgnoredDuringExecution()
                    .getNodeSelectorTerms());
        } else {
            terms.add(new NodeSelectorTerm());
        }
        List<NodeSelectorTerm> tightened = terms.stream()
                .map(term -> new NodeSelectorTermBuilder(term)
                        .addToMatchFields(new NodeSelectorRequirementBuilder()
                                .withKey("metadata.name")
                                .withOperator("In")
                                .withValues(node)
                                .build())
                        .build())
                .toList();
        return new AffinityBuilder()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withNodeSelectorTerms(tightened)
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .build()
                .getNodeAffinity();
    }
}
