package dev.sro.core.claim;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Which nodes a pod may not be on, whatever their devices have room for. Immutable. */
final class NodeExclusions {
    private final Pod pod;
    private final Map<String, Node> nodes;
    private final List<BoundClaim> bound;
    private final Set<String> resources;

    /** A claim that has devices, and the nodes that they are of. */
    private record BoundClaim(String claim, Set<String> nodes) {}

    /**
     * @param nodes by name; one that is not among them will do
     * @param requests of the pod
     */
    NodeExclusions(ClaimObjects objects, Map<String, Node> nodes, Pod pod, PodDeviceRequests requests) {
        this.pod = pod;
        this.nodes = nodes;
        this.bound = bound(objects, requests);
        this.resources = requests.requested().stream()
                .map(PodDeviceRequest::resource)
                .filter(resource -> !resource.isEmpty())
                .collect(Collectors.toSet());
    }

    private static List<BoundClaim> bound(ClaimObjects objects, PodDeviceRequests requests) {
        List<BoundClaim> all = new ArrayList<>();
        for (ResourceClaim claim : requests.had()) {
            Set<String> pools = ClaimObjects.results(claim).stream()
                    .map(DeviceRequestAllocationResult::getPool)
                    .collect(Collectors.toSet());
            all.add(new BoundClaim(
                    ClaimObjects.key(claim),
                    objects.slices().stream()
                            .filter(slice ->
                                    pools.contains(slice.getSpec().getPool().getName())
                                            && slice.getSpec().getNodeName() != null)
                            .map(slice -> slice.getSpec().getNodeName())
                            .collect(Collectors.toCollection(TreeSet::new))));
        }
        return all;
    }

    /** What speaks against a node. A pod stays on one: where some of its claims have devices, only that one will do. */
    Optional<String> against(String node) {
        Optional<String> elsewhere = bound.stream()
                .filter(claim -> !claim.nodes().isEmpty() && !claim.nodes().contains(node))
                .map(claim -> "claim " + claim.claim() + " of the pod has devices of node "
                        + String.join(", ", claim.nodes()))
                .findFirst();
        return elsewhere.or(
                () -> Optional.ofNullable(nodes.get(node)).flatMap(found -> NodeRules.against(pod, found, resources)));
    }
}
