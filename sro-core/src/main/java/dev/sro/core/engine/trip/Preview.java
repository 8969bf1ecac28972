package dev.sro.core.engine.trip;

import dev.sro.api.Outcome;
import dev.sro.core.driver.SecretReads;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.OptionalKinds;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Plan;
import dev.sro.core.recipe.Recipe;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A plan, and what it was made of: what a reconcile would do, what shall be there in the end, and what is there. Immutable, but
 * for the recipe, which renders when asked.
 *
 * @param plan what a reconcile would do now
 * @param recipe empty when there is none; then the plan says why
 * @param states what shall exist, in the order of the recipe, whether or not its turn has come
 * @param skipped what is left out of the states, because the cluster does not serve it and the recipe can do without
 * @param namespace of the operands, where SRO makes it
 * @param owned what exists and is the special resource's
 * @param unseen kinds of which that cannot be told, with the reason
 * @param notices what of the recipe is not acted on
 * @param warnings what is probably not meant as it is
 * @param secrets what is read for its drivers
 * @param obstacle why nothing can be planned: Waiting while something is fetched or listed, Failed when it cannot be; empty otherwise
 */
public record Preview(
        Plan plan,
        Optional<Recipe> recipe,
        List<DesiredState> states,
        List<OptionalKinds.Skipped> skipped,
        Optional<Desired> namespace,
        Map<ObjectRef, KubeObject> owned,
        Map<String, Outcome> unseen,
        List<String> notices,
        List<String> warnings,
        SecretReads secrets,
        Optional<Outcome> obstacle) {

    /** Copies the collections. */
    public Preview {
        states = List.copyOf(states);
        skipped = List.copyOf(skipped);
        owned = Map.copyOf(owned);
        unseen = Map.copyOf(unseen);
        notices = List.copyOf(notices);
        warnings = List.copyOf(warnings);
    }

    static Preview blind(Plan plan, Outcome obstacle) {
        return new Preview(
                plan,
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty(),
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                SecretReads.NONE,
                Optional.of(obstacle));
    }

    /** The same, looked at again at this time at the latest. */
    Preview wakingUp(Instant at) {
        return new Preview(
                plan.wakingUp(at),
                recipe,
                states,
                skipped,
                namespace,
                owned,
                unseen,
                notices,
                warnings,
                secrets,
                obstacle);
    }
}
