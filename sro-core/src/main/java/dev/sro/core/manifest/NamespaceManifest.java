package dev.sro.core.manifest;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import java.util.Map;
import java.util.TreeMap;

/** The namespace of the operands, where SRO makes it. Stateless. */
public final class NamespaceManifest {

    /** The state that it counts as: before all states of any recipe. */
    public static final String STATE = "0000-";

    private NamespaceManifest() {}

    /**
     * The namespace of this special resource. It has no owner reference: deletion goes by the finalizer, after
     * everything in it.
     */
    public static Desired render(SpecialResource resource, String namespace) {
        return render(resource, namespace, Map.of(), Map.of());
    }

    /**
     * The same with more labels and annotations.
     *
     * @param moreLabels that the recipe wants on it; SRO's own go before them
     * @param moreAnnotations likewise
     */
    public static Desired render(
            SpecialResource resource,
            String namespace,
            Map<String, String> moreLabels,
            Map<String, String> moreAnnotations) {
        Map<String, Object> annotations = new TreeMap<>(moreAnnotations);
        annotations.put(MetadataKeys.STATE, STATE);
        annotations.put(MetadataKeys.WAIT, "true");
        annotations.put("openshift.io/cluster-monitoring", "true");
        Map<String, Object> labels = new TreeMap<>(moreLabels);
        labels.put(MetadataKeys.OWNED, "true");
        labels.put(
                MetadataKeys.SPECIAL_RESOURCE,
                MetadataKeys.specialResourceLabel(resource.getMetadata().getName()));
        Map<String, Object> metadata = Map.of("name", namespace, "labels", labels, "annotations", annotations);
        KubeObject object = KubeObject.of(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", metadata));
        return new Desired(AppliedDigest.stamp(object), STATE, null);
    }
}
