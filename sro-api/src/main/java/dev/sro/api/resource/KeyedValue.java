package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * A key with a value, as recipes of SRO v1 read them: an entry of {@code spec.environment}.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class KeyedValue extends ResourceValue {
    @JsonPropertyDescription("Name of the variable.")
    private @Nullable String key;

    @JsonPropertyDescription("Value of the variable.")
    private @Nullable String value;

    /** Creates an object with no field set. */
    public KeyedValue() {}

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
}
