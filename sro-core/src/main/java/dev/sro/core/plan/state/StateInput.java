package dev.sro.core.plan.state;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.State;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Refusals;
import dev.sro.core.probe.PodFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Of the input of a plan what states are made of. Immutable. */
public interface StateInput {

    /** The special resource, with its last status. */
    SpecialResource resource();

    /** The time. */
    Instant now();

    /** The pools, sorted; their nodes are the nodes that are served. */
    List<Pool> pools();

    /** The nodes of the pools, by name. */
    Map<String, ObservedNode> nodes();

    /** The nodes of each pool, by its name and in its order. */
    Map<String, List<ObservedNode>> members();

    /** Labels that the plugin asks for, by node name. */
    Map<String, Map<String, String>> pluginLabels();

    /** What other special resources have to bring to nodes first: by id of the state that waits, and node name. */
    Map<String, Map<String, String>> awaited();

    /** The operand namespace, if it is ours to make; comes before all states. */
    Optional<Desired> namespace();

    /** What shall exist, in the order of the recipe. */
    List<DesiredState> states();

    /** What was observed to exist: every object that carries this special resource's label. */
    Map<ObjectRef, KubeObject> owned();

    /** Kinds ({@code group/version/Kind}) that cannot be seen (yet), and why. */
    Map<String, Outcome> unseenKinds();

    /** Which writes that were refused may be tried again. */
    Refusals refusals();

    /** Whether the state was reached on the node before. What is said of a DaemonSet as a whole keeps it from being reached; it takes nothing away from nodes whose own pods are ready, whatever happens on others. */
    boolean isReached(State state, String node);

    /** Pods of an object that was observed. */
    List<PodFacts> podsOf(KubeObject live);

    /** What an observed object controls. */
    List<KubeObject> childrenOf(KubeObject live);

    /** Its uid. */
    String uid();
}
