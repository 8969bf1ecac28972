package dev.sro.core.engine.trip;

import dev.sro.core.driver.Drivers;
import dev.sro.core.engine.roster.Roster;
import dev.sro.core.engine.session.ResourceSession;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.runtimehook.RuntimeState;
import dev.sro.core.runtimehook.RuntimeVariants;
import java.util.List;
import java.util.Optional;

/**
 * What container runtimes have to know: which node gets which files. Keeps no state but in {@link ResourceSession}; thread-safe.
 *
 * @param image whose shell places files, unless a plugin names another one
 */
public record RuntimeFiles(String image) {

    /**
     * What comes of a recipe.
     *
     * @param roster with the labels by which nodes get their files
     * @param state to render; empty when the recipe has no say in container runtimes
     * @param warnings for the user
     */
    record RuntimeSetup(Roster roster, Optional<RuntimeState> state, List<String> warnings) {

        Drivers with(Drivers drivers) {
            return state.map(drivers::and).orElse(drivers);
        }
    }

    /** @throws dev.sro.core.recipe.RecipeFailure if there is no answer */
    RuntimeSetup prepare(String name, Recipe recipe, Roster roster, ResourceSession session) {
        RuntimeVariants.VariantAssignment prepared = session.runtime()
                .prepare(
                        name,
                        image,
                        recipe,
                        roster.members().values().stream()
                                .map(ObservedNode::facts)
                                .toList(),
                        roster.labels());
        return new RuntimeSetup(roster.labelled(prepared.labels()), prepared.state(), prepared.warnings());
    }
}
