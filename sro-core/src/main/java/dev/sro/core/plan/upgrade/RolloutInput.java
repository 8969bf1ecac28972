package dev.sro.core.plan.upgrade;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Refusals;
import dev.sro.core.probe.NodePod;
import dev.sro.core.probe.PodFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Of the input of a plan what an upgrade of the driver reads, besides how it is to be done ({@link dev.sro.core.plan.UpgradeInput}). Immutable. */
public interface RolloutInput {

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

    /** Kinds ({@code group/version/Kind}) that cannot be seen (yet), and why. */
    Map<String, Outcome> unseenKinds();

    /** All pods of nodes in transition, by node name; nothing for nodes of which they are not known. */
    Map<String, List<NodePod>> nodePods();

    /** Which writes that were refused may be tried again. */
    Refusals refusals();

    /** Pods of an object that was observed. */
    List<PodFacts> podsOf(KubeObject live);

    /** Its uid. */
    String uid();
}
