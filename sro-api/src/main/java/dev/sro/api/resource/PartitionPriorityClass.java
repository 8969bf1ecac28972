package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * A priority class of a special resource.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class PartitionPriorityClass extends ResourceValue {
    @JsonPropertyDescription("Name of the PriorityClass.")
    @Required
    @Size(min = 1, max = 253) private @Nullable String name;

    @JsonPropertyDescription("Priority of the pods, from -1000000000 to 1000000000; higher comes first.")
    @Required
    @Min(-1_000_000_000) @Max(1_000_000_000) private @Nullable Integer value;

    @JsonPropertyDescription("PreemptLowerPriority (the default), or Never.")
    @Pattern("^(PreemptLowerPriority|Never)$") private @Nullable String preemptionPolicy;

    @JsonPropertyDescription("For people: when to use it.")
    private @Nullable String description;

    @JsonPropertyDescription("Must not be true: it would be for all pods of the cluster, with or without the device.")
    private @Nullable Boolean globalDefault;

    /** Creates an object with no field set. */
    public PartitionPriorityClass() {}

    /** Returns the name; empty when absent. */
    public String getName() {
        return orEmpty(name);
    }

    /** Sets it; null removes it. */
    public void setName(@Nullable String name) {
        this.name = name;
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
