package dev.sro.core.plan.removal;

import dev.sro.api.Pool;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.plan.Refusals;
import dev.sro.core.plan.UpgradeInput;
import dev.sro.core.probe.PodFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Of the input of a plan what decides what has to go. Immutable. */
public interface RemovalInput {

    /** The special resource, with its last status. */
    SpecialResource resource();

    /** The time. */
    Instant now();

    /** The pools, sorted; their nodes are the nodes that are served. */
    List<Pool> pools();

    /** The nodes of the pools, by name. */
    Map<String, ObservedNode> nodes();

    /** What shall exist, in the order of the recipe. */
    List<DesiredState> states();

    /** What was observed to exist: every object that carries this special resource's label. */
    Map<ObjectRef, KubeObject> owned();

    /** How its driver is upgraded; empty when SRO does not. */
    Optional<UpgradeInput> upgrade();

    /** By whose rights a recipe that no plugin brought is applied; empty for SRO's own. */
    Optional<RecipeAccount> account();

    /** Which writes that were refused may be tried again. */
    Refusals refusals();

    /** Pods of an object that was observed. */
    List<PodFacts> podsOf(KubeObject live);
}
