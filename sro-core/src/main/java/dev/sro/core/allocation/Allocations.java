package dev.sro.core.allocation;

import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResultBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAllocationConfiguration;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResultBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Allocations of claims, as kube-scheduler writes them. Stateless. */
public final class Allocations {
    private Allocations() {}

    /** What a claim has; empty while it waits. */
    public static List<DeviceRequestAllocationResult> results(ResourceClaim claim) {
        return !allocated(claim) || claim.getStatus().getAllocation().getDevices() == null
                ? List.of()
                : claim.getStatus().getAllocation().getDevices().getResults();
    }

    /** Whether a claim has an allocation. */
    public static boolean allocated(ResourceClaim claim) {
        return claim.getStatus() != null && claim.getStatus().getAllocation() != null;
    }

    /**
     * The allocation of a claim.
     *
     * @param devices of this claim, all on one node; one at least
     */
    public static AllocationResult allocation(ClaimDemand claim, String driver, List<PlacedDevice> devices) {
        Set<String> chosen = new HashSet<>();
        devices.forEach(device -> chosen.add(device.request()));
        List<DeviceAllocationConfiguration> config = claim.config().stream()
                .filter(each -> each.request().isEmpty() || chosen.contains(each.request()))
                .map(ClaimDemand.Config::configuration)
                .toList();
        return new AllocationResultBuilder()
                .withNewDevices()
                .withResults(devices.stream()
                        .map(device -> new DeviceRequestAllocationResultBuilder()
                                .withRequest(device.request())
                                .withDriver(driver)
                                .withPool(device.pool())
                                .withDevice(device.device())
                                .withTolerations(device.tolerations())
                                .build())
                        .toList())
                .withConfig(config)
                .endDevices()
                .withNodeSelector(only(devices.get(0).node()))
                .build();
    }

    private static NodeSelector only(String node) {
        return new NodeSelectorBuilder()
                .addNewNodeSelectorTerm()
                .addNewMatchField()
                .withKey("metadata.name")
                .withOperator("In")
                .withValues(node)
                .endMatchField()
                .endNodeSelectorTerm()
                .build();
    }
}
