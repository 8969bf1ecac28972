package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * A name with a value, as recipes of SRO v1 read them: an argument of a build.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class NamedValue extends ResourceValue {
    @JsonPropertyDescription("Name of the argument.")
    private @Nullable String name;

    @JsonPropertyDescription("Value; may have templates as the recipe does.")
    private @Nullable String value;

    /** Creates an object with no field set. */
    public NamedValue() {}

    /** Returns the name; empty when absent. */
    public String getName() {
        return orEmpty(name);
    }

    /** Sets it; null removes it. */
    public void setName(@Nullable String name) {
        this.name = name;
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
