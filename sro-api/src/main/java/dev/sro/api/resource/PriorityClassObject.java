package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A PriorityClass as a whole, as special resources of SRO v1 have it.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class PriorityClassObject extends ResourceValue {
    @JsonPropertyDescription("scheduling.k8s.io/v1.")
    private @Nullable String apiVersion;

    @JsonPropertyDescription("PriorityClass.")
    private @Nullable String kind;

    @JsonPropertyDescription("Of which the name is read.")
    private @Nullable LocalReference metadata;

    @JsonPropertyDescription("Priority of the pods, from -1000000000 to 1000000000; higher comes first.")
    @Min(-1_000_000_000) @Max(1_000_000_000) private @Nullable Integer value;

    @JsonPropertyDescription("PreemptLowerPriority (the default), or Never.")
    @Pattern("^(PreemptLowerPriority|Never)$") private @Nullable String preemptionPolicy;

    @JsonPropertyDescription("For people: when to use it.")
    private @Nullable String description;

    @JsonPropertyDescription("Must not be true: it would be for all pods of the cluster, with or without the device.")
    private @Nullable Boolean globalDefault;

    /** Creates an object with no field set. */
    public PriorityClassObject() {}

    /** Returns the version; empty when absent. */
    public String getApiVersion() {
        return orEmpty(apiVersion);
    }

    /** Sets it; null removes it. */
    public void setApiVersion(@Nullable String apiVersion) {
        this.apiVersion = apiVersion;
    }

    /** Returns the kind; empty when absent. */
    public String getKind() {
        return orEmpty(kind);
    }

    /** Sets it; null removes it. */
    public void setKind(@Nullable String kind) {
        this.kind = kind;
    }

    /** Returns the metadata; null when absent. */
    public @Nullable LocalReference getMetadata() {
        return metadata;
    }

    /** Sets it; null removes it. */
    public void setMetadata(@Nullable LocalReference metadata) {
        this.metadata = metadata;
    }

    /** Returns the priority; null when absent. */
    public @Nullable Integer getValue() {
        return value;
    }

    /** Sets it; null removes it. */
    public void setValue(@Nullable Integer value) {
        this.value = value;
    }

    /** Returns one of PreemptLowerPriority and Never, where absent means the first; null when absent. */
    public @Nullable String getPreemptionPolicy() {
        return preemptionPolicy;
    }

    /** Sets it; null removes it. */
    public void setPreemptionPolicy(@Nullable String preemptionPolicy) {
        this.preemptionPolicy = preemptionPolicy;
    }

    /** Returns when to use it; empty when absent. */
    public String getDescription() {
        return orEmpty(description);
    }

    /** Sets it; null removes it. */
    public void setDescription(@Nullable String description) {
        this.description = description;
    }

    /** Returns whether it is for all pods of the cluster, which is refused; null when absent. */
    public @Nullable Boolean getGlobalDefault() {
        return globalDefault;
    }

    /** Sets it; null removes it. */
    public void setGlobalDefault(@Nullable Boolean globalDefault) {
        this.globalDefault = globalDefault;
    }
}
