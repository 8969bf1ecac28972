package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * Where numbered manifests with Go templates are, the recipes of SRO v1. At most one of the two is set.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class RecipeSource extends ResourceValue {
    @JsonPropertyDescription("ConfigMap whose keys are the states: 0000-driver.yaml.")
    private @Nullable RecipeConfigMap configMap;

    @JsonPropertyDescription(
            "Directory in the operator's file system with the same files: file:///opt/sro/recipes/simple-kmod.")
    private @Nullable String directory;

    /** Creates an object with no field set. */
    public RecipeSource() {}

    /** Returns the ConfigMap; null when absent. */
    public @Nullable RecipeConfigMap getConfigMap() {
        return configMap;
    }

    /** Sets it; null removes it. */
    public void setConfigMap(@Nullable RecipeConfigMap configMap) {
        this.configMap = configMap;
    }

    /** Returns the address of a directory; empty when absent. */
    public String getDirectory() {
        return orEmpty(directory);
    }

    /** Sets it; null removes it. */
    public void setDirectory(@Nullable String directory) {
        this.directory = directory;
    }
}
