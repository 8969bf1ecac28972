package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The SRO plugin that is the recipe of a special resource.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class PluginReference extends ResourceValue {
    @JsonPropertyDescription("Name of the plugin, a DNS label, for example simple-kmod.")
    @Required
    @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$") @Size(min = 1, max = 63) private @Nullable String name;

    @JsonPropertyDescription("Settings of the plugin; their meaning is the plugin's own.")
    @PreserveUnknownFields
    private @Nullable Map<String, Object> config;

    /** Creates an object with no field set. */
    public PluginReference() {}

    /** Returns the name of the plugin; empty when absent. */
    public String getName() {
        return orEmpty(name);
    }

    /** Sets it; null removes it. */
    public void setName(@Nullable String name) {
        this.name = name;
    }

    /** Returns the settings of the plugin; empty when absent. */
    public Map<String, Object> getConfig() {
        return orEmpty(config);
    }

    /** Sets it; null removes it. */
    public void setConfig(@Nullable Map<String, Object> config) {
        this.config = config;
    }
}
