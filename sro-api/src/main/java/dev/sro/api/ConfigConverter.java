package dev.sro.api;

import java.util.Map;

/**
 * Optional for a plugin: brings settings that were written for an earlier version of the plugin to the present form.
 * Called before everything else; {@link RecipeContext#config()} then returns the result. The special resource in the
 * cluster is not changed.
 *
 * @since 0.1.0
 */
public interface ConfigConverter {

    /**
     * Converts settings.
     *
     * @param config {@code spec.plugin.config} as written, over the defaults of the descriptor; unmodifiable
     * @return the settings in the present form; the same map when there is nothing to convert
     * @throws InvalidRecipeException when they cannot be converted; the message is shown to the user
     */
    Map<String, Object> convertConfig(Map<String, Object> config);
}
