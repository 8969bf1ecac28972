package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests and limits of a build, as in a container. Those that it does not name are as the operator is configured.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class BuildResources extends ResourceValue {
    @JsonPropertyDescription("What it may use at most, by resource: memory: 4Gi.")
    private @Nullable Map<String, String> limits;

    @JsonPropertyDescription("What it needs at least, by resource: cpu: 500m.")
    private @Nullable Map<String, String> requests;

    /** Creates an object with no field set. */
    public BuildResources() {}

    /** Returns what it may use at most, by resource; empty when absent. */
    public Map<String, String> getLimits() {
        return orEmpty(limits);
    }

    /** Sets it; null removes it. */
    public void setLimits(@Nullable Map<String, String> limits) {
        this.limits = limits;
    }

    /** Returns what it needs at least, by resource; empty when absent. */
    public Map<String, String> getRequests() {
        return orEmpty(requests);
    }

    /** Sets it; null removes it. */
    public void setRequests(@Nullable Map<String, String> requests) {
        this.requests = requests;
    }
}
