package dev.sro.core.recipe.gotemplate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function that templates call. Called on the thread that renders, by many at once if many render; keeps to what its
 * arguments are and to bounded work, as templates come from strangers.
 */
@FunctionalInterface
public interface TemplateFunction {
    /**
     * @param arguments a piped one last: null, Boolean, String, Long, Double, List, Map, or what another function gave
     * @return data as {@link TemplateRenderer} takes it
     * @throws RuntimeException with a message for the template's author; it ends the rendering
     */
    @Nullable Object call(List<@Nullable Object> arguments);
}
