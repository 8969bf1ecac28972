package dev.sro.core.plan;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.OptionalKinds;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueStyle;
import dev.sro.core.pool.ReadinessTaints;
import dev.sro.core.probe.ClaimUse;
import dev.sro.core.probe.LogQuery;
import dev.sro.core.probe.LogState;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.release.Release;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.immutables.value.Value;

/** Everything a plan depends on. Immutable, as far as the collections handed in are left alone. */
@Value.Immutable
@ValueStyle
public abstract class PlanInput {

    PlanInput() {}

    /** The special resource, with its last status. */
    public abstract SpecialResource resource();

    /** The time. */
    public abstract Instant now();

    /** Problems that keep the recipe from being rendered at all: what exists is then left alone. */
    public abstract List<Problem> problems();

    /** What of the recipe the engine does not act on: told, and otherwise without effect. */
    public abstract List<String> notices();

    /** What of the recipe is probably not meant like that: told, and otherwise without effect. */
    public abstract List<String> warnings();

    /** Nodes that are selected but cannot be served, with the reason. */
    public abstract SortedMap<String, Problem> nodeProblems();

    /** The pools, sorted; their nodes are the nodes that are served. */
    public abstract List<Pool> pools();

    /** The nodes of the pools, by name. */
    public abstract Map<String, ObservedNode> nodes();

    /** The nodes of each pool, by its name and in its order. */
    @Value.Lazy
    Map<String, List<ObservedNode>> members() {
        Map<String, List<ObservedNode>> members = new HashMap<>();
        for (Pool pool : pools()) {
            List<ObservedNode> nodes = new ArrayList<>(pool.nodes().size());
            for (String name : pool.nodes()) {
                ObservedNode node = nodes().get(name);
                if (node != null) {
                    nodes.add(node);
                }
            }
            members.put(pool.name(), Collections.unmodifiableList(nodes));
        }
        return members;
    }

    /** Nodes that are not served and still carry labels of this special resource. */
    public abstract List<ObservedNode> strays();

    /** Labels that the plugin asks for, by node name. */
    public abstract Map<String, Map<String, String>> pluginLabels();

    /** What other special resources have to bring to nodes first: by id of the state that waits, and node name. */
    public abstract Map<String, Map<String, String>> awaited();

    /** How many nodes would be served if no taint kept the operands off. */
    @Value.Default
    public int keptOff() {
        return 0;
    }

    /** Readiness taints that are put and taken away by another special resource alone; each {@code key=value:Effect}. */
    public abstract List<String> foreignTaints();

    /** The taint that nodes carry until the special resource is ready on them. */
    public abstract Optional<ReadinessTaints.Wanted> readinessTaint();

    /** Taints of partitioning, for each node that is served; each {@code key=value:Effect}. */
    public abstract List<String> partitionTaints();

    /** The operand namespace, if it is ours to make; comes before all states. */
    public abstract Optional<Desired> namespace();

    /**
     * Whether special resources that go as well still have operands in the namespace: one that is ours to delete then waits
     * for them.
     */
    @Value.Default
    public boolean namespaceInUse() {
        return false;
    }

    /** Other special resources that have to be ready before the first state, in the order in which they are needed. */
    public abstract List<Dependency> dependencies();

    /** Other special resources that go with a deleted one, with their uids. */
    public abstract Map<ObjectRef, String> leavingDependencies();

    /** What shall exist, in the order of the recipe. */
    public abstract List<DesiredState> states();

    /** What was left out of the states, because the cluster does not serve it and the recipe can do without. */
    public abstract List<OptionalKinds.Skipped> skipped();

    /** The drivers of the pools, by name of the pool; told, and otherwise without effect. */
    public abstract Map<String, PoolDriver> drivers();

    /** What is to be released, when the recipe is a chart and all of it could be rendered. */
    public abstract Optional<Release> release();

    /** What was observed to exist: every object that carries this special resource's label. */
    public abstract Map<ObjectRef, KubeObject> owned();

    /** Kinds ({@code group/version/Kind}) that cannot be seen (yet), and why. */
    public abstract Map<String, Outcome> unseenKinds();

    /** Writes that failed and are not to be repeated yet. */
    public abstract Map<ObjectRef, WriteFailure> failures();

    /** When the status was last written, for its rate; {@link Instant#MIN} for never. */
    public abstract Instant lastStatusWrite();

    /** How its driver is upgraded; empty when SRO does not. */
    public abstract Optional<UpgradeInput> upgrade();

    /** Looks into the caches. */
    public abstract Lookups lookups();

    /** Remembers comparisons. */
    public abstract SyncMemo memo();

    /** Reads that a plan makes only where it needs them; they answer from memory. */
    public interface Lookups {
        /** Pods that the object with this uid, or of this {@link PodFacts#workload}, has. */
        List<PodFacts> pods(String ownerUid);

        /** What is known of the logs of a pod. Asking is what makes somebody read them. */
        default LogState log(LogQuery query) {
            return LogState.of(LogState.Kind.UNREAD);
        }

        /** All resource claims; empty while they are being listed. Asking is what makes somebody watch them. */
        default Optional<Collection<ClaimUse>> claims() {
            return Optional.of(List.of());
        }

        /** Other objects that the object with this uid controls and that its readiness depends on. */
        List<KubeObject> children(String ownerUid);

        /** What the plugin says of an object; empty for the built-in rule. */
        Optional<Outcome> probe(KubeObject live, State state, Instant now);

        /** What the plugin says of an object that was applied, on top of everything else. */
        default Outcome afterApply(KubeObject live, Instant now) {
            return Outcome.ready();
        }

        /** Whether the plugin lets an object go. */
        default Outcome beforeDelete(KubeObject live, Instant now) {
            return Outcome.ready();
        }
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link PlanInput}. Not thread-safe. */
    public static final class Builder extends ImmutablePlanInput.Builder {
        Builder() {}
    }
}
