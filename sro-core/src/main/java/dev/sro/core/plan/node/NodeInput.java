package dev.sro.core.plan.node;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Refusals;
import dev.sro.core.pool.ReadinessTaints;
import dev.sro.core.probe.PodFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Of the input of a plan what decides what nodes carry. Immutable. */
public interface NodeInput {

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

    /** Nodes that are not served and still carry labels of this special resource. */
    List<ObservedNode> strays();

    /** Labels that the plugin asks for, by node name. */
    Map<String, Map<String, String>> pluginLabels();

    /** Readiness taints that are put and taken away by another special resource alone; each {@code key=value:Effect}. */
    List<String> foreignTaints();

    /** The taint that nodes carry until the special resource is ready on them. */
    Optional<ReadinessTaints.Wanted> readinessTaint();

    /** Taints of partitioning, for each node that is served; each {@code key=value:Effect}. */
    List<String> partitionTaints();

    /** What shall exist, in the order of the recipe. */
    List<DesiredState> states();

    /** What was observed to exist: every object that carries this special resource's label. */
    Map<ObjectRef, KubeObject> owned();

    /** Kinds ({@code group/version/Kind}) that cannot be seen (yet), and why. */
    Map<String, Outcome> unseenKinds();

    /** Which writes that were refused may be tried again. */
    Refusals refusals();

    /** Pods of an object that was observed. */
    List<PodFacts> podsOf(KubeObject live);
}
