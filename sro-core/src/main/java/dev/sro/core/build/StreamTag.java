package dev.sro.core.build;

import dev.sro.core.model.TreeLiterals;
import java.util.Map;
import java.util.Optional;

/** A name in OpenShift's own registry. Immutable. */
public record StreamTag(String namespace, String stream, String tag) {

    /** Where OpenShift's own registry answers inside a cluster. */
    static final String OPENSHIFT_REGISTRY = "image-registry.openshift-image-registry.svc:5000/";

    /** Reads the name of an image; empty for images of other registries, and for those that are named by digest. */
    public static Optional<StreamTag> of(String image) {
        if (!image.startsWith(OPENSHIFT_REGISTRY) || image.contains("@")) {
            return Optional.empty();
        }
        String[] path = image.substring(OPENSHIFT_REGISTRY.length()).split("/", -1);
        if (path.length != 2) {
            return Optional.empty();
        }
        int colon = path[1].indexOf(':');
        return Optional.of(
                colon < 0
                        ? new StreamTag(path[0], path[1], "latest")
                        : new StreamTag(path[0], path[1].substring(0, colon), path[1].substring(colon + 1)));
    }

    /** As a BuildConfig of this namespace refers to it. */
    Map<String, Object> reference(String own) {
        Map<String, Object> reference = TreeLiterals.map("kind", "ImageStreamTag", "name", stream + ":" + tag);
        if (!namespace.equals(own)) {
            reference.put("namespace", namespace);
        }
        return reference;
    }
}
