package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import org.jspecify.annotations.Nullable;

/**
 * Whether and how all pods of a node have to go.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class UpgradeDrain extends ResourceValue {
    @JsonPropertyDescription("Whether the node is drained.")
    private @Nullable Boolean enable;

    @JsonPropertyDescription("Whether pods go that no controller makes anew.")
    private @Nullable Boolean force;

    @JsonPropertyDescription("Label selector of the pods that go; empty is all.")
    private @Nullable String podSelector;

    @JsonPropertyDescription("How long they may take; absent: 300.")
    @Min(1) private @Nullable Integer timeoutSeconds;

    @JsonPropertyDescription("Whether pods go that have data in an emptyDir, which is lost.")
    private @Nullable Boolean deleteEmptyDir;

    /** Creates an object with no field set. */
    public UpgradeDrain() {}

    /** Returns whether the node is drained; null when absent. */
    public @Nullable Boolean getEnable() {
        return enable;
    }

    /** Sets it; null removes it. */
    public void setEnable(@Nullable Boolean enable) {
        this.enable = enable;
    }

    /** Returns whether pods go that no controller makes anew; null when absent. */
    public @Nullable Boolean getForce() {
        return force;
    }

    /** Sets it; null removes it. */
    public void setForce(@Nullable Boolean force) {
        this.force = force;
    }

    /** Returns the label selector of the pods that go; null when absent. */
    public @Nullable String getPodSelector() {
        return podSelector;
    }

    /** Sets it; null removes it. */
    public void setPodSelector(@Nullable String podSelector) {
        this.podSelector = podSelector;
    }

    /** Returns how long they may take; null when absent. */
    public @Nullable Integer getTimeoutSeconds() {
        return timeoutSeconds;
    }

    /** Sets it; null removes it. */
    public void setTimeoutSeconds(@Nullable Integer timeoutSeconds) {
        this.timeoutSeconds = timeoutSeconds;
    }

    /** Returns whether pods go that have data in an emptyDir; null when absent. */
    public @Nullable Boolean getDeleteEmptyDir() {
        return deleteEmptyDir;
    }

    /** Sets it; null removes it. */
    public void setDeleteEmptyDir(@Nullable Boolean deleteEmptyDir) {
        this.deleteEmptyDir = deleteEmptyDir;
    }
}
