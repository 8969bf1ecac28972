package dev.sro.runtime.allocator;

import dev.sro.core.dra.DraClasses;
import dev.sro.core.dra.DraGpu;
import dev.sro.core.dra.DraNode;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.DraPublisher;
import dev.sro.core.dra.DraServer;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplateBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Objects for tests of the allocator: nodes of A100-40GB, claims, pods at the gate. Stateless. */
final class AllocatorObjects {
    static final DeviceModel A100 = Catalogue.builtin().model("A100-40GB");

    static final DraOptions OPTIONS = DraOptions.builder()
            .server(new DraServer(36, 2))
            .authoritative(true)
            .build();

    private AllocatorObjects() {}

    /** What a node publishes that gives nothing to schedulers. */
    static List<ResourceSlice> slices(String node, int gpus, DraOptions options) {
        DraNode.Builder described = DraNode.builder().name(node);
        for (int i = 0; i < gpus; i++) {
            described.addGpus(DraGpu.builder()
                    .pciAddress("0000:0" + i + ":00.0")
                    .uuid("GPU-" + node + "-" + i)
                    .model(A100)
                    .build());
        }
        return DraPublisher.of(options)
                .publish(described.build(), Set.of(), List.of())
                .slices();
    }

    static List<DeviceClass> classes() {
        return DraClasses.create(List.of(A100), OPTIONS, false);
    }

    /** The class of a profile. */
    static String className(String profile) {
        return DraClasses.name(profile, OPTIONS);
    }

    static DeviceRequest request(String name, String profile, int count) {
        return new DeviceRequestBuilder()
                .withName(name)
                .withNewExactly()
                .withDeviceClassName(className(profile))
                .withAllocationMode("ExactCount")
                .withCount((long) count)
                .endExactly()
                .build();
    }

    /** A template for some slices of a profile, named after them. */
    static ResourceClaimTemplate template(String namespace, String profile, int count) {
        return new ResourceClaimTemplateBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(templateName(profile, count))
                .endMetadata()
                .withNewSpec()
                .withNewSpec()
                .withNewDevices()
                .withRequests(request("slice", profile, count))
                .endDevices()
                .endSpec()
                .endSpec()
                .build();
    }

    static String templateName(String profile, int count) {
        return "t" + count + "-" + profile.replaceAll("[^a-z0-9]+", "-");
    }

    static ResourceClaim claim(String namespace, String name, DeviceRequest... requests) {
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNewDevices()
                .withRequests(requests)
                .endDevices()
                .endSpec()
                .build();
    }

    /** A pod that waits at the gate; its claims come later. */
    static PodBuilder pod(String namespace, String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withTerminationGracePeriodSeconds(1L)
                .addNewSchedulingGate(AllocationMarks.GATE)
                .addNewContainer()
                .withName("main")
                .withImage("registry.example.com/train:1")
                .withNewResources()
                .addToRequests("cpu", new Quantity("100m"))
                .endResources()
                .endContainer()
                .endSpec();
    }

    static PodBuilder byTemplate(PodBuilder pod, String... templates) {
        PodBuilder made = pod;
        for (int i = 0; i < templates.length; i++) {
            made = made.editSpec()
                    .addNewResourceClaim()
                    .withName("c" + i)
                    .withResourceClaimTemplateName(templates[i])
                    .endResourceClaim()
                    .endSpec();
        }
        return made;
    }

    static PodBuilder byClaim(PodBuilder pod, String... claims) {
        PodBuilder made = pod;
        for (int i = 0; i < claims.length; i++) {
            made = made.editSpec()
                    .addNewResourceClaim()
                    .withName("c" + i)
                    .withResourceClaimName(claims[i])
                    .endResourceClaim()
                    .endSpec();
        }
        return made;
    }

    static PodBuilder gang(PodBuilder pod, String gang, int size) {
        return pod.editMetadata()
                .addToAnnotations(AllocationMarks.GANG, gang)
                .addToAnnotations(AllocationMarks.GANG_SIZE, Integer.toString(size))
                .endMetadata();
    }

    /** Names in order. */
    static List<String> names(String prefix, int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(prefix + i);
        }
        return names;
    }
}
