package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * A taint that all pods of a special resource tolerate, as in the spec of a pod.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class PartitionToleration extends ResourceValue {
    @JsonPropertyDescription("Key of the taint; empty for all, with operator Exists.")
    @Size(max = 317) private @Nullable String key;

    @JsonPropertyDescription("Exists, or Equal (the default).")
    @Pattern("^(Exists|Equal)$") private @Nullable String operator;

    @JsonPropertyDescription("Value of the taint, with operator Equal.")
    @Pattern("^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$") @Size(max = 63) private @Nullable String value;

    @JsonPropertyDescription("Effect of the taint; empty for all.")
    @Pattern("^(NoSchedule|PreferNoSchedule|NoExecute)?$") private @Nullable String effect;

    /** Creates an object with no field set. */
    public PartitionToleration() {}

    /** Returns the key; empty when absent. */
    public String getKey() {
        return orEmpty(key);
    }

    /** Sets it; null removes it. */
    public void setKey(@Nullable String key) {
        this.key = key;
    }

    /** Returns the operator, where absent means Equal; null when absent. */
    public @Nullable String getOperator() {
        return operator;
    }

    /** Sets it; null removes it. */
    public void setOperator(@Nullable String operator) {
        this.operator = operator;
    }

    /** Returns the value; empty when absent. */
    public String getValue() {
        return orEmpty(value);
    }

    /** Sets it; null removes it. */
    public void setValue(@Nullable String value) {
        this.value = value;
    }

    /** Returns the effect; empty when absent. */
    public String getEffect() {
        return orEmpty(effect);
    }

    /** Sets it; null removes it. */
    public void setEffect(@Nullable String effect) {
        this.effect = effect;
    }
}
