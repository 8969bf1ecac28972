package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * A taint on the nodes of a special resource.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class PartitionTaint extends ResourceValue {
    @JsonPropertyDescription("Key of the taint. Where it is the name of the extended resource, the API server's plugin"
            + " ExtendedResourceToleration knows it.")
    @Required
    @Size(min = 1, max = 317) private @Nullable String key;

    @JsonPropertyDescription("Value of the taint; empty when absent.")
    @Pattern("^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$") @Size(max = 63) private @Nullable String value;

    @JsonPropertyDescription(
            "NoSchedule (the default), PreferNoSchedule, or NoExecute, which is put on a node only when the special"
                    + " resource is ready there.")
    @Pattern("^(NoSchedule|PreferNoSchedule|NoExecute)$") private @Nullable String effect;

    /** Creates an object with no field set. */
    public PartitionTaint() {}

    /** Returns the key; empty when absent. */
    public String getKey() {
        return orEmpty(key);
    }

    /** Sets it; null removes it. */
    public void setKey(@Nullable String key) {
        this.key = key;
    }

    /** Returns the value; empty when absent. */
    public String getValue() {
        return orEmpty(value);
    }

    /** Sets it; null removes it. */
    public void setValue(@Nullable String value) {
        this.value = value;
    }

    /** Returns the effect, where absent means NoSchedule; null when absent. */
    public @Nullable String getEffect() {
        return effect;
    }

    /** Sets it; null removes it. */
    public void setEffect(@Nullable String effect) {
        this.effect = effect;
    }
}
