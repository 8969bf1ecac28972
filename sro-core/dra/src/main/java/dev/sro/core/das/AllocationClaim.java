package dev.sro.core.das;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A slice that a pod is promised or has, as the API has it: the contract between who places pods and the agent of a node. Immutable.
 *
 * <p>A promise is written once, before the pod is bound, where the pod is ({@link #promise}); the pod owns it, so that it goes with the pod. The agent adds
 * {@link DasNames#FINALIZER} before it makes anything, and takes it away when nothing is left, so that a claim which is there takes its place, and one
 * that is gone does not.
 *
 * @param namespace where it is; DAS has all of its own in {@link DasNames#NAMESPACE}
 * @param name unique there
 * @param pod whose slice it is
 * @param container for which it is; empty in claims of DAS, which have it in the name alone
 * @param node name of the Node
 * @param gpu UUID of the GPU, {@code GPU-…}
 * @param profile as NVIDIA prints it, such as {@code 1g.5gb+me}
 * @param start first memory unit, from 0
 * @param size width in memory units
 * @param state how far it is
 * @param leaving whether it is deleted and waits for its finalizers
 * @param finalizers who has to agree
 */
public record AllocationClaim(
        String namespace,
        String name,
        ClaimPod pod,
        String container,
        String node,
        String gpu,
        String profile,
        int start,
        int size,
        ClaimState state,
        boolean leaving,
        List<String> finalizers) {
    private static final int MOST_UNITS = 64;

    /** Copies the list. */
    public AllocationClaim {
        finalizers = List.copyOf(finalizers);
    }

    /**
     * A promise to a pod, to be created before the pod is bound.
     *
     * @param number of the slice in the container, from 0
     */
    public static AllocationClaim promise(
            ClaimPod pod, String container, int number, String node, String gpu, String profile, int start, int size) {
        return new AllocationClaim(
                pod.namespace(),
                DasNames.claim(pod.uid(), node, container, number),
                pod,
                container,
                node,
                gpu,
                profile,
                start,
                size,
                ClaimState.CREATED,
                false,
                List.of());
    }

    /**
     * Reads one, of our own or of DAS.
     *
     * @throws IllegalArgumentException that names object and field, if something that is needed is missing or no such thing
     */
    public static AllocationClaim of(GenericKubernetesResource object) {
        ObjectFields spec = ObjectFields.of(object, DasNames.CLAIM, "spec");
        ObjectFields status = ObjectFields.of(object, DasNames.CLAIM, "status");
        ObjectFields pod = spec.in("podRef");
        ObjectFields placement = spec.in("migPlacement");
        ObjectMeta metadata = object.getMetadata();
        String state = status.textOrEmpty("state");
        return new AllocationClaim(
                metadata.getNamespace() == null ? "" : metadata.getNamespace(),
                metadata.getName(),
                new ClaimPod(pod.text("namespace"), pod.text("name"), pod.text("uid")),
                spec.textOrEmpty("container"),
                spec.text("nodename"),
                spec.text("gpuUUID"),
                spec.text("profile"),
                placement.number("start", 0, MOST_UNITS - 1),
                placement.number("size", 1, MOST_UNITS),
                ClaimState.of(state)
                        .orElseThrow(() -> status.wrong("state", "is \"" + state + "\", which is no state")),
                metadata.getDeletionTimestamp() != null,
                metadata.getFinalizers() == null ? List.of() : metadata.getFinalizers());
    }

    /** As it is created: where the pod is in the same namespace it owns the claim. The state is not in it, as it is a subresource. */
    public GenericKubernetesResource object() {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion(DasNames.API_VERSION);
        object.setKind(DasNames.CLAIM);
        ObjectMetaBuilder metadata = new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels(DasNames.NODE_LABEL, DasNames.nodeLabel(node))
                .withFinalizers(finalizers);
        if (namespace.equals(pod.namespace())) {
            metadata.withOwnerReferences(new OwnerReferenceBuilder()
                    .withApiVersion("v1")
                    .withKind("Pod")
                    .withName(pod.name())
                    .withUid(pod.uid())
                    .build());
        }
        object.setMetadata(metadata.build());
        object.setAdditionalProperty("spec", spec());
        return object;
    }

    /** What {@code spec} has. */
    public Map<String, Object> spec() {
        Map<String, Object> reference = new LinkedHashMap<>();
        reference.put("kind", "Pod");
        reference.put("namespace", pod.namespace());
        reference.put("name", pod.name());
        reference.put("uid", pod.uid());
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("profile", profile);
        spec.put("podRef", reference);
        spec.put("migPlacement", Map.of("size", size, "start", start));
        spec.put("gpuUUID", gpu);
        spec.put("nodename", node);
        if (!container.isEmpty()) {
            spec.put("container", container);
        }
        return spec;
    }

    /**
     * What {@code status} has in a state.
     *
     * @param at when it came to that, in RFC 3339
     */
    public static Map<String, Object> status(ClaimState state, String at) {
        return Map.of(
                "state",
                state.text(),
                "conditions",
                List.of(Map.of(
                        "type",
                        "State",
                        "status",
                        "True",
                        "reason",
                        state.text(),
                        "message",
                        "Allocation is " + state.text(),
                        "lastTransitionTime",
                        at)));
    }

    /** As people know it: {@code namespace/name}. */
    public String reference() {
        return namespace + "/" + name;
    }

    /** Whether both take a unit of the same GPU. */
    public boolean overlaps(AllocationClaim other) {
        return node.equals(other.node)
                && gpu.equals(other.gpu)
                && start < other.start + other.size
                && other.start < start + size;
    }

    /** For messages: {@code 3g.20gb at 4 of GPU-…}. */
    public String place() {
        return profile + " at " + start + " of " + gpu;
    }
}
