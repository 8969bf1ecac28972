package dev.sro.core.model;

import dev.sro.api.resource.SpecialResource;

/** Where the operands of a special resource are. Stateless. */
public final class Operands {

    private Operands() {}

    /** Their namespace: the name of the special resource where it names none. */
    public static String namespace(SpecialResource resource) {
        String name = String.valueOf(resource.getMetadata().getName());
        return resource.getSpec() == null || resource.getSpec().getNamespace().isEmpty()
                ? name
                : resource.getSpec().getNamespace();
    }
}
