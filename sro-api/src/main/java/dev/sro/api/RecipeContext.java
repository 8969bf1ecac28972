package dev.sro.api;

import dev.sro.api.resource.PluginReference;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The facts that a plugin may look at when it is asked for its states. Immutable, as far as the special resource is left alone.
 *
 * @param specialResource what the user wrote; to be treated as immutable
 * @param cluster what the cluster is and serves
 * @param config the plugin's settings: {@code spec.plugin.config} over the defaults of the descriptor, converted by the
 *     plugin's {@link ConfigConverter}; unmodifiable
 * @since 0.1.0
 */
public record RecipeContext(SpecialResource specialResource, ClusterFacts cluster, Map<String, Object> config) {

    /** Copies the settings; their values may be null. */
    public RecipeContext {
        Objects.requireNonNull(specialResource, "specialResource");
        Objects.requireNonNull(cluster, "cluster");
        config = Collections.unmodifiableMap(new LinkedHashMap<>(config));
    }

    /** With the settings as the user wrote them. */
    public RecipeContext(SpecialResource specialResource, ClusterFacts cluster) {
        this(specialResource, cluster, written(specialResource));
    }

    private static Map<String, Object> written(SpecialResource specialResource) {
        return Optional.ofNullable(specialResource.getSpec())
                .map(SpecialResourceSpec::getPlugin)
                .map(PluginReference::getConfig)
                .orElse(Map.of());
    }

    /** Name of the special resource. */
    public String name() {
        return String.valueOf(specialResource.getMetadata().getName());
    }

    /** {@code spec} of the special resource; an empty one when it is absent. */
    public SpecialResourceSpec spec() {
        SpecialResourceSpec spec = specialResource.getSpec();
        return spec == null ? new SpecialResourceSpec() : spec;
    }

    /** {@code spec.set} of the special resource; empty when absent. To be treated as immutable. */
    public Map<String, Object> set() {
        return spec().getSet();
    }

    /**
     * The same with the plugin's defaults where the settings say nothing, key by key: as SRO hands it to the plugin, and as a unit test
     * has to.
     */
    public RecipeContext withDefaults(PluginDescriptor plugin) {
        Map<String, Object> merged = new LinkedHashMap<>();
        plugin.settings().forEach(setting -> merged.put(setting.name(), setting.otherwise()));
        merged.putAll(plugin.defaultConfig());
        merged.putAll(config);
        return withConfig(merged);
    }

    /** The same with other settings. */
    public RecipeContext withConfig(Map<String, Object> other) {
        return new RecipeContext(specialResource, cluster, other);
    }
}
