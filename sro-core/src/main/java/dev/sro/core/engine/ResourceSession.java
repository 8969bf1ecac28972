package dev.sro.core.engine;

import dev.sro.api.ClusterFacts;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.apply.Failures;
import dev.sro.core.model.Code;
import dev.sro.core.plan.SyncMemo;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.recipe.PluginLifecycle;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeResolver;
import dev.sro.core.release.Release;
import dev.sro.core.runtimehook.RuntimeVariants;
import dev.sro.core.upgrade.RolloutPlan;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the engine keeps of one special resource between reconciles. All of it can be made again from the API server; it
 * saves work, nothing else. Guarded by itself: the worker of that special resource plans with it, and so do previews.
 */
final class ResourceSession {

    /** A recipe that could not be resolved is asked for again after this time at the earliest. */
    static final Duration RETRY_RECIPE = Duration.ofSeconds(30);

    /** One that nobody expects to be resolved is, too: what it depends on may be mended where no event tells of it. */
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(ResourceSession.class);

    private record ResolvedFor(
            String uid,
            @Nullable Long generation,
            @Nullable Map<String, String> labels,
            @Nullable Map<String, String> annotations,
            ClusterFacts cluster,
            Optional<Object> plugin) {}

    private final LogReadings logs;
    private final Grace grace;
    private final PoolDrivers drivers;
    private final Failures failures = new Failures();
    private final SyncMemo memo = new SyncMemo();
    private final RosterMemo roster = new RosterMemo();
    private final Upgrades.Kept upgrades = new Upgrades.Kept();
    private final RuntimeVariants runtime = new RuntimeVariants();
    private final Capabilities.Kept capabilities = new Capabilities.Kept();
    private final UndeclaredFields undeclared = new UndeclaredFields();
    private final Map<String, ResourceSession> rivals = new HashMap<>();
    private List<RolloutPlan.Notice> published = List.of();
    private Instant lastStatusWrite = Instant.MIN;

    private @Nullable ResolvedFor resolvedFor;
    private RecipeResolver.@Nullable Resolution resolution;
    private Instant retryRecipe = Instant.MAX;
    private Instant lookForKinds = Instant.MAX;
    private List<String> told = List.of();

    private record LivesFor(@Nullable Long generation, ClusterFacts cluster, LoadedPlugin plugin) {}

    private @Nullable LivesFor livesFor;
    private PluginLifecycle lifecycle = PluginLifecycle.NONE;

    /** For all pools, and for those that are left where taints keep everything off others. */
    private final Rendering whole = new Rendering();

    private final Rendering left = new Rendering();
    private Rendering current = whole;

    ResourceSession(LogReadings logs, Grace grace, PoolDrivers drivers) {
        this.logs = logs;
        this.grace = grace;
        this.drivers = drivers;
    }

    /** What is known of drivers. */
    PoolDrivers drivers() {
        return drivers;
    }

    /** What is known of logs. */
    LogReadings logs() {
        return logs;
    }

    /** What is kept of an older special resource with the same recipe, to know which nodes it takes. */
    ResourceSession rival(String name) {
        return rivals.computeIfAbsent(name, unused -> new ResourceSession(logs, grace, drivers));
    }

    /** Forgets all rivals but these. */
    void retainRivals(Set<String> names) {
        rivals.keySet().retainAll(names);
    }

    /** How many rivals are kept. */
    int rivals() {
        return rivals.size();
    }

    /** Nodes whose labels vanished a moment ago. */
    Grace grace() {
        return grace;
    }

    /** What of this was not in the list that was given before. */
    List<RolloutPlan.Notice> fresh(List<RolloutPlan.Notice> notices) {
        List<RolloutPlan.Notice> fresh =
                notices.stream().filter(notice -> !published.contains(notice)).toList();
        published = notices;
        return fresh;
    }

    /** What is kept of the gates that wait for others. */
    Capabilities.Kept capabilities() {
        return capabilities;
    }

    /** What is kept of the upgrade of its driver. */
    Upgrades.Kept upgrades() {
        return upgrades;
    }

    /** What is known of container runtimes. */
    RuntimeVariants runtime() {
        return runtime;
    }

    UndeclaredFields undeclared() {
        return undeclared;
    }

    Failures failures() {
        return failures;
    }

    RosterMemo roster() {
        return roster;
    }

    SyncMemo memo() {
        return memo;
    }

    Instant lastStatusWrite() {
        return lastStatusWrite;
    }

