package dev.sro.core.plan.status;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.OptionalKinds;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.UpgradeInput;
import dev.sro.core.release.Release;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Of the input of a plan what is told in the status. Immutable. */
public interface StatusInput {

    /** The special resource, with its last status. */
    SpecialResource resource();

    /** The time. */
    Instant now();

    /** Problems that keep the recipe from being rendered at all: what exists is then left alone. */
    List<Problem> problems();

    /** What of the recipe the engine does not act on: told, and otherwise without effect. */
    List<String> notices();

    /** What of the recipe is probably not meant like that: told, and otherwise without effect. */
    List<String> warnings();

    /** The pools, sorted; their nodes are the nodes that are served. */
    List<Pool> pools();

    /** The nodes of the pools, by name. */
    Map<String, ObservedNode> nodes();

    /** The nodes of each pool, by its name and in its order. */
    Map<String, List<ObservedNode>> members();

    /** How many nodes would be served if no taint kept the operands off. */
    int keptOff();

    /** The operand namespace, if it is ours to make; comes before all states. */
    Optional<Desired> namespace();

    /** What shall exist, in the order of the recipe. */
    List<DesiredState> states();

    /** What was left out of the states, because the cluster does not serve it and the recipe can do without. */
    List<OptionalKinds.Skipped> skipped();

    /** The drivers of the pools, by name of the pool; told, and otherwise without effect. */
    Map<String, PoolDriver> drivers();

    /** What is to be released, when the recipe is a chart and all of it could be rendered. */
    Optional<Release> release();

    /** What was observed to exist: every object that carries this special resource's label. */
    Map<ObjectRef, KubeObject> owned();

    /** Kinds ({@code group/version/Kind}) that cannot be seen (yet), and why. */
    Map<String, Outcome> unseenKinds();

    /** When the status was last written, for its rate; {@link Instant#MIN} for never. */
    Instant lastStatusWrite();

    /** How its driver is upgraded; empty when SRO does not. */
    Optional<UpgradeInput> upgrade();

    /** Name and kind of the special resource. */
    ObjectRef self();

    /** Its uid. */
    String uid();
}
