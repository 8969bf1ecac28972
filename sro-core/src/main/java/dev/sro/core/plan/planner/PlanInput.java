package dev.sro.core.plan.planner;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.load.WorkerPods;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.OptionalKinds;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Operands;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.model.ValueStyle;
import dev.sro.core.plan.AnswerLookup;
import dev.sro.core.plan.Dependency;
import dev.sro.core.plan.RecipeAnswers;
import dev.sro.core.plan.Refusals;
import dev.sro.core.plan.UpgradeInput;
import dev.sro.core.plan.WriteFailure;
import dev.sro.core.plan.node.NodeInput;
import dev.sro.core.plan.release.ReleaseInput;
import dev.sro.core.plan.removal.RemovalInput;
import dev.sro.core.plan.state.StateInput;
import dev.sro.core.plan.status.StatusInput;
import dev.sro.core.plan.upgrade.RolloutInput;
import dev.sro.core.plan.validation.ValidationInput;
import dev.sro.core.plan.worker.WorkerInput;
import dev.sro.core.pool.ReadinessTaints;
import dev.sro.core.probe.ClaimUse;
import dev.sro.core.probe.LogSnapshot;
import dev.sro.core.probe.NodePod;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.probe.PodOwner;
import dev.sro.core.release.Release;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import org.immutables.value.Value;

