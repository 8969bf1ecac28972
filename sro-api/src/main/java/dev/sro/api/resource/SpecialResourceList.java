package dev.sro.api.resource;

import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A list of special resources as the API server returns it. Mutable and not thread-safe. */
@Group(SpecialResource.GROUP)
@Version(SpecialResource.VERSION)
public final class SpecialResourceList extends DefaultKubernetesResourceList<SpecialResource> {
    /** Creates an empty list. */
    public SpecialResourceList() {}
}
