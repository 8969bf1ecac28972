package dev.sro.core.recipe;

import dev.sro.api.ClusterFacts;
import dev.sro.api.ConfigConverter;
import dev.sro.api.ConfigValidator;
import dev.sro.api.ConflictRule;
import dev.sro.api.LifecycleHook;
import dev.sro.api.ManifestHooks;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.StateGraph;
import dev.sro.api.operation.Scheduling;
import dev.sro.api.operation.SchedulingPolicy;
import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.PluginReference;
import dev.sro.api.resource.RecipeSource;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.core.model.Code;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.plugin.PluginRejection;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.source.ChartFetcher;
import dev.sro.core.recipe.source.Charts;
import dev.sro.core.recipe.source.SourceAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the recipe of a special resource. Keeps no state; thread-safe. */
public final class RecipeResolver {

    /** Between two looks at a directory of manifests: somebody who changes a file looks at what comes of it after about a minute. */
    private static final Duration DIRECTORY = Duration.ofMinutes(1);

    private static final Scheduling NO_POLICY = Scheduling.builder().build();

    private final Plugins plugins;
    private final PluginGuard guard;
    private final ChartRecipes charts;
    private final StateFileRecipes stateFiles;

    /**
     * For plugins only.
     *
     * @param plugins where {@code spec.plugin.name} is looked up, anew for each resolution
     * @param guard every call into a plugin goes through it
     */
    public RecipeResolver(Plugins plugins, PluginGuard guard) {
        this(plugins, guard, ChartRecipes.NONE, StateFileRecipes.NONE);
    }

    /**
     * For plugins, charts and numbered manifests.
     *
     * @param charts makes recipes of {@code spec.chart}
     * @param stateFiles makes recipes of {@code spec.recipe}, and of special resources that name none
     */
    public RecipeResolver(Plugins plugins, PluginGuard guard, ChartRecipes charts, StateFileRecipes stateFiles) {
        this.plugins = plugins;
        this.guard = guard;
        this.charts = charts;
        this.stateFiles = stateFiles;
    }

    /**
     * A recipe, or the problems why there is none, or what is waited for.
     *
     * @param recipe null when there are problems, or something is waited for
     * @param problems what is wrong
     * @param waiting what comes first
     */
    public record Resolution(@Nullable Recipe recipe, List<Problem> problems, Optional<String> waiting) {
        static Resolution problem(Problem problem) {
            return new Resolution(null, List.of(problem), Optional.empty());
        }

        static Resolution of(Recipe recipe) {
            return new Resolution(recipe, List.of(), Optional.empty());
        }

        static Resolution waiting(String what) {
            return new Resolution(null, List.of(), Optional.of(what));
        }
    }

    /** The plugins' hooks for all recipes, as they are now. */
    public PluginHooks sharedHooks() {
        return PluginHooks.shared(plugins, guard);
    }

    /**
     * The plugin or the chart that would answer now: a changed one means that a kept recipe is out of date.
     *
     * @param asker who is told when another one would, see {@link Charts#find}
     */
    public Optional<Object> identity(RecipeContext context, String asker) {
        List<Object> hookers = plugins.names().stream()
                .flatMap(name -> plugins.find(name).stream())
                .<Object>map(LoadedPlugin::plugin)
                .filter(ManifestHooks.class::isInstance)
                .toList();
        Optional<Object> own = ownIdentity(context, asker);
        return hookers.isEmpty() ? own : Optional.of(List.of(own, hookers));
    }

    private Optional<Object> ownIdentity(RecipeContext context, String asker) {
        SpecialResourceSpec spec = context.specialResource().getSpec();
        if (isChart(spec)) {
            return Optional.of(charts.find(context, asker));
        }
        if (reference(spec).isEmpty()) {
            return Optional.of(stateFiles.find(context));
        }
        return reference(context.specialResource().getSpec())
                .flatMap(reference -> plugins.find(reference.getName()))
                .map(LoadedPlugin::plugin);
    }

    /** Whether the plugin of a special resource has a say in which others may serve its nodes; calls nothing. */
    public boolean judgesConflicts(SpecialResource resource) {
        return reference(resource.getSpec())
                .flatMap(reference -> plugins.find(reference.getName()))
                .filter(plugin -> plugin.plugin() instanceof ConflictRule)
                .isPresent();
    }

    /** The plugin of a special resource, if it has a say in the life of objects; calls nothing. */
    public Optional<LoadedPlugin> lifecyclePlugin(SpecialResource resource) {
        return reference(resource.getSpec())
                .flatMap(reference -> plugins.find(reference.getName()))
                .filter(plugin -> plugin.plugin() instanceof LifecycleHook);
    }

    /** What the plugin says of the life of objects, with the settings as it wants them, or as they are written where it fails. */
    public PluginLifecycle lifecycle(LoadedPlugin plugin, RecipeContext written) {
        RecipeContext context;
        try {
            context = withConfig(plugin, written);
        } catch (RecipeFailure e) {
            context = written;
        }
        return PluginLifecycle.of(plugin, guard, context);
    }

    /** A chart that is no recipe of its own yet: that of a dependency. */
    public SourceAnswer<ChartFetcher.Fetched> chart(ChartReference reference, String asker) {
        return charts.find(reference, asker);
    }

    /** Ends a trip, see {@link Charts#settle}. */
    public Instant settle(String specialResource) {
        return charts.charts().settle(specialResource);
    }

