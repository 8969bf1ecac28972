package dev.sro.core.engine.session;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.core.driver.Drivers;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.OptionalKinds;
import dev.sro.core.manifest.Renderer;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.release.Release;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What was rendered for one set of pools, kept as long as nothing of it changes. Guarded by the {@link ResourceSession} that has it. */
public final class Rendering {

    /** What could not be rendered, and may be now, is tried again after this time at the earliest. */
    private static final Duration RETRY = Duration.ofSeconds(30);

    /**
     * What it is made of.
     *
     * @param pools without their nodes: desired objects do not depend on which nodes are in them
     * @param drivers of these pools
     * @param dependents what is tolerated because of those that need the special resource first
     */
    public record Input(
            Recipe recipe, String namespace, List<Pool> pools, Drivers drivers, List<Map<String, Object>> dependents) {

        /** The same of fewer pools. */
        public Input withPools(List<Pool> fewer) {
            return new Input(recipe, namespace, fewer, drivers, dependents);
        }

        // Identity is the point: a recipe is made anew when anything of it changes.
        @SuppressWarnings("ReferenceEquality")
        boolean isSame(Input other) {
            return recipe == other.recipe
                    && dependents.equals(other.dependents)
                    && pools.equals(other.pools)
                    && drivers.equals(other.drivers);
        }
    }

    private @Nullable Input renderedFor;
    private Instant retryAt = Instant.MAX;
    private List<DesiredState> rendered = List.of();
    private Optional<Release> release = Optional.empty();

    private @Nullable List<DesiredState> servedOf;
    private @Nullable ClusterFacts servedBy;
    private OptionalKinds served = OptionalKinds.NONE;

    /** Renders anew what changed. */
    List<DesiredState> render(Renderer renderer, Input input, Instant now) {
        Input before = renderedFor;
        if (before == null || !before.isSame(input) || !now.isBefore(retryAt)) {
            rendered = renderer.render(
                    input.recipe(), input.namespace(), input.pools(), input.drivers(), input.dependents());
            release = Release.of(input.recipe(), rendered);
            renderedFor = input;
            boolean retry = rendered.stream()
                    .flatMap(state -> state.problems().values().stream())
                    .anyMatch(Problem::retryable);
            retryAt = retry ? now.plus(RETRY) : Instant.MAX;
        }
        return rendered;
    }

    /** When what was just rendered is rendered anew although nothing changed; {@link Instant#MAX} when it need not be. */
    public Instant retryAt() {
        return retryAt;
    }

    /** What of it the cluster serves, or has to; the same answer as long as it and the cluster are the same. */
    // Identity is the point: what follows compares the same lists in no time.
    @SuppressWarnings("ReferenceEquality")
    public OptionalKinds served(Renderer renderer, Input input, ClusterFacts cluster, Instant now) {
        List<DesiredState> states = render(renderer, input, now);
        if (servedOf != states || !cluster.equals(servedBy)) {
            served = OptionalKinds.of(states, input.recipe().optionalResources(), cluster);
            servedOf = states;
            servedBy = cluster;
        }
        return served;
    }

    /** What was rendered last, as a release; empty when it is none. */
    Optional<Release> release() {
        return release;
    }
}
