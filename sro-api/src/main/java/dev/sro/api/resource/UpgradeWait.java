package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import org.jspecify.annotations.Nullable;

/**
 * Pods that are waited for before anything is done to a node.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class UpgradeWait extends ResourceValue {
    @JsonPropertyDescription("Label selector of the pods, as for kubectl; empty waits for none.")
    private @Nullable String podSelector;

    @JsonPropertyDescription("How long to wait; 0 is for ever.")
    @Min(0) private @Nullable Integer timeoutSeconds;

    /** Creates an object with no field set. */
    public UpgradeWait() {}

    /** Returns the label selector of the pods; null when absent. */
    public @Nullable String getPodSelector() {
        return podSelector;
    }

    /** Sets it; null removes it. */
    public void setPodSelector(@Nullable String podSelector) {
        this.podSelector = podSelector;
    }

    /** Returns how long to wait, 0 for ever; null when absent. */
    public @Nullable Integer getTimeoutSeconds() {
        return timeoutSeconds;
    }

    /** Sets it; null removes it. */
    public void setTimeoutSeconds(@Nullable Integer timeoutSeconds) {
        this.timeoutSeconds = timeoutSeconds;
    }
}
