package dev.sro.core.recipe;

import dev.sro.api.ConfigValidator;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.StateGraph;
import dev.sro.api.resource.PluginReference;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.plugin.Plugins;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the recipe of a special resource. Keeps no state; thread-safe. */
public final class RecipeResolver {

    private final Plugins plugins;
    private final PluginGuard guard;

    /**
     * @param plugins where {@code spec.plugin.name} is looked up, anew for each resolution
     * @param guard every call into a plugin goes through it
     */
    public RecipeResolver(Plugins plugins, PluginGuard guard) {
        this.plugins = plugins;
        this.guard = guard;
    }

    /**
     * Either a recipe or the problems why there is none.
     *
     * @param recipe null exactly when there are problems
     * @param problems what is wrong
     */
    public record Resolution(@Nullable Recipe recipe, List<Problem> problems) {
        static Resolution problem(Problem problem) {
            return new Resolution(null, List.of(problem));
        }
    }

    /** The plugin object that would answer now: a changed one means that a kept recipe is out of date. */
    public Optional<Object> identity(RecipeContext context) {
        return reference(context.specialResource().getSpec())
                .flatMap(reference -> plugins.find(reference.getName()))
                .map(LoadedPlugin::plugin);
    }

    /** Resolves the recipe; calls the plugin. */
    public Resolution resolve(RecipeContext context) {
        SpecialResourceSpec spec = context.specialResource().getSpec();
        Optional<PluginReference> reference = reference(spec);
        if (reference.isEmpty()) {
            return Resolution.problem(
                    spec != null && spec.getChart() != null
                            ? Problem.user(
                                    "ChartsNotSupported",
                                    "spec.chart: this version runs plugins only; set spec.plugin.name to one of "
                                            + plugins.names())
                            : Problem.user(
                                    "NoRecipe",
                                    "spec: exactly one of spec.plugin and spec.chart is needed; set spec.plugin.name"
                                            + " to one of " + plugins.names()));
        }
        String name = reference.get().getName();
        Optional<LoadedPlugin> plugin = plugins.find(name);
        if (plugin.isEmpty()) {
            return Resolution.problem(new Problem(
                    "UnknownPlugin", "spec.plugin.name: " + plugins.describeUnknown(name), Problem.Owner.USER, true));
        }
        return ask(plugin.get(), context);
    }

    private Resolution ask(LoadedPlugin plugin, RecipeContext context) {
        try {
            if (plugin.plugin() instanceof ConfigValidator validator) {
                List<Problem> problems = guard.call(
                        plugin.name(),
                        plugin.classLoader(),
                        "validate",
                        () -> List.copyOf(validator.validate(context)));
                if (!problems.isEmpty()) {
                    return new Resolution(null, problems);
                }
            }
            StateGraph graph = guard.call(
                    plugin.name(),
                    plugin.classLoader(),
                    "states",
                    () -> plugin.plugin().states(context));
            return new Resolution(new Recipe(plugin, guard, context, graph), List.of());
        } catch (PluginFailure e) {
            return Resolution.problem(e.problem());
        }
    }

    private static Optional<PluginReference> reference(@Nullable SpecialResourceSpec spec) {
        return Optional.ofNullable(spec).map(SpecialResourceSpec::getPlugin);
    }
}
