package dev.sro.core.engine;

import dev.sro.api.ClusterFacts;
import dev.sro.api.NodeFacts;
import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.driver.PreflightTarget;
import dev.sro.api.driver.PreflightVerdict;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.build.BuildSources;
import dev.sro.core.build.BuildTarget;
import dev.sro.core.driver.DriverRequest;
import dev.sro.core.driver.DriverRequests;
import dev.sro.core.driver.Drivers;
import dev.sro.core.engine.driver.DriverForecast;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.port.Sight;
import dev.sro.core.engine.relation.SpecChecks;
import dev.sro.core.engine.roster.ResourcePrecedence;
import dev.sro.core.engine.roster.Roster;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.Renderer;
import dev.sro.core.model.Operands;
import dev.sro.core.pool.Pools;
import dev.sro.core.recipe.NodeAnswers;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import dev.sro.core.recipe.RecipeResolver;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * What special resources would consist of on other kernels than those that the nodes have. Changes nothing and keeps nothing;
 * thread-safe, also beside reconciles.
 */
public final class Forecasts {

    /** Who asks for charts here; no special resource has such a name. All that ask for forecasts are told of what comes. */
    public static final String ASKER = "preflightvalidations/";

    private final ClusterReader reader;
    private final Predicate<SpecialResource> serves;
    private final RecipeResolver resolver;
    private final Renderer renderer;
    private final DriverRequests requests;
    private final BuildSources sources;
    private final BuildSettings settings;

    Forecasts(
            ClusterReader reader,
            Predicate<SpecialResource> serves,
            RecipeResolver resolver,
            Renderer renderer,
            DriverRequests requests,
            BuildSources sources,
            BuildSettings settings) {
        this.requests = requests;
        this.sources = sources;
        this.settings = settings;
        this.reader = reader;
        this.serves = serves;
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
     * @param driver which image the driver would get; empty if nothing is said of images, or nobody asked
     */
    public record Forecast(
            List<Pool> pools,
            List<DesiredState> states,
            List<Problem> problems,
            Optional<String> waiting,
            List<PreflightVerdict> said,
            Optional<DriverForecast> driver) {

        static Forecast waiting(String what) {
            return new Forecast(List.of(), List.of(), List.of(), Optional.of(what), List.of(), Optional.empty());
        }

        static Forecast problems(List<Problem> problems) {
            return new Forecast(List.of(), List.of(), problems, Optional.empty(), List.of(), Optional.empty());
        }
    }

    /** The cluster as it is. */
    public ClusterFacts cluster() {
        return reader.cluster();
    }

    /** The nodes as they were observed. */
    public Collection<ObservedNode> nodes() {
        return reader.nodes();
    }

    /** What is waited for before anything can be said; empty when all is seen. */
    public Optional<String> filling() {
        return Optional.ofNullable(reader.watch(Sight.own(Set.of())).get(ClusterReader.BASE))
                .or(reader::watchEnvironment)
                .map(Forecasts::text);
    }

    private static String text(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed ? failed.problem().message() : "the caches are being filled";
    }

    /** All special resources that are served and are not being deleted, sorted by name. */
    public List<SpecialResource> specialResources() {
        return reader.specialResources().stream()
                .filter(resource -> serves.test(resource) && !ResourcePrecedence.isLeaving(resource))
                .toList();
    }

    /** Architectures of the nodes with an operating system of each, sorted; for special resources without nodes. */
    public List<Pool> allPools() {
        return Pools.group(reader.nodes(), node -> Map.of());
    }

    /** What the recipe of a special resource is, to be compared with what it is later; calls no plugin. */
    public Optional<Object> recipe(SpecialResource resource) {
        return resolver.identity(new RecipeContext(resource, reader.cluster()), ASKER);
    }

    /** The pools that a special resource has now. */
    public Forecast present(SpecialResource resource) {
        List<Problem> problems = SpecChecks.check(resource);
        if (!problems.isEmpty()) {
            return Forecast.problems(problems);
        }
        RecipeResolver.Resolution resolution = resolver.resolve(new RecipeContext(resource, reader.cluster()), ASKER);
        Recipe recipe = resolution.recipe();
        if (recipe == null) {
            return resolution
                    .waiting()
                    .map(Forecast::waiting)
                    .orElseGet(() -> Forecast.problems(resolution.problems()));
        }
        try {
            Roster roster = Roster.of(resource, recipe, reader.nodes(), nodes -> Map.of());
            return new Forecast(roster.pools(), List.of(), List.of(), Optional.empty(), List.of(), Optional.empty());
        } catch (RecipeFailure e) {
            return Forecast.problems(List.of(e.problem()));
        }
    }

    /**
     * What the plugin adds to the key of a pool when its nodes have become others; as it is where the plugin adds nothing, or no answer
     * is to be had.
     *
     * @param cluster the cluster to come
     * @param present the pool as it is
     * @param moved what becomes of one of its nodes
     */
    public Map<String, String> poolKey(
            SpecialResource resource, ClusterFacts cluster, Pool present, UnaryOperator<NodeFacts> moved) {
        Recipe recipe = present.key().isEmpty()
                ? null
                : resolver.resolve(new RecipeContext(resource, cluster), ASKER).recipe();
        Optional<NodeFacts> node = reader.nodes().stream()
                .filter(each -> present.nodes().contains(each.name()))
                .map(ObservedNode::facts)
                .findFirst();
        if (recipe == null || node.isEmpty()) {
            return present.key();
        }
        try {
            NodeAnswers said = recipe.answers(List.of(moved.apply(node.get())))
                    .get(node.get().name());
            return said == null ? present.key() : said.poolKey();
        } catch (RecipeFailure e) {
            // Rendering fails for the same reason, and says so.
            return present.key();
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
     * @param prospects what can be known beforehand of images
     */
    public Forecast render(
            SpecialResource resource, ClusterFacts cluster, Pool pool, DriverForecast.Prospects prospects) {
        RecipeResolver.Resolution resolution = resolver.resolve(new RecipeContext(resource, cluster), ASKER);
        Recipe recipe = resolution.recipe();
        if (recipe == null) {
            return resolution
                    .waiting()
                    .map(Forecast::waiting)
                    .orElseGet(() -> Forecast.problems(resolution.problems()));
        }
        try {
            Optional<DriverForecast> driver = driver(recipe, resource, pool, prospects);
            Drivers drivers = driver.map(DriverForecast::driver)
                    .filter(one -> one.choice().image().isPresent())
                    .map(one -> new Drivers(List.of(), Map.of(pool.name(), one)))
                    .orElseGet(() -> requests.assumed(recipe, Operands.namespace(resource), List.of(pool)));
            List<DesiredState> states = renderer.render(recipe, Operands.namespace(resource), List.of(pool), drivers);
            return new Forecast(
                    List.of(pool),
                    states,
                    List.of(),
                    Optional.empty(),
                    recipe.preflight(target(cluster, pool)),
                    driver);
        } catch (RecipeFailure e) {
            return Forecast.problems(List.of(e.problem()));
        }
    }

    /** Asks registries only where images are named. */
    private Optional<DriverForecast> driver(
            Recipe recipe, SpecialResource resource, Pool pool, DriverForecast.Prospects prospects) {
        String namespace = Operands.namespace(resource);
        DriverRequest request = requests.of(recipe, namespace, pool);
        if (!request.hasImages()) {
            return Optional.empty();
        }
        BuildTarget target = new BuildTarget(
                recipe.context().name(), namespace, pool, recipe.context().cluster(), renderer.mirrorsOf(resource));
        return Optional.of(DriverForecast.of(request, target, sources, settings, prospects));
    }
}
