package dev.sro.api.resource;

import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;

/**
 * A list of special resources as the API server returns it. Mutable and not thread-safe.
 *
 * @since 0.1.0
 */
public final class SpecialResourceList extends DefaultKubernetesResourceList<SpecialResource> {
    /** Creates an empty list. */
    public SpecialResourceList() {
        super.setApiVersion(SpecialResource.GROUP + "/" + SpecialResource.VERSION);
        super.setKind(SpecialResource.KIND + "List");
    }
}