/** Everything a plan depends on. Immutable, as far as the collections handed in are left alone. */
@Value.Immutable
@ValueStyle
public abstract class PlanInput
        implements ValidationInput,
                WorkerInput,
                RemovalInput,
                ReleaseInput,
                StateInput,
                RolloutInput,
                NodeInput,
                StatusInput {

    PlanInput() {}

    /** The special resource, with its last status. */
    @Override
    public abstract SpecialResource resource();

    /** The time. */
    @Override
    public abstract Instant now();

    /** Problems that keep the recipe from being rendered at all: what exists is then left alone. */
    @Override
    public abstract List<Problem> problems();

    /** What of the recipe the engine does not act on: told, and otherwise without effect. */
    @Override
    public abstract List<String> notices();

    /** What of the recipe is probably not meant like that: told, and otherwise without effect. */
    @Override
    public abstract List<String> warnings();

    /** Nodes that are selected but cannot be served, with the reason. */
    public abstract SortedMap<String, Problem> nodeProblems();

    /** The pools, sorted; their nodes are the nodes that are served. */
    @Override
    public abstract List<Pool> pools();

    /** The nodes of the pools, by name. */
    @Override
    public abstract Map<String, ObservedNode> nodes();

    /** The nodes of each pool, by its name and in its order. */
    @Value.Lazy
    @Override
    public Map<String, List<ObservedNode>> members() {
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
    @Override
    public abstract List<ObservedNode> strays();

    /** Labels that the plugin asks for, by node name. */
    @Override
    public abstract Map<String, Map<String, String>> pluginLabels();

    /** What other special resources have to bring to nodes first: by id of the state that waits, and node name. */
    @Override
    public abstract Map<String, Map<String, String>> awaited();

    /** How many nodes would be served if no taint kept the operands off. */
    @Value.Default
    @Override
    public int keptOff() {
        return 0;
    }

    /** Readiness taints that are put and taken away by another special resource alone; each {@code key=value:Effect}. */
    @Override
    public abstract List<String> foreignTaints();

    /** The taint that nodes carry until the special resource is ready on them. */
    @Override
    public abstract Optional<ReadinessTaints.Wanted> readinessTaint();

    /** Taints of partitioning, for each node that is served; each {@code key=value:Effect}. */
    @Override
    public abstract List<String> partitionTaints();

    /** The operand namespace, if it is ours to make; comes before all states. */
    @Override
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
    @Override
    public abstract List<DesiredState> states();

    /** What was left out of the states, because the cluster does not serve it and the recipe can do without. */
    @Override
    public abstract List<OptionalKinds.Skipped> skipped();

    /** The drivers of the pools, by name of the pool; told, and otherwise without effect. */
    @Override
    public abstract Map<String, PoolDriver> drivers();

    /** What is to be released, when the recipe is a chart and all of it could be rendered. */
    @Override
    public abstract Optional<Release> release();

    /** By whose rights a recipe that no plugin brought is applied; empty for SRO's own. */
    @Override
    public abstract Optional<RecipeAccount> account();

    /** What was observed to exist: every object that carries this special resource's label. */
    @Override
    public abstract Map<ObjectRef, KubeObject> owned();

    /** Kinds ({@code group/version/Kind}) that cannot be seen (yet), and why. */
    @Override
    public abstract Map<String, Outcome> unseenKinds();

    /** Writes that failed and are not to be repeated yet. */
    public abstract Map<ObjectRef, WriteFailure> failures();

    /** When the status was last written, for its rate; {@link Instant#MIN} for never. */
    @Override
    public abstract Instant lastStatusWrite();

    /** How its driver is upgraded; empty when SRO does not. */
    @Override
    public abstract Optional<UpgradeInput> upgrade();

    /** Pods of what was observed, and worker pods of the special resource, by {@link PodOwner}; nothing for those that have none. */
    public abstract Map<String, List<PodFacts>> pods();

    /** Other objects that an observed one controls and that its readiness depends on, by its uid; nothing for those that have none. */
    public abstract Map<String, List<KubeObject>> children();

    /** All pods of nodes in transition, by node name; nothing for nodes of which they are not known. */
    @Override
    public abstract Map<String, List<NodePod>> nodePods();

    /** What is known of logs. */
    @Value.Default
    public LogSnapshot logs() {
        return LogSnapshot.NONE;
    }

    /** All resource claims; empty while they are being listed. */
    @Value.Default
    public Optional<Collection<ClaimUse>> claims() {
        return Optional.of(List.of());
    }

    /** What the recipe said to what earlier plans asked. */
    @Value.Default
    public RecipeAnswers answers() {
        return RecipeAnswers.NONE;
    }

    /** The same with other answers. */
    public abstract PlanInput withAnswers(RecipeAnswers answers);

    /** Which writes that were refused may be tried again. */
    @Value.Lazy
    @Override
    public Refusals refusals() {
        return new Refusals(failures(), now());
    }

    /**
     * Whether the state was reached on the node before. What is said of a DaemonSet as a whole keeps it from being reached; it
     * takes nothing away from nodes whose own pods are ready, whatever happens on others.
     */
    @Override
    public boolean isReached(State state, String node) {
        ObservedNode observed = nodes().get(node);
        String resource = resource().getMetadata().getName();
        String label = MetadataKeys.stateLabel(resource, state.id().substring(0, 4));
        return observed != null
                && observed.appliedLabels()
                        .getOrDefault(MetadataKeys.nodeManager(resource), Set.of())
                        .contains(label)
                && !MetadataKeys.STATE_LEAVING.equals(observed.facts().labels().get(label));
    }

    /** Pods of an object that was observed. */
    @Override
    public List<PodFacts> podsOf(KubeObject live) {
        return pods().getOrDefault(PodOwner.identify(live), List.of());
    }

    /** Pods that load and unload modules. */
    @Override
    public List<PodFacts> workerPods() {
        return pods().getOrDefault(workers(resource()), List.of());
    }

    /** What an observed object controls. */
    @Override
    public List<KubeObject> childrenOf(KubeObject live) {
        return children().getOrDefault(live.uid(), List.of());
    }

    /** Where a plan on this input looks up what it may lack. */
    AnswerLookup inquiry() {
        return new AnswerLookup(now(), logs(), claims(), answers());
    }

    /** Name and kind of the special resource. */
    @Override
    public ObjectRef self() {
        return new ObjectRef(
                resource().getApiVersion(),
                resource().getKind(),
                "",
                resource().getMetadata().getName());
    }

    /** Its uid. */
    @Override
    public String uid() {
        return String.valueOf(resource().getMetadata().getUid());
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link PlanInput}. Not thread-safe. */
    public static final class Builder extends ImmutablePlanInput.Builder {
        Builder() {}

        /**
         * What exists, with its pods and what it controls. The functions are called here, and not kept.
         *
         * @param resource the special resource
         * @param owned every object that carries its label
         * @param pods by {@link PodOwner}, or by what {@link WorkerPods#lookup} says
         * @param children by the uid of what controls them
         */
        public Builder observed(
                SpecialResource resource,
                Map<ObjectRef, KubeObject> owned,
                Function<String, List<PodFacts>> pods,
                Function<String, List<KubeObject>> children) {
            resource(resource);
            owned(owned);
            for (KubeObject live : owned.values()) {
                pods(PodOwner.identify(live), pods);
                List<KubeObject> own = children.apply(live.uid());
                if (!own.isEmpty()) {
                    putChildren(live.uid(), own);
                }
            }
            pods(workers(resource), pods);
            return this;
        }

        private void pods(String owner, Function<String, List<PodFacts>> pods) {
            List<PodFacts> own = pods.apply(owner);
            if (!own.isEmpty()) {
                putPods(owner, own);
            }
        }
    }

    /** By what worker pods of a special resource are found. */
    private static String workers(SpecialResource resource) {
        return WorkerPods.lookup(
                Operands.namespace(resource),
                MetadataKeys.specialResourceLabel(resource.getMetadata().getName()));
    }
}
