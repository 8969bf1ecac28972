package dev.sro.core.probe;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who has devices by a ResourceClaim that is allocated. Immutable.
 *
 * @param namespace of the claim
 * @param name of the claim
 * @param drivers that allocated its devices; none for a claim that is not allocated
 * @param pods names of the pods that it is reserved for, sorted
 * @param since when it was allocated, or made where that is not said, as Kubernetes writes times
 */
public record ClaimUse(String namespace, String name, Set<String> drivers, List<String> pods, String since) {

    /** All resource claims of the cluster. */
    public static final ViewedKind<ClaimUse> CLAIMS = new ViewedKind<>(
            List.of(
                    "resource.k8s.io/v1/ResourceClaim",
                    "resource.k8s.io/v1beta2/ResourceClaim",
                    "resource.k8s.io/v1beta1/ResourceClaim"),
            ClaimUse::of);

    /** Copies. */
    public ClaimUse {
        drivers = Set.copyOf(drivers);
        pods = List.copyOf(pods);
    }

    /** What a claim of any version says. */
    public static ClaimUse of(KubeObject claim) {
        Set<String> drivers = new TreeSet<>();
        ValueTrees.maps(ValueTrees.map(claim.tree(), "status", "allocation", "devices"), "results")
                .forEach(result -> drivers.add(String.valueOf(result.getOrDefault("driver", ""))));
        Set<String> pods = new TreeSet<>();
        ValueTrees.maps(ValueTrees.map(claim.tree(), "status"), "reservedFor").stream()
                .filter(user -> "pods".equals(user.get("resource")))
                .forEach(user -> pods.add(String.valueOf(user.get("name"))));
        String made = ValueTrees.text(ValueTrees.map(claim.tree(), "metadata"), "creationTimestamp");
        String allocated = ValueTrees.text(ValueTrees.map(claim.tree(), "status", "allocation"), "allocationTimestamp");
        return new ClaimUse(
                claim.ref().namespace(),
                claim.ref().name(),
                drivers,
                List.copyOf(pods),
                allocated.isEmpty() ? made : allocated);
    }
}
