package dev.sro.core.engine.session;

import dev.sro.api.ClusterFacts;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.apply.Failures;
import dev.sro.core.engine.background.LogReadings;
import dev.sro.core.engine.driver.DriverLookups;
import dev.sro.core.engine.driver.PoolDrivers;
import dev.sro.core.engine.relation.GateLabelMemo;
import dev.sro.core.engine.relation.RecipeMemo;
import dev.sro.core.engine.relation.RivalRecipes;
import dev.sro.core.engine.roster.LabelGrace;
import dev.sro.core.engine.roster.RosterMemo;
import dev.sro.core.plan.memo.SyncMemo;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.recipe.PluginLifecycle;
import dev.sro.core.recipe.RecipeResolver;
import dev.sro.core.release.Release;
import dev.sro.core.runtimehook.RuntimeVariants;
import dev.sro.core.upgrade.machine.RolloutPlan;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the engine keeps of one special resource between reconciles. All of it can be made again from the API server; it
 * saves work, nothing else. Guarded by itself: the worker of that special resource plans with it, and so do previews.
 */
public final class ResourceSession {

    private final LogReadings logs;
    private final LabelGrace grace;
    private final PoolDrivers drivers;
    private final Failures failures = new Failures();
    private final SyncMemo memo = new SyncMemo();
    private final PlanRounds rounds = new PlanRounds();
    private final RosterMemo roster = new RosterMemo();
    private final UpgradeMemo upgrades = new UpgradeMemo();
    private final RuntimeVariants runtime = new RuntimeVariants();
    private final GateLabelMemo capabilities = new GateLabelMemo();
    private final UndeclaredFields undeclared = new UndeclaredFields();
    private final RecipeMemo recipe = new RecipeMemo(failures::clear);
    private final RivalRecipes rivals = new RivalRecipes();
    private List<RolloutPlan.Notice> published = List.of();
    private Instant lastStatusWrite = Instant.MIN;

    private record LivesFor(@Nullable Long generation, ClusterFacts cluster, LoadedPlugin plugin) {}

    private @Nullable LivesFor livesFor;
    private PluginLifecycle lifecycle = PluginLifecycle.NONE;

    /** For all pools, and for those that are left where taints keep everything off others. */
    private final Rendering whole = new Rendering();

    private final Rendering left = new Rendering();
    private Rendering current = whole;

    public ResourceSession(LogReadings logs, LabelGrace grace, PoolDrivers drivers) {
        this.logs = logs;
        this.grace = grace;
        this.drivers = drivers;
    }

    /** What is known of drivers. */
    public PoolDrivers drivers() {
        return drivers;
    }

    /** What is known of logs. */
    public LogReadings logs() {
        return logs;
    }

    /** What is known of its drivers, for builds. */
    public DriverLookups lookups() {
        return new DriverLookups(drivers.findings(), logs, failures);
    }

    /** Its recipe. */
    public RecipeMemo recipe() {
        return recipe;
    }

    /** Recipes of others that its nodes depend on. */
    public RivalRecipes rivals() {
        return rivals;
    }

    /** Nodes whose labels vanished a moment ago. */
    public LabelGrace grace() {
        return grace;
    }

    /** What of this was not in the list that was given before. */
    public List<RolloutPlan.Notice> fresh(List<RolloutPlan.Notice> notices) {
        List<RolloutPlan.Notice> fresh =
                notices.stream().filter(notice -> !published.contains(notice)).toList();
        published = notices;
        return fresh;
    }

    /** What is kept of the gates that wait for others. */
    public GateLabelMemo capabilities() {
        return capabilities;
    }

    /** What is kept of the upgrade of its driver. */
    public UpgradeMemo upgrades() {
        return upgrades;
    }

    /** What is known of container runtimes. */
    public RuntimeVariants runtime() {
        return runtime;
    }

    public UndeclaredFields undeclared() {
        return undeclared;
    }

    public Failures failures() {
        return failures;
    }

    public RosterMemo roster() {
        return roster;
    }

    public SyncMemo memo() {
        return memo;
    }

    /** What plans asked. */
    public PlanRounds rounds() {
        return rounds;
    }

    public Instant lastStatusWrite() {
        return lastStatusWrite;
    }

    public void statusWritten(Instant at) {
        lastStatusWrite = at;
    }

    /** Who is asked about the life of objects, whether or not there is a recipe. */
    public PluginLifecycle lifecycle(SpecialResource resource, ClusterFacts cluster, RecipeResolver resolver) {
        Optional<LoadedPlugin> plugin = resolver.lifecyclePlugin(resource);
        LivesFor wanted = plugin.map(
                        found -> new LivesFor(resource.getMetadata().getGeneration(), cluster, found))
                .orElse(null);
        if (wanted == null) {
            lifecycle = PluginLifecycle.NONE;
        } else if (!wanted.equals(livesFor)) {
            lifecycle = resolver.lifecycle(wanted.plugin, RecipeMemo.context(resource, cluster));
        }
        livesFor = wanted;
        return lifecycle;
    }

    /** What the recipe wants for all pools. */
    public Rendering rendering() {
        current = whole;
        return whole;
    }

    /** What it wants for those pools on whose nodes anything can run: what all of them share is as for one of these. */
    public Rendering renderingOfServed() {
        current = left;
        return left;
    }

    /** What was rendered last. */
    public Rendering rendered() {
        return current;
    }

    /** What was rendered last, as a release; empty when it is none. */
    public Optional<Release> release() {
        return current.release();
    }
}
