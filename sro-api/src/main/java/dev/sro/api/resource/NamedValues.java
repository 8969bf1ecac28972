package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A name with values, as recipes of SRO v1 read them: an entry of {@code spec.configuration}.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class NamedValues extends ResourceValue {
    @JsonPropertyDescription("Name of the setting.")
    private @Nullable String name;

    @JsonPropertyDescription("Values of the setting.")
    private @Nullable List<String> value;

    /** Creates an object with no field set. */
    public NamedValues() {}

    /** Returns the name; empty when absent. */
    public String getName() {
        return orEmpty(name);
    }

    /** Sets it; null removes it. */
    public void setName(@Nullable String name) {
        this.name = name;
    }

    /** Returns the values; empty when absent. */
    public List<String> getValue() {
        return orEmpty(value);
    }

    /** Sets it; null removes it. */
    public void setValue(@Nullable List<String> value) {
        this.value = value;
    }
}
