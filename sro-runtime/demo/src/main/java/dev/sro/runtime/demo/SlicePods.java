package dev.sro.runtime.demo;

import dev.sro.core.dra.DraClasses;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.DraServer;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.mig.MigResources;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimSpec;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimSpecBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplateBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Pods that ask for slices by limits, by claim and by template, in turn. Confined to one thread. */
final class SlicePods {
    static final String NAMESPACE = "demo";

    private static final DraOptions OPTIONS = DraOptions.of(new DraServer(36, 3));
    private static final int WAYS = 3;

    private final KubernetesClient client;
    private final TreeSet<String> templates = new TreeSet<>();
    private int made;

    SlicePods(KubernetesClient client) {
        this.client = client;
    }

    /** A namespace, and a class for each profile of the models. */
    void prepare(Collection<String> models) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        List<DeviceModel> known =
                models.stream().map(model -> Catalogue.builtin().model(model)).toList();
        DraClasses.create(known, OPTIONS, false)
                .forEach(each -> client.resource(each).create());
    }

    /** Makes a pod that asks for one slice. */
    void create(String name, String profile) {
        PodBuilder pod = new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(NAMESPACE)
                .endMetadata()
                .withNewSpec()
                .withTerminationGracePeriodSeconds(1L)
                .addNewContainer()
                .withName("main")
                .withImage("registry.example/work:1")
                .endContainer()
                .endSpec();
        switch (made++ % WAYS) {
            case 0 -> {
                Map<String, Quantity> limits = Map.of(MigResources.resource(profile), new Quantity("1"));
                pod.editSpec()
                        .editFirstContainer()
                        .withNewResources()
                        .withLimits(limits)
                        .withRequests(limits)
                        .endResources()
                        .endContainer()
                        .endSpec();
            }
            case 1 -> {
                client.resource(new ResourceClaimBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .withNamespace(NAMESPACE)
                                .endMetadata()
                                .withSpec(spec(profile))
                                .build())
                        .create();
                pod.editSpec()
                        .addNewResourceClaim()
                        .withName("slice")
                        .withResourceClaimName(name)
                        .endResourceClaim()
                        .endSpec();
            }
            default ->
                pod.editSpec()
                        .addNewResourceClaim()
                        .withName("slice")
                        .withResourceClaimTemplateName(template(profile))
                        .endResourceClaim()
                        .endSpec();
        }
        client.resource(pod.build()).create();
    }

    private String template(String profile) {
        String name = profile.replaceAll("[^a-z0-9]+", "-");
        if (templates.add(name)) {
            client.resource(new ResourceClaimTemplateBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .withNamespace(NAMESPACE)
                            .endMetadata()
                            .withNewSpec()
                            .withSpec(spec(profile))
                            .endSpec()
                            .build())
                    .create();
        }
        return name;
    }

    private static ResourceClaimSpec spec(String profile) {
        return new ResourceClaimSpecBuilder()
                .withNewDevices()
                .addNewRequest()
                .withName("slice")
                .withNewExactly()
                .withDeviceClassName(DraClasses.name(profile, OPTIONS))
                .endExactly()
                .endRequest()
                .endDevices()
                .build();
    }

    /** Takes a pod away, with the claim that was made for it by hand. */
    void delete(String name) {
        client.pods().inNamespace(NAMESPACE).withName(name).delete();
        client.resource(new ResourceClaimBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(NAMESPACE)
                        .endMetadata()
                        .build())
                .delete();
    }

    List<Pod> all() {
        return client.pods().inNamespace(NAMESPACE).list().getItems();
    }
}
