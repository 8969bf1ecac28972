package dev.sro.core.engine;

import dev.sro.api.Outcome;
import dev.sro.api.State;
import dev.sro.core.driver.Drivers;
import dev.sro.core.model.Codec;
import dev.sro.core.model.KubeObject;
import dev.sro.core.plan.PlanInput;
import dev.sro.core.probe.ClaimUse;
import dev.sro.core.probe.LogQuery;
import dev.sro.core.probe.LogState;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.recipe.PluginLifecycle;
import dev.sro.core.recipe.Recipe;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Look-ups of a plan, answered by the caches and the plugin. */
final class CachedLookups implements PlanInput.Lookups {
    private final ClusterReader reader;
    private final Codec codec;
    private final @Nullable Recipe recipe;
    private final LogReadings logs;
    private final Drivers drivers;
    private final PluginLifecycle lifecycle;
    private volatile boolean asksForClaims;

    CachedLookups(
            ClusterReader reader,
            Codec codec,
            @Nullable Recipe recipe,
            LogReadings logs,
            Drivers drivers,
            PluginLifecycle lifecycle) {
        this.lifecycle = lifecycle;
        this.reader = reader;
        this.codec = codec;
        this.drivers = drivers;
        this.recipe = recipe;
        this.logs = logs;
    }

    @Override
    public LogState log(LogQuery query) {
        return logs.state(query);
    }

    @Override
    public Optional<Collection<ClaimUse>> claims() {
        asksForClaims = true;
        return reader.claims();
    }

    /** Whether the plan depends on resource claims. */
    boolean asksForClaims() {
        return asksForClaims;
    }

    @Override
    public List<PodFacts> pods(String ownerUid) {
        return reader.pods(ownerUid);
    }

    @Override
    public List<KubeObject> children(String ownerUid) {
        return reader.children(ownerUid);
    }

    @Override
    public Optional<Outcome> probe(KubeObject live, State state, Instant now) {
        Optional<Outcome> build = DriverBuilds.judge(drivers, live);
        if (build.isPresent()) {
            return build;
        }
        return recipe == null || !recipe.hasProbe() ? Optional.empty() : recipe.probe(live, this::typed, state, now);
    }

    @Override
    public Outcome afterApply(KubeObject live, Instant now) {
        return lifecycle.afterApply(live, this::typed, now);
    }

    @Override
    public Outcome beforeDelete(KubeObject live, Instant now) {
        return lifecycle.beforeDelete(live, this::typed, now);
    }

    private GenericKubernetesResource typed(KubeObject object) {
        return codec.fromTree(object.tree(), GenericKubernetesResource.class);
    }
}
