package dev.sro.core.model;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;

/** Specs of special resources, which an API server without the definition's rules may have stored without any. Stateless. */
public final class Specs {

    private Specs() {}

    /** The spec; an empty one when it is absent. */
    public static SpecialResourceSpec of(SpecialResource resource) {
        SpecialResourceSpec spec = resource.getSpec();
        return spec == null ? new SpecialResourceSpec() : spec;
    }
}
