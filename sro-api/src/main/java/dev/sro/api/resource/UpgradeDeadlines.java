package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import org.jspecify.annotations.Nullable;

/**
 * Time limits of the steps of a node, after which the node counts as failed.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class UpgradeDeadlines extends ResourceValue {
    @JsonPropertyDescription("From the deletion of the old driver pod until the new one is ready; absent: 1800.")
    @Min(1) private @Nullable Integer restartSeconds;

    @JsonPropertyDescription("Until the states that validate are ready on the node; absent: 600.")
    @Min(1) private @Nullable Integer validationSeconds;

    @JsonPropertyDescription("Until a node that is booted anew is back; absent: 1800.")
    @Min(1) private @Nullable Integer rebootSeconds;

    @JsonPropertyDescription("Until devices that need a reset had it, once it was ordered; absent: 1800.")
    @Min(1) private @Nullable Integer resetSeconds;

    @JsonPropertyDescription("Until the other operator has done its part; absent: 3600.")
    @Min(1) private @Nullable Integer maintenanceSeconds;

    @JsonPropertyDescription("Altogether, from when jobs have been waited for; absent: 7200.")
    @Min(1) private @Nullable Integer attemptSeconds;

    /** Creates an object with no field set. */
    public UpgradeDeadlines() {}

    /** Returns how long the new driver pod may take; null when absent. */
    public @Nullable Integer getRestartSeconds() {
        return restartSeconds;
    }

    /** Sets it; null removes it. */
    public void setRestartSeconds(@Nullable Integer restartSeconds) {
        this.restartSeconds = restartSeconds;
    }

    /** Returns how long validation may take; null when absent. */
    public @Nullable Integer getValidationSeconds() {
        return validationSeconds;
    }

    /** Sets it; null removes it. */
    public void setValidationSeconds(@Nullable Integer validationSeconds) {
        this.validationSeconds = validationSeconds;
    }

    /** Returns how long a boot may take; null when absent. */
    public @Nullable Integer getRebootSeconds() {
        return rebootSeconds;
    }

    /** Sets it; null removes it. */
    public void setRebootSeconds(@Nullable Integer rebootSeconds) {
        this.rebootSeconds = rebootSeconds;
    }

    /**
     * Returns how long the reset of a node's devices may take; null when absent.
     *
     * @since 0.1.0
     */
    public @Nullable Integer getResetSeconds() {
        return resetSeconds;
    }

    /**
     * Sets it; null removes it.
     *
     * @since 0.1.0
     */
    public void setResetSeconds(@Nullable Integer resetSeconds) {
        this.resetSeconds = resetSeconds;
    }

    /** Returns how long the other operator may take; null when absent. */
    public @Nullable Integer getMaintenanceSeconds() {
        return maintenanceSeconds;
    }

    /** Sets it; null removes it. */
    public void setMaintenanceSeconds(@Nullable Integer maintenanceSeconds) {
        this.maintenanceSeconds = maintenanceSeconds;
    }

    /** Returns how long all of it may take; null when absent. */
    public @Nullable Integer getAttemptSeconds() {
        return attemptSeconds;
    }

    /** Sets it; null removes it. */
    public void setAttemptSeconds(@Nullable Integer attemptSeconds) {
        this.attemptSeconds = attemptSeconds;
    }
}
