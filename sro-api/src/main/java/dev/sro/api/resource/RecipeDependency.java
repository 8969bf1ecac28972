package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * Another recipe that a recipe of SRO v1 builds upon.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class RecipeDependency extends ResourceValue {
    @JsonPropertyDescription("Name of the special resource.")
    private @Nullable String name;

    @JsonPropertyDescription("Whether images refer to it; never read.")
    private @Nullable String imageReference;

    /** Creates an object with no field set. */
    public RecipeDependency() {}

    /** Returns the name of the special resource; empty when absent. */
    public String getName() {
        return orEmpty(name);
    }

    /** Sets it; null removes it. */
    public void setName(@Nullable String name) {
        this.name = name;
    }

    /** Returns whether images refer to it, which nothing reads; empty when absent. */
    public String getImageReference() {
        return orEmpty(imageReference);
    }

    /** Sets it; null removes it. */
    public void setImageReference(@Nullable String imageReference) {
        this.imageReference = imageReference;
    }
}
