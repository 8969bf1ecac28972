package dev.sro.core.engine;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.driver.PreflightTarget;
import dev.sro.api.driver.PreflightVerdict;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.driver.DriverWishes;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.Renderer;
import dev.sro.core.model.Operands;
import dev.sro.core.pool.Pools;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import dev.sro.core.recipe.RecipeResolver;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What special resources would consist of on other kernels than those that the nodes have. Changes nothing and keeps nothing;
 * thread-safe, also beside reconciles.
 */
public final class Forecasts {

    private final ClusterReader reader;
    private final RecipeResolver resolver;
    private final Renderer renderer;
    private final DriverWishes wishes;

    Forecasts(ClusterReader reader, RecipeResolver resolver, Renderer renderer, DriverWishes wishes) {
        this.wishes = wishes;
        this.reader = reader;
        this.resolver = resolver;
        this.renderer = renderer;
    }

    /**
     * A part of an answer. Immutable.
     *
     * @param pools that the special resource has now, sorted
     * @param states rendered; empty unless they were asked for
     * @param problems why there is no answer
     * @param waiting what comes first
     * @param said by the plugin itself, image by image; empty if it says nothing, or was not asked
     */
    public record Forecast(
            List<Pool> pools,
            List<DesiredState> states,
            List<Problem> problems,
            Optional<String> waiting,
            List<PreflightVerdict> said) {

        static Forecast waiting(String what) {
            return new Forecast(List.of(), List.of(), List.of(), Optional.of(what), List.of());
        }

        static Forecast problems(List<Problem> problems) {
            return new Forecast(List.of(), List.of(), problems, Optional.empty(), List.of());
        }
    }

    /** The cluster as it is. */
    public ClusterFacts cluster() {
        return reader.cluster();
    }

    /** What is waited for before anything can be said; empty when all is seen. */
    public Optional<String> filling() {
        return Optional.ofNullable(reader.watch(Set.of()).get(ClusterReader.BASE))
                .or(reader::watchEnvironment)
                .map(Forecasts::text);
    }

    private static String text(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed ? failed.problem().message() : "the caches are being filled";
    }

    /** All special resources that are not being deleted, sorted by name. */
    public List<SpecialResource> specialResources() {
        return reader.specialResources().stream()
                .filter(resource -> !Neighbours.isLeaving(resource))
                .toList();
    }

    /** Architectures of the nodes with an operating system of each, sorted; for special resources without nodes. */
    public List<Pool> allPools() {
        return Pools.group(reader.nodes(), node -> Map.of());
    }

    /** The pools that a special resource has now. */
    public Forecast present(SpecialResource resource) {
        List<Problem> problems = SpecChecks.check(resource);
        if (!problems.isEmpty()) {
            return Forecast.problems(problems);
        }
        RecipeResolver.Resolution resolution = resolver.resolve(new RecipeContext(resource, reader.cluster()));
        Recipe recipe = resolution.recipe();
        if (recipe == null) {
            return resolution
                    .waiting()
                    .map(Forecast::waiting)
                    .orElseGet(() -> Forecast.problems(resolution.problems()));
        }
        try {
            Roster roster = Roster.of(resource, recipe, reader.nodes(), nodes -> Map.of());
            return new Forecast(roster.pools(), List.of(), List.of(), Optional.empty(), List.of());
        } catch (RecipeFailure e) {
            return Forecast.problems(List.of(e.problem()));
        }
    }

    private static PreflightTarget target(ClusterFacts cluster, Pool pool) {
        return PreflightTarget.builder()
                .kernel(pool.kernel())
                .os(pool.os())
                .architecture(pool.architecture())
                .platformVersion(Optional.of(cluster.openShiftVersion()).filter(version -> !version.isEmpty()))
                .build();
    }

    /**
     * What a special resource would consist of, and what its plugin says of it.
     *
     * @param cluster the cluster to come
     * @param pool the only pool that there would be
     */
    public Forecast render(SpecialResource resource, ClusterFacts cluster, Pool pool) {
        RecipeResolver.Resolution resolution = resolver.resolve(new RecipeContext(resource, cluster));
        Recipe recipe = resolution.recipe();
        if (recipe == null) {
            return resolution
                    .waiting()
                    .map(Forecast::waiting)
                    .orElseGet(() -> Forecast.problems(resolution.problems()));
        }
        try {
            List<DesiredState> states = renderer.render(
                    recipe,
                    Operands.namespace(resource),
                    List.of(pool),
                    wishes.assumed(recipe, Operands.namespace(resource), List.of(pool)));
            return new Forecast(
                    List.of(pool), states, List.of(), Optional.empty(), recipe.preflight(target(cluster, pool)));
        } catch (RecipeFailure e) {
            return Forecast.problems(List.of(e.problem()));
        }
    }
}
