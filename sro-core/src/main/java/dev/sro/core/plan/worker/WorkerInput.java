package dev.sro.core.plan.worker;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Refusals;
import dev.sro.core.plan.UpgradeInput;
import dev.sro.core.probe.PodFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Of the input of a plan what concerns pods that load and unload modules. Immutable. */
public interface WorkerInput {

    /** The special resource, with its last status. */
    SpecialResource resource();

    /** The time. */
    Instant now();

    /** The pools, sorted; their nodes are the nodes that are served. */
    List<Pool> pools();

    /** The nodes of the pools, by name. */
    Map<String, ObservedNode> nodes();

    /** Nodes that are not served and still carry labels of this special resource. */
    List<ObservedNode> strays();

    /** What shall exist, in the order of the recipe. */
    List<DesiredState> states();

    /** What was observed to exist: every object that carries this special resource's label. */
    Map<ObjectRef, KubeObject> owned();

    /** Kinds ({@code group/version/Kind}) that cannot be seen (yet), and why. */
    Map<String, Outcome> unseenKinds();

    /** How its driver is upgraded; empty when SRO does not. */
    Optional<UpgradeInput> upgrade();

    /** Which writes that were refused may be tried again. */
    Refusals refusals();

    /** Pods that load and unload modules. */
    List<PodFacts> workerPods();
}
