package dev.sro.core.image;

import dev.sro.core.recipe.source.Registries;

/** From where an image may be read: the registry itself or a mirror. */
record Place(ImageReference reference, Registries.Address address) {
    /** Whether it is asked without encryption, as the place before is asked with it. */
    boolean isPlain() {
        return address.security() == Registries.Security.PLAIN;
    }

    @Override
    public String toString() {
        return reference.repository();
    }
}
