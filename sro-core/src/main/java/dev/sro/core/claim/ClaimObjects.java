package dev.sro.core.claim;

import dev.sro.core.dra.PublishedFleet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the API server has. Immutable but for the objects in it, which nobody changes.
 *
 * @param slices of all drivers
 * @param claims of all namespaces
 * @param templates of claims, of all namespaces
 * @param classes of devices
 * @param pods of all namespaces; those alone that are asked about will do, but then nobody is named by pod
 * @param nodes all; where there are none, every node will do for every pod
 */
public record ClaimObjects(
        List<ResourceSlice> slices,
        List<ResourceClaim> claims,
        List<ResourceClaimTemplate> templates,
        List<DeviceClass> classes,
        List<Pod> pods,
        List<Node> nodes) {
    /** Copies the lists. */
    public ClaimObjects {
        slices = List.copyOf(slices);
        claims = List.copyOf(claims);
        templates = List.copyOf(templates);
        classes = List.copyOf(classes);
        pods = List.copyOf(pods);
        nodes = List.copyOf(nodes);
    }

    /** What a claim has; empty while it waits. */
    static List<DeviceRequestAllocationResult> results(ResourceClaim claim) {
        return claim.getStatus() == null
                        || claim.getStatus().getAllocation() == null
                        || claim.getStatus().getAllocation().getDevices() == null
                ? List.of()
                : claim.getStatus().getAllocation().getDevices().getResults();
    }

    static boolean allocated(ResourceClaim claim) {
        return claim.getStatus() != null && claim.getStatus().getAllocation() != null;
    }

    /** {@code namespace/name}. */
    static String key(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }

    /** Who has a claim: the first pod that it is reserved for, else the claim itself. */
    static String holder(ResourceClaim claim) {
        return reserved(claim).stream()
                .filter(consumer -> "pods".equals(consumer.getResource()))
                .map(consumer -> claim.getMetadata().getNamespace() + "/" + consumer.getName())
                .findFirst()
                .orElse("claim " + key(claim));
    }

    static List<ResourceClaimConsumerReference> reserved(ResourceClaim claim) {
        return claim.getStatus() == null ? List.of() : claim.getStatus().getReservedFor();
    }

    Map<PublishedFleet.Key, String> holders() {
        Map<PublishedFleet.Key, String> holders = new LinkedHashMap<>();
        for (ResourceClaim claim : claims) {
            for (DeviceRequestAllocationResult result : results(claim)) {
                if (!Boolean.TRUE.equals(result.getAdminAccess())) {
                    holders.put(
                            new PublishedFleet.Key(result.getDriver(), result.getPool(), result.getDevice()),
                            holder(claim));
                }
            }
        }
        return holders;
    }

    static <T extends HasMetadata> Optional<T> find(List<T> objects, String namespace, String name) {
        return objects.stream()
                .filter(object -> object.getMetadata().getName().equals(name)
                        && (namespace.isEmpty()
                                || namespace.equals(object.getMetadata().getNamespace())))
                .findFirst();
    }
}
