package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * A selector among the watched objects.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class ModuleSelector extends ResourceValue {
    @JsonPropertyDescription("JSONPath, as kubectl has it, of a value in the object.")
    @Required
    private @Nullable String path;

    @JsonPropertyDescription("What the value must be.")
    @Required
    private @Nullable String value;

    @JsonPropertyDescription("Whether the object must not have the value.")
    private @Nullable Boolean exclude;

    /** Creates an object with no field set. */
    public ModuleSelector() {}

    /** Returns the JSONPath of a value in the object; empty when absent. */
    public String getPath() {
        return orEmpty(path);
    }

    /** Sets it; null removes it. */
    public void setPath(@Nullable String path) {
        this.path = path;
    }

    /** Returns what the value must be; empty when absent. */
    public String getValue() {
        return orEmpty(value);
    }

    /** Sets it; null removes it. */
    public void setValue(@Nullable String value) {
        this.value = value;
    }

    /** Returns whether the object must not have the value; null when absent. */
    public @Nullable Boolean getExclude() {
        return exclude;
    }

    /** Sets it; null removes it. */
    public void setExclude(@Nullable Boolean exclude) {
        this.exclude = exclude;
    }
}
