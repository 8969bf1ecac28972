package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * A persistent volume claim that holds driver artifacts.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class ClaimArtifact extends ResourceValue {
    @JsonPropertyDescription("Name of the claim.")
    @Required
    private @Nullable String name;

    @JsonPropertyDescription("Path in the driver container where the claim is mounted.")
    @Required
    private @Nullable String mountPath;

    /** Creates an object with no field set. */
    public ClaimArtifact() {}

    /** Returns the name of the claim; empty when absent. */
    public String getName() {
        return orEmpty(name);
    }

    /** Sets it; null removes it. */
    public void setName(@Nullable String name) {
        this.name = name;
    }

    /** Returns the path in the driver container where the claim is mounted; empty when absent. */
    public String getMountPath() {
        return orEmpty(mountPath);
    }

    /** Sets it; null removes it. */
    public void setMountPath(@Nullable String mountPath) {
        this.mountPath = mountPath;
    }
}