    void statusWritten(Instant at) {
        lastStatusWrite = at;
    }

    /** When what {@link #resolve} just said is asked again although nothing changed; {@link Instant#MAX} when it need not be. */
    Instant retryRecipe() {
        return retryRecipe;
    }

    /**
     * The recipe.
     *
     * @param asker the special resource that needs it: this one, or that whose rival this one is
     */
    RecipeResolver.Resolution resolve(
            SpecialResource resource, String asker, ClusterFacts cluster, RecipeResolver resolver, Instant now) {
        RecipeContext context = new RecipeContext(withoutStatus(resource), cluster);
        ResolvedFor wanted = new ResolvedFor(
                String.valueOf(resource.getMetadata().getUid()),
                resource.getMetadata().getGeneration(),
                resource.getMetadata().getLabels(),
                resource.getMetadata().getAnnotations(),
                cluster,
                resolver.identity(context, asker));
        RecipeResolver.Resolution known = resolution;
        if (known != null && wanted.equals(resolvedFor) && now.isBefore(retryRecipe)) {
            return known;
        }
        if (!wanted.equals(resolvedFor)) {
            failures.clear();
        }
        RecipeResolver.Resolution fresh = resolver.resolve(context, asker);
        tell(resource, fresh.recipe());
        resolution = fresh;
        resolvedFor = wanted;
        boolean retry = fresh.problems().stream().anyMatch(problem -> problem.retryable());
        boolean unresolved = !fresh.problems().isEmpty();
        retryRecipe = retry ? now.plus(RETRY_RECIPE) : unresolved ? now.plus(LOOK_AGAIN) : Instant.MAX;
        return fresh;
    }

    /** Who is asked about the life of objects, whether or not there is a recipe. */
    PluginLifecycle lifecycle(SpecialResource resource, ClusterFacts cluster, RecipeResolver resolver) {
        Optional<LoadedPlugin> plugin = resolver.lifecyclePlugin(resource);
        LivesFor wanted = plugin.map(
                        found -> new LivesFor(resource.getMetadata().getGeneration(), cluster, found))
                .orElse(null);
        if (wanted == null) {
            lifecycle = PluginLifecycle.NONE;
        } else if (!wanted.equals(livesFor)) {
            lifecycle = resolver.lifecycle(wanted.plugin, new RecipeContext(withoutStatus(resource), cluster));
        }
        livesFor = wanted;
        return lifecycle;
    }

    /** When to ask what the cluster serves, as no event will tell; {@link Instant#MAX} when one will. */
    void lookForKinds(Instant at) {
        lookForKinds = at;
    }

    /** Whether it is time to look for what the plugin needs of the cluster and does not have. */
    boolean looksForCrds(Instant now) {
        RecipeResolver.Resolution known = resolution;
        if (!now.isBefore(lookForKinds)) {
            lookForKinds = Instant.MAX;
            return true;
        }
        return known != null
                && !now.isBefore(retryRecipe)
                && known.problems().stream().anyMatch(Code.REQUIRED_CRD_MISSING::is);
    }

    private void tell(SpecialResource resource, @Nullable Recipe recipe) {
        List<String> notices = recipe == null ? told : recipe.notActedOn();
        if (recipe != null && !notices.equals(told)) {
            told = notices;
            LOG.atWarn()
                    .addKeyValue("specialResource", resource.getMetadata().getName())
                    .log("{}: not acted on by this version of SRO: {}", recipe.label(), notices);
        }
    }

    /** What the recipe wants for all pools. */
    Rendering rendering() {
        current = whole;
        return whole;
    }

    /** What it wants for those pools on whose nodes anything can run: what all of them share is as for one of these. */
    Rendering renderingOfServed() {
        current = left;
        return left;
    }

    /** What was rendered last. */
    Rendering rendered() {
        return current;
    }

    /** What was rendered last, as a release; empty when it is none. */
    Optional<Release> release() {
        return current.release();
    }

    /** What recipes may depend on: a status that changed must not mean another recipe. */
    private static SpecialResource withoutStatus(SpecialResource resource) {
        ObjectMeta from = resource.getMetadata();
        SpecialResource copy = new SpecialResource();
        copy.setMetadata(new ObjectMetaBuilder()
                .withName(from.getName())
                .withUid(from.getUid())
                .withGeneration(from.getGeneration())
                .withLabels(from.getLabels())
                .withAnnotations(from.getAnnotations())
                .build());
        copy.setSpec(resource.getSpec());
        return copy;
    }
}
