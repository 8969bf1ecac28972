package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The form of an outcome in a status.
 *
 * @since 0.1.0
 */
public enum OutcomeKind {
    /** Done and proved. */
    @JsonProperty("Ready")
    READY,
    /** Under way, which is normal. */
    @JsonProperty("Waiting")
    WAITING,
    /** Somebody has to act. */
    @JsonProperty("Failed")
    FAILED
}
