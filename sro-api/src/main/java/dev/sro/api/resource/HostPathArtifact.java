package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * A directory on the node that holds driver artifacts.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class HostPathArtifact extends ResourceValue {
    @JsonPropertyDescription("Path on the node.")
    @Required
    private @Nullable String sourcePath;

    @JsonPropertyDescription("Directory in the driver container.")
    @Required
    private @Nullable String destinationDir;

    /** Creates an object with no field set. */
    public HostPathArtifact() {}

    /** Returns the path on the node; empty when absent. */
    public String getSourcePath() {
        return orEmpty(sourcePath);
    }

    /** Sets it; null removes it. */
    public void setSourcePath(@Nullable String sourcePath) {
        this.sourcePath = sourcePath;
    }

    /** Returns the directory in the driver container; empty when absent. */
    public String getDestinationDir() {
        return orEmpty(destinationDir);
    }

    /** Sets it; null removes it. */
    public void setDestinationDir(@Nullable String destinationDir) {
        this.destinationDir = destinationDir;
    }
}
