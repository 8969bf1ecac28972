package dev.sro.core.module;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.recipe.ModuleRecipe;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What shall exist of a module. Immutable.
 *
 * @param problems why that is not known; what exists is then left alone
 * @param pools that stand for versions, sorted
 * @param versions by the name of the pool; those that were found out
 * @param values what the watched objects say, by the name of the pool
 * @param waiting what comes first
 * @param retry when to find out again although nothing changes
 */
record DesiredModule(
        List<Problem> problems,
        @Nullable ModuleRecipe recipe,
        List<DesiredState> states,
        List<Pool> pools,
        Map<String, ModuleVersion> versions,
        Map<String, String> values,
        Optional<Outcome> waiting,
        Optional<Instant> retry) {

    static DesiredModule problems(List<Problem> problems, Optional<Instant> retry) {
        return new DesiredModule(problems, null, List.of(), List.of(), Map.of(), Map.of(), Optional.empty(), retry);
    }

    static DesiredModule waiting(Outcome outcome) {
        return new DesiredModule(
                List.of(), null, List.of(), List.of(), Map.of(), Map.of(), Optional.of(outcome), Optional.empty());
    }
}
