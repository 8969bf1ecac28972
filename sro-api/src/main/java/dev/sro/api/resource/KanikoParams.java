package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * The builder of a build in a Job.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class KanikoParams extends ResourceValue {
    @JsonPropertyDescription("Tag of the image of the builder.")
    private @Nullable String tag;

    /** Creates an object with no field set. */
    public KanikoParams() {}

    /** Returns the tag of the image of the builder; empty when absent. */
    public String getTag() {
        return orEmpty(tag);
    }

    /** Sets it; null removes it. */
    public void setTag(@Nullable String tag) {
        this.tag = tag;
    }
}
