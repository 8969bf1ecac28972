package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Files that a driver container takes from elsewhere.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class DriverArtifacts extends ResourceValue {
    @JsonPropertyDescription("Directories on the node.")
    private @Nullable List<HostPathArtifact> hostPaths;

    @JsonPropertyDescription("Images.")
    private @Nullable List<ImageArtifact> images;

    @JsonPropertyDescription("Persistent volume claims.")
    private @Nullable List<ClaimArtifact> claims;

    /** Creates an object with no field set. */
    public DriverArtifacts() {}

    /** Returns the directories on the node; empty when absent. */
    public List<HostPathArtifact> getHostPaths() {
        return orEmpty(hostPaths);
    }

    /** Sets it; null removes it. */
    public void setHostPaths(@Nullable List<HostPathArtifact> hostPaths) {
        this.hostPaths = hostPaths;
    }

    /** Returns the images; empty when absent. */
    public List<ImageArtifact> getImages() {
        return orEmpty(images);
    }

    /** Sets it; null removes it. */
    public void setImages(@Nullable List<ImageArtifact> images) {
        this.images = images;
    }

    /** Returns the persistent volume claims; empty when absent. */
    public List<ClaimArtifact> getClaims() {
        return orEmpty(claims);
    }

    /** Sets it; null removes it. */
    public void setClaims(@Nullable List<ClaimArtifact> claims) {
        this.claims = claims;
    }
}
