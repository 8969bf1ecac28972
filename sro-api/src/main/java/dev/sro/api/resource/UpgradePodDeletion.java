package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import org.jspecify.annotations.Nullable;

/**
 * Deletion of pods that use the device.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class UpgradePodDeletion extends ResourceValue {
    @JsonPropertyDescription("Whether pods go that no controller makes anew.")
    private @Nullable Boolean force;

    @JsonPropertyDescription("How long they may take; absent: 300.")
    @Min(1) private @Nullable Integer timeoutSeconds;

    @JsonPropertyDescription("Whether pods go that have data in an emptyDir, which is lost.")
    private @Nullable Boolean deleteEmptyDir;

    /** Creates an object with no field set. */
    public UpgradePodDeletion() {}

    /** Returns whether pods go that no controller makes anew; null when absent. */
    public @Nullable Boolean getForce() {
        return force;
    }

    /** Sets it; null removes it. */
    public void setForce(@Nullable Boolean force) {
        this.force = force;
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
