package dev.sro.core.dra;

import io.fabric8.kubernetes.api.model.resource.v1.DeviceConstraintBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSubRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSubRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplateBuilder;
import java.util.ArrayList;
import java.util.List;

/**
 * Templates of claims for slices. Each slice is a list of alternatives ({@code firstAvailable}): first a place that spoils little of a GPU, then
 * one that spoils more, last any. The scheduler prefers nodes that serve an early alternative, so the list steers the node, too. Stateless.
 */
public final class DraTemplates {
    /** The attribute by which alternatives select. */
    public static final String LOSS_CLASS = DeviceFactory.LOSS_CLASS;

    /** Most alternatives of a request, {@code FirstAvailableDeviceRequestMaxSize}. */
    private static final int ALTERNATIVES = 8;

    /** Most requests of a claim. */
    private static final int REQUESTS = 32;

    private DraTemplates() {}

    /**
     * What a template is to ask for.
     *
     * @param name of the template
     * @param namespace of the template; empty for none
     * @param profiles that will do, the most wanted first
     * @param count how many slices
     * @param sameGpu whether all of them must be on one GPU
     */
    public record Wish(String name, String namespace, List<String> profiles, int count, boolean sameGpu) {
        /** Refuses what no claim can say. */
        public Wish {
            profiles = List.copyOf(profiles);
            if (profiles.isEmpty() || profiles.size() > ALTERNATIVES) {
                throw new IllegalArgumentException("template " + name + ": profiles: " + profiles.size()
                        + " are given; a request has 1 to " + ALTERNATIVES + " alternatives");
            }
            if (count < 1 || count > REQUESTS) {
                throw new IllegalArgumentException("template " + name + ": count: " + count
                        + " slices; a claim has 1 to " + REQUESTS + " requests");
            }
        }
    }

    /** The template. */
    public static ResourceClaimTemplate create(Wish wish, DraOptions options) {
        List<DeviceRequest> requests = new ArrayList<>();
        for (int i = 0; i < wish.count(); i++) {
            requests.add(new DeviceRequestBuilder()
                    .withName(wish.count() == 1 ? "slice" : "slice-" + (i + 1))
                    .withFirstAvailable(alternatives(wish, options))
                    .build());
        }
        ResourceClaimTemplate template = new ResourceClaimTemplateBuilder()
                .withNewMetadata()
                .withName(wish.name())
                .endMetadata()
                .withNewSpec()
                .withNewSpec()
                .withNewDevices()
                .withRequests(requests)
                .endDevices()
                .endSpec()
                .endSpec()
                .build();
        if (!wish.namespace().isEmpty()) {
            template.getMetadata().setNamespace(wish.namespace());
        }
        if (wish.sameGpu() && wish.count() > 1) {
            template.getSpec()
                    .getSpec()
                    .getDevices()
                    .setConstraints(List.of(new DeviceConstraintBuilder()
                            .withMatchAttribute(options.driver() + "/parent")
                            .build()));
        }
        return template;
    }

    /** For each profile as many loss classes as there is room for, the last without a condition, so that none is refused for it. */
    private static List<DeviceSubRequest> alternatives(Wish wish, DraOptions options) {
        int each = Math.min(
                PlacementRanking.LAST_CLASS + 1, ALTERNATIVES / wish.profiles().size());
        List<DeviceSubRequest> alternatives = new ArrayList<>();
        for (int profile = 0; profile < wish.profiles().size(); profile++) {
            String called = wish.profiles().get(profile);
            String prefix = wish.profiles().size() == 1 ? "" : "profile-" + (profile + 1) + "-";
            for (int step = 0; step < each; step++) {
                boolean last = step == each - 1;
                DeviceSubRequestBuilder alternative = new DeviceSubRequestBuilder()
                        .withName(prefix + (last ? "any" : "loss-" + step))
                        .withDeviceClassName(DraClasses.name(called, options))
                        .withAllocationMode("ExactCount")
                        .withCount(1L);
                if (!last) {
                    alternative
                            .addNewSelector()
                            .withNewCel()
                            .withExpression(
                                    "device.attributes['" + options.driver() + "']." + LOSS_CLASS + " <= " + step)
                            .endCel()
                            .endSelector();
                }
                alternatives.add(alternative.build());
            }
        }
        return alternatives;
    }
}
