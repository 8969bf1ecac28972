package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;

import dev.sro.core.allocation.LimitClaim;
import dev.sro.core.dra.DraOptions;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pods that ask by limits, and an allocator that serves them. Stateless. */
final class LimitedPods {
    static final String SMALL = "nvidia.com/mig-1g.5gb";

    private LimitedPods() {}

    /** One that makes templates. */
    static ClaimAllocator allocator(AllocatorWorld world, KubernetesClient account) {
        return world.allocator(
                account,
                new AllocatorOptions(DraOptions.DRIVER, false, MakeRoom.NEVER, Optional.empty(), true),
                () -> true);
    }

    static LimitWebhook webhook(AllocatorWorld world, Path certificates, ClaimAllocator allocator) throws IOException {
        return new LimitWebhook(
                world.client,
                certificates,
                () -> Optional.of(allocator).filter(ClaimAllocator::isFilled).map(ClaimAllocator::limitClasses));
    }

    static LimitWebhook webhook(AllocatorWorld world, Path certificates) throws IOException {
        return webhook(world, certificates, allocator(world, world.cluster.newClient("allocator")));
    }

    /** A pod without gate and claims, as for a device plugin. */
    static PodBuilder pod(String namespace, String name, Map<String, String> limits) {
        PodBuilder pod = AllocatorObjects.pod(namespace, name)
                .editSpec()
                .withSchedulingGates()
                .endSpec();
        limits.forEach((resource, count) -> pod.editSpec()
                .editContainer(0)
                .editResources()
                .addToLimits(resource, new Quantity(count))
                .endResources()
                .endContainer()
                .endSpec());
        return pod;
    }

    static PodBuilder pod(String name) {
        return pod(NAMESPACE, name, Map.of(SMALL, "1"));
    }

    /** Those that the allocator made. */
    static List<ResourceClaimTemplate> templates(KubernetesClient client) {
        return client.resources(ResourceClaimTemplate.class)
                .inAnyNamespace()
                .withLabel(LimitClaim.LABEL, "true")
                .list()
                .getItems();
    }

    static List<String> told(AllocatorWorld world, String reason) {
        return ControlledPods.told(world, reason).stream().map(Event::getNote).toList();
    }
}
