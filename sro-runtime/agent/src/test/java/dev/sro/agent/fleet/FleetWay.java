package dev.sro.agent.fleet;

import dev.sro.core.dra.DraClasses;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.DraServer;
import dev.sro.core.dra.DraTemplates;
import dev.sro.core.slicing.mig.MigResources;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplateBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** How slices are published, and how pods ask. */
enum FleetWay {
    /** As NVIDIA's driver lists devices: profiles by name, starts ascending, for ever. */
    NVIDIA_BY_CLAIM,
    /** The same, pods with limits. */
    NVIDIA_BY_LIMITS,
    /** Our order for an empty GPU, for ever. */
    STATIC_BY_CLAIM,
    /** Our order for what is on the GPU. */
    ADVISORY_BY_CLAIM,
    /** The same, pods with limits. */
    ADVISORY_BY_LIMITS,
    /** Our order, pods with templates by loss class. */
    LOSS_CLASSES;

    /** The server matters for nothing that is asked of these options. */
    static final DraOptions OPTIONS = DraOptions.of(new DraServer(36, 2));

    /** Whether an order of ours is kept up to date. */
    boolean follows() {
        return name().startsWith("ADVISORY") || this == LOSS_CLASSES;
    }

    boolean byLimits() {
        return name().endsWith("LIMITS");
    }

    /** The devices of a slice in the order of this way. */
    ResourceSlice ordered(ResourceSlice slice) {
        if (name().startsWith("NVIDIA")) {
            List<Device> devices = new ArrayList<>(slice.getSpec().getDevices());
            devices.sort(Comparator.comparing(FleetWay::profile).thenComparing(FleetWay::start));
            slice.getSpec().setDevices(devices);
        }
        return slice;
    }

    private static String profile(Device device) {
        return attribute(device, "profile");
    }

    /** The width follows it. */
    private static int start(Device device) {
        return Integer.parseInt(attribute(device, "placement").split(":", -1)[0]);
    }

    private static String attribute(Device device, String name) {
        return Optional.ofNullable(device.getAttributes().get(name))
                .map(DeviceAttribute::getString)
                .orElseThrow(() -> new IllegalArgumentException(device.getName() + " has no attribute " + name));
    }

    /** What pods of a profile take their claims from, where they have any. */
    ResourceClaimTemplate template(String profile) {
        if (this == LOSS_CLASSES) {
            return DraTemplates.create(
                    new DraTemplates.Wish(templateName(profile), "", List.of(profile), 1, false), OPTIONS);
        }
        return new ResourceClaimTemplateBuilder()
                .withNewMetadata()
                .withName(templateName(profile))
                .endMetadata()
                .withNewSpec()
                .withNewSpec()
                .withNewDevices()
                .addNewRequest()
                .withName("slice")
                .withNewExactly()
                .withDeviceClassName(DraClasses.name(profile, OPTIONS))
                .endExactly()
                .endRequest()
                .endDevices()
                .endSpec()
                .endSpec()
                .build();
    }

    /** Of ways that ask for different things: a template cannot be changed. */
    private String templateName(String profile) {
        return (this == LOSS_CLASSES ? "loss-" : "mig-")
                + profile.replace('.', '-').replace("+", "-");
    }

    /** A pod that wants one slice; on any of these nodes, or on the one that is named. */
    String pod(String name, String profile, String nodeLabel, String nodeValue) {
        String resources =
                byLimits() ? "{limits: {\"" + MigResources.resource(profile) + "\": 1}}" : "{claims: [{name: slice}]}";
        String claims = byLimits()
                ? ""
                : "  resourceClaims: [{name: slice, resourceClaimTemplateName: " + templateName(profile) + "}]\n";
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  automountServiceAccountToken: false
                  nodeSelector: {"%s": "%s"}
                %s  containers:
                  - name: work
                    image: registry.example.com/work:1
                    resources: %s
                """.formatted(name, nodeLabel, nodeValue, claims, resources);
    }
}
