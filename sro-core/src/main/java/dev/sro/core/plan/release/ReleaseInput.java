package dev.sro.core.plan.release;

import dev.sro.api.Outcome;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.plan.Refusals;
import dev.sro.core.release.Release;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Of the input of a plan what concerns the releases of a chart and its hooks. Immutable. */
public interface ReleaseInput {

    /** The special resource, with its last status. */
    SpecialResource resource();

    /** The time. */
    Instant now();

    /** The operand namespace, if it is ours to make; comes before all states. */
    Optional<Desired> namespace();

    /** What shall exist, in the order of the recipe. */
    List<DesiredState> states();

    /** What is to be released, when the recipe is a chart and all of it could be rendered. */
    Optional<Release> release();

    /** By whose rights a chart is applied; empty for SRO's own. */
    Optional<RecipeAccount> account();

    /** What was observed to exist: every object that carries this special resource's label. */
    Map<ObjectRef, KubeObject> owned();

    /** Kinds ({@code group/version/Kind}) that cannot be seen (yet), and why. */
    Map<String, Outcome> unseenKinds();

    /** Which writes that were refused may be tried again. */
    Refusals refusals();

    /** What an observed object controls. */
    List<KubeObject> childrenOf(KubeObject live);

    /** Its uid. */
    String uid();
}
