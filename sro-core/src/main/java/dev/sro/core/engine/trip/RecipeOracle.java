package dev.sro.core.engine.trip;

import dev.sro.api.Outcome;
import dev.sro.api.State;
import dev.sro.core.driver.Drivers;
import dev.sro.core.engine.driver.DriverBuilds;
import dev.sro.core.model.Codec;
import dev.sro.core.model.KubeObject;
import dev.sro.core.plan.RecipeQuestion;
import dev.sro.core.recipe.PluginLifecycle;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.upgrade.policy.UpgradeAdvice;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers what plans ask, by what is known of builds, and by the plugin.
 *
 * @param recipe null where there is none
 * @param drivers of the pools
 * @param lifecycle who is asked about the life of objects
 * @param now the time of the plan
 */
record RecipeOracle(Codec codec, @Nullable Recipe recipe, Drivers drivers, PluginLifecycle lifecycle, Instant now)
        implements RecipeQuestion.Oracle {

    @Override
    public Optional<Outcome> probe(KubeObject live, State state) {
        Optional<Outcome> build = DriverBuilds.judge(drivers, live);
        if (build.isPresent()) {
            return build;
        }
        return recipe == null || !recipe.hasProbe() ? Optional.empty() : recipe.probe(live, this::typed, state, now);
    }

    @Override
    public Outcome afterApply(KubeObject live) {
        return lifecycle.afterApply(live, this::typed, now);
    }

    @Override
    public Outcome beforeDelete(KubeObject live) {
        return lifecycle.beforeDelete(live, this::typed, now);
    }

    @Override
    public UpgradeAdvice upgrades() {
        return recipe == null ? UpgradeAdvice.none() : recipe.upgrades();
    }

    private GenericKubernetesResource typed(KubeObject object) {
        return codec.fromTree(object.tree(), GenericKubernetesResource.class);
    }
}
