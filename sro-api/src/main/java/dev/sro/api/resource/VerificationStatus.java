package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A verdict of a preflight, as it is written in a status.
 *
 * @since 0.1.0
 */
public enum VerificationStatus {
    /** Ready for the kernel to come. */
    @JsonProperty("True")
    TRUE,
    /** Not ready for it. */
    @JsonProperty("False")
    FALSE,
    /** It could not be checked. */
    @JsonProperty("Error")
    ERROR,
    /** It is not checked yet. */
    @JsonProperty("Unknown")
    UNKNOWN
}