    /**
     * When to look at the recipe again although nothing tells of a change of it: directories do not. {@link Instant#MAX} for all
     * others.
     */
    public Instant looksAgain(SpecialResource resource, Instant now) {
        SpecialResourceSpec spec = resource.getSpec();
        RecipeSource source = spec == null ? null : spec.getRecipe();
        return source == null || source.getDirectory().isEmpty() ? Instant.MAX : now.plus(DIRECTORY);
    }

    /** There is no such special resource any more. */
    public void gone(String specialResource) {
        charts.charts().gone(specialResource);
    }

    /** Resolves the recipe for its own special resource; calls the plugin. */
    public Resolution resolve(RecipeContext context) {
        return resolve(context, context.name());
    }

    /**
     * Resolves the recipe; calls the plugin.
     *
     * @param asker who is told when there is another answer: whoever needs this one, be it the recipe of somebody else
     */
    public Resolution resolve(RecipeContext context, String asker) {
        SpecialResourceSpec spec = context.specialResource().getSpec();
        Optional<PluginReference> reference = reference(spec);
        boolean chart = isChart(spec);
        boolean files = spec != null && spec.getRecipe() != null;
        if ((chart && reference.isPresent()) || (files && (chart || reference.isPresent()))) {
            return Resolution.problem(Problem.user(
                    Code.NO_RECIPE.text(),
                    "spec: at most one of spec.plugin, spec.chart and spec.recipe is allowed; remove the others"));
        }
        if (chart) {
            return charts.resolve(context, asker);
        }
        if (reference.isEmpty()) {
            return stateFiles.resolve(context, plugins.names());
        }
        String name = reference.get().getName();
        Optional<LoadedPlugin> plugin = plugins.find(name);
        if (plugin.isEmpty()) {
            return Resolution.problem(absent(name));
        }
        return ask(plugin.get(), context);
    }

    /** A plugin that is there and was not taken is no fault of who asks for it. */
    private Problem absent(String name) {
        List<PluginRejection> rejected = plugins.rejectionsFor(name);
        return rejected.isEmpty()
                ? new Problem(
                        "UnknownPlugin", "spec.plugin.name: " + plugins.describeUnknown(name), Problem.Owner.USER, true)
                : new Problem(
                        "PluginRejected",
                        "plugin " + name + " is not loaded: "
                                + rejected.stream()
                                        .map(rejection -> rejection.code() + ": " + rejection.message())
                                        .collect(Collectors.joining(" "))
                                + " Known names: " + plugins.names() + ".",
                        Problem.Owner.VENDOR,
                        true);
    }

    private Resolution ask(LoadedPlugin plugin, RecipeContext written) {
        List<Problem> missing = missingCrds(plugin, written.cluster());
        if (!missing.isEmpty()) {
            return new Resolution(null, missing, Optional.empty());
        }
        try {
            RecipeContext context = withConfig(plugin, written);
            // The rules of settings are the plugin's own code, too.
            List<Problem> wrong = guard.call(
                    plugin.name(),
                    plugin.classLoader(),
                    "settings",
                    () -> PluginSettings.check(plugin.descriptor(), context));
            if (!wrong.isEmpty()) {
                return new Resolution(null, wrong, Optional.empty());
            }
            if (plugin.plugin() instanceof ConfigValidator validator) {
                List<Problem> problems = guard.call(
                        plugin.name(),
                        plugin.classLoader(),
                        "validate",
                        () -> List.copyOf(validator.validate(context)));
                if (!problems.isEmpty()) {
                    return new Resolution(null, problems, Optional.empty());
                }
            }
            StateGraph graph = guard.call(
                    plugin.name(),
                    plugin.classLoader(),
                    "states",
                    () -> plugin.plugin().states(context));
            return Resolution.of(new PluginRecipe(plugin, guard, context, graph, scheduling(plugin, context)));
        } catch (RecipeFailure e) {
            return Resolution.problem(e.problem());
        }
    }

    /** Custom resources without which the plugin cannot work; they may be installed at any time. */
    private static List<Problem> missingCrds(LoadedPlugin plugin, ClusterFacts cluster) {
        return plugin.descriptor().requiredCrds().stream()
                .filter(crd -> !cluster.servedResources().contains(crd))
                .sorted()
                .map(crd -> Problem.platform(
                        Code.REQUIRED_CRD_MISSING.text(),
                        "plugin " + plugin.name() + " needs the custom resource " + crd
                                + ", which the cluster does not serve; install what provides it"))
                .toList();
    }

    /** The user's settings over the plugin's own, in the plugin's present form. */
    private RecipeContext withConfig(LoadedPlugin plugin, RecipeContext context) {
        RecipeContext merged = context.withDefaults(plugin.descriptor());
        if (!(plugin.plugin() instanceof ConfigConverter converter)) {
            return merged;
        }
        Map<String, Object> given = merged.config();
        return context.withConfig(
                guard.call(plugin.name(), plugin.classLoader(), "convertConfig", () -> converter.convertConfig(given)));
    }

    private Scheduling scheduling(LoadedPlugin plugin, RecipeContext context) {
        return plugin.plugin() instanceof SchedulingPolicy policy
                ? guard.call(plugin.name(), plugin.classLoader(), "scheduling", () -> policy.scheduling(context))
                : NO_POLICY;
    }

    private static boolean isChart(@Nullable SpecialResourceSpec spec) {
        return spec != null && spec.getChart() != null;
    }

    private static Optional<PluginReference> reference(@Nullable SpecialResourceSpec spec) {
        return Optional.ofNullable(spec).map(SpecialResourceSpec::getPlugin);
    }
}
