package dev.sro.core.plan.validation;

import dev.sro.api.Pool;
import dev.sro.api.State;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Refusals;
import dev.sro.core.probe.PodFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Of the input of a plan what concerns validations. Immutable. */
public interface ValidationInput {

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

    /** What shall exist, in the order of the recipe. */
    List<DesiredState> states();

    /** What was observed to exist: every object that carries this special resource's label. */
    Map<ObjectRef, KubeObject> owned();

    /** Which writes that were refused may be tried again. */
    Refusals refusals();

    /** Whether the state was reached on the node before. What is said of a DaemonSet as a whole keeps it from being reached; it takes nothing away from nodes whose own pods are ready, whatever happens on others. */
    boolean isReached(State state, String node);

    /** Pods of an object that was observed. */
    List<PodFacts> podsOf(KubeObject live);
}
