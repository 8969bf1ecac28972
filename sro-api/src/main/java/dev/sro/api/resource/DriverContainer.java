package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sources of a driver container. The engine does not read it; recipes do.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class DriverContainer extends ResourceValue {
    @JsonPropertyDescription("Where the driver sources are.")
    private @Nullable DriverSource source;

    @JsonPropertyDescription("Files that the driver container takes from elsewhere.")
    private @Nullable DriverArtifacts artifacts;

    @JsonPropertyDescription("Arguments with which a recipe of SRO v1 builds the driver.")
    private @Nullable List<NamedValue> buildArgs;

    @JsonPropertyDescription("Arguments with which a recipe of SRO v1 runs the driver.")
    private @Nullable List<NamedValue> runArgs;

    /** Creates an object with no field set. */
    public DriverContainer() {}

    /** Returns where the driver sources are; null when absent. */
    public @Nullable DriverSource getSource() {
        return source;
    }

    /** Sets it; null removes it. */
    public void setSource(@Nullable DriverSource source) {
        this.source = source;
    }

    /** Returns the files that the driver container takes from elsewhere; null when absent. */
    public @Nullable DriverArtifacts getArtifacts() {
        return artifacts;
    }

    /** Sets it; null removes it. */
    public void setArtifacts(@Nullable DriverArtifacts artifacts) {
        this.artifacts = artifacts;
    }

    /** Returns arguments with which a recipe of SRO v1 builds the driver; empty when absent. */
    public List<NamedValue> getBuildArgs() {
        return orEmpty(buildArgs);
    }

    /** Sets it; null removes it. */
    public void setBuildArgs(@Nullable List<NamedValue> buildArgs) {
        this.buildArgs = buildArgs;
    }

    /** Returns arguments with which a recipe of SRO v1 runs the driver; empty when absent. */
    public List<NamedValue> getRunArgs() {
        return orEmpty(runArgs);
    }

    /** Sets it; null removes it. */
    public void setRunArgs(@Nullable List<NamedValue> runArgs) {
        this.runArgs = runArgs;
    }
}
