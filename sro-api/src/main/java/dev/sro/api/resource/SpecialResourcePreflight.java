package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The verdict of a preflight on one special resource.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class SpecialResourcePreflight extends ResourceValue {
    /** Most images that a verdict lists. */
    public static final int MAX_EVIDENCE = 8;

    @JsonPropertyDescription("Name of the special resource.")
    @Required
    private @Nullable String name;

    @JsonPropertyDescription(
            "True: ready for the kernel to come; False: not; Error: could not be checked; Unknown: not checked yet.")
    @Required
    private @Nullable VerificationStatus verificationStatus;

    @JsonPropertyDescription(
            "Why, for programs: CouldBeBuilt where the image of the driver does not exist yet and SRO can build it;"
                    + " where it cannot be had, the code of the problem that special resources have then.")
    private @Nullable String reason;

    @JsonPropertyDescription("Why, for people.")
    private @Nullable String statusReason;

    @JsonPropertyDescription("RFC 3339 time of the last change of the verdict.")
    @Required
    private @Nullable String lastTransitionTime;

    @JsonPropertyDescription("Generation of the special resource that the verdict is about.")
    private @Nullable Long observedGeneration;

    @JsonPropertyDescription("What the verdict rests on, at most 8 images.")
    @Size(max = MAX_EVIDENCE) private @Nullable List<PreflightEvidence> evidence;

    /** Creates an object with no field set. */
    public SpecialResourcePreflight() {}

    /** Returns the name of the special resource; empty when absent. */
    public String getName() {
        return orEmpty(name);
    }

    /** Sets it; null removes it. */
    public void setName(@Nullable String name) {
        this.name = name;
    }

    /** Returns the verdict; null when absent. */
    public @Nullable VerificationStatus getVerificationStatus() {
        return verificationStatus;
    }

    /** Sets it; null removes it. */
    public void setVerificationStatus(@Nullable VerificationStatus verificationStatus) {
        this.verificationStatus = verificationStatus;
    }

    /** Returns why, for programs; empty when absent. */
    public String getReason() {
        return orEmpty(reason);
    }

    /** Sets it; null removes it. */
    public void setReason(@Nullable String reason) {
        this.reason = reason;
    }

    /** Returns why, for people; empty when absent. */
    public String getStatusReason() {
        return orEmpty(statusReason);
    }

    /** Sets it; null removes it. */
    public void setStatusReason(@Nullable String statusReason) {
        this.statusReason = statusReason;
    }

    /** Returns the RFC 3339 time of the last change of the verdict; empty when absent. */
    public String getLastTransitionTime() {
        return orEmpty(lastTransitionTime);
    }

    /** Sets it; null removes it. */
    public void setLastTransitionTime(@Nullable String lastTransitionTime) {
        this.lastTransitionTime = lastTransitionTime;
    }

    /** Returns the generation of the special resource that the verdict is about; null when absent. */
    public @Nullable Long getObservedGeneration() {
        return observedGeneration;
    }

    /** Sets it; null removes it. */
    public void setObservedGeneration(@Nullable Long observedGeneration) {
        this.observedGeneration = observedGeneration;
    }

    /** Returns what the verdict rests on; empty when absent. */
    public List<PreflightEvidence> getEvidence() {
        return orEmpty(evidence);
    }

    /** Sets it; null removes it. */
    public void setEvidence(@Nullable List<PreflightEvidence> evidence) {
        this.evidence = evidence;
    }
}
