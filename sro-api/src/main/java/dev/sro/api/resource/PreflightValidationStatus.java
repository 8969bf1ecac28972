package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a preflight.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class PreflightValidationStatus extends ResourceValue {
    @JsonPropertyDescription("Generation of the preflight that this status is about.")
    private @Nullable Long observedGeneration;

    @JsonPropertyDescription("Verified: True when every special resource is.")
    private @Nullable List<Condition> conditions;

    @JsonPropertyDescription("The kernels to come, one for each architecture of the nodes.")
    private @Nullable List<PreflightTargetStatus> targets;

    @JsonPropertyDescription("The verdict on each special resource.")
    private @Nullable List<SpecialResourcePreflight> srStatuses;

    /** Creates an object with no field set. */
    public PreflightValidationStatus() {}

    /** Returns the generation of the preflight that this status is about; null when absent. */
    public @Nullable Long getObservedGeneration() {
        return observedGeneration;
    }

    /** Sets it; null removes it. */
    public void setObservedGeneration(@Nullable Long observedGeneration) {
        this.observedGeneration = observedGeneration;
    }

    /** Returns the conditions; empty when absent. */
    public List<Condition> getConditions() {
        return orEmpty(conditions);
    }

    /** Sets it; null removes it. */
    public void setConditions(@Nullable List<Condition> conditions) {
        this.conditions = conditions;
    }

    /** Returns the kernels to come; empty when absent. */
    public List<PreflightTargetStatus> getTargets() {
        return orEmpty(targets);
    }

    /** Sets it; null removes it. */
    public void setTargets(@Nullable List<PreflightTargetStatus> targets) {
        this.targets = targets;
    }

    /** Returns the verdict on each special resource; empty when absent. */
    public List<SpecialResourcePreflight> getSrStatuses() {
        return orEmpty(srStatuses);
    }

    /** Sets it; null removes it. */
    public void setSrStatuses(@Nullable List<SpecialResourcePreflight> srStatuses) {
        this.srStatuses = srStatuses;
    }
}
