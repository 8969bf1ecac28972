package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * Where the sources of a driver container are.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class DriverSource extends ResourceValue {
    @JsonPropertyDescription("Git repository with the sources.")
    private @Nullable GitSource git;

    /** Creates an object with no field set. */
    public DriverSource() {}

    /** Returns the Git repository with the sources; null when absent. */
    public @Nullable GitSource getGit() {
        return git;
    }

    /** Sets it; null removes it. */
    public void setGit(@Nullable GitSource git) {
        this.git = git;
    }
}
