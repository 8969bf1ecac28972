package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last observation of the engine. Its size is bounded at any cluster size: counts, and at most {@value #MAX_SAMPLES} samples.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class SpecialResourceStatus extends ResourceValue {
    /** Most pools that a status lists. */
    public static final int MAX_POOLS = 20;

    /** Most samples that a status holds. */
    public static final int MAX_SAMPLES = 20;

    @JsonPropertyDescription(
            "One line for people and for users of earlier versions, for example Ready or Progressing: message.")
    private @Nullable String state;

    @JsonPropertyDescription("Generation of the special resource that this status is about.")
    private @Nullable Long observedGeneration;

    @JsonPropertyDescription("Ready, Progressing and Degraded.")
    private @Nullable List<Condition> conditions;

    @JsonPropertyDescription(
            "Kinds of the objects that were ever created for this special resource, for example apps/v1/DaemonSet. A"
                    + " kind is written here before its first object, so that pruning forgets none.")
    private @Nullable List<String> managedKinds;

    @JsonPropertyDescription(
            "Where objects were ever created outside of spec.namespace, as NAMESPACE/KIND with the kind as in managedKinds,"
                    + " for example kube-system/rbac.authorization.k8s.io/v1/RoleBinding. They are looked for there, too.")
    private @Nullable List<String> managedOutside;

    @JsonPropertyDescription(
            "Readiness taints that nodes may carry, as key=value:Effect. A taint is written here before it is put on a"
                    + " node, so that none is forgotten.")
    private @Nullable List<String> readinessTaints;

    @JsonPropertyDescription(
            "Taints of partitioning that nodes may carry by SRO's doing, as key=value:Effect. A taint is written here"
                    + " before it is put on a node, so that none is forgotten.")
    private @Nullable List<String> partitionTaints;

    @JsonPropertyDescription("How many nodes are concerned.")
    private @Nullable NodeCounts nodes;

    @JsonPropertyDescription("How many pools there are; pools may list fewer.")
    @Min(0) private @Nullable Integer poolCount;

    @JsonPropertyDescription("The first pools by name, at most 20.")
    @Size(max = MAX_POOLS) private @Nullable List<PoolStatus> pools;

    @JsonPropertyDescription("Every state of the recipe, in its order.")
    private @Nullable List<StateStatus> states;

    @JsonPropertyDescription("Examples of outcomes that are not Ready, at most 20.")
    @Size(max = MAX_SAMPLES) private @Nullable List<OutcomeSample> samples;

    @JsonPropertyDescription("How far the upgrade of drivers is; absent without spec.upgradePolicy.")
    private @Nullable UpgradeStatus upgrade;

    /** Creates an object with no field set. */
    public SpecialResourceStatus() {}

    /** Returns one line for people; null when absent. */
    public @Nullable String getState() {
        return state;
    }

    /** Sets it; null removes it. */
    public void setState(@Nullable String state) {
        this.state = state;
    }

    /** Returns the generation that this status is about; null when absent. */
    public @Nullable Long getObservedGeneration() {
        return observedGeneration;
    }

    /** Sets it; null removes it. */
    public void setObservedGeneration(@Nullable Long observedGeneration) {
        this.observedGeneration = observedGeneration;
    }

    /** Returns the conditions; empty when absent. */
    public List<Condition> getConditions() {
        return orEmpty(conditions);
    }

    /** Sets it; null removes it. */
    public void setConditions(@Nullable List<Condition> conditions) {
        this.conditions = conditions;
    }

    /** Returns the kinds of the objects that were ever created, as group/version/Kind; empty when absent. */
    public List<String> getManagedKinds() {
        return orEmpty(managedKinds);
    }

    /** Sets it; null removes it. */
    public void setManagedKinds(@Nullable List<String> managedKinds) {
        this.managedKinds = managedKinds;
    }

    /** Returns where objects were ever created outside of the namespace of the operands, as namespace/group/version/Kind; empty when absent. */
    public List<String> getManagedOutside() {
        return orEmpty(managedOutside);
    }

    /** Sets it; null removes it. */
    public void setManagedOutside(@Nullable List<String> managedOutside) {
        this.managedOutside = managedOutside;
    }

    /** Returns how many nodes are concerned; null when absent. */
    public @Nullable NodeCounts getNodes() {
        return nodes;
    }

    /** Sets it; null removes it. */
    public void setNodes(@Nullable NodeCounts nodes) {
        this.nodes = nodes;
    }

    /** Returns how many pools there are; null when absent. */
    public @Nullable Integer getPoolCount() {
        return poolCount;
    }

    /** Sets it; null removes it. */
    public void setPoolCount(@Nullable Integer poolCount) {
        this.poolCount = poolCount;
    }

    /** Returns the first pools by name; empty when absent. */
    public List<PoolStatus> getPools() {
        return orEmpty(pools);
    }

    /** Sets it; null removes it. */
    public void setPools(@Nullable List<PoolStatus> pools) {
        this.pools = pools;
    }

    /** Returns the states of the recipe; empty when absent. */
    public List<StateStatus> getStates() {
        return orEmpty(states);
    }

    /** Sets it; null removes it. */
    public void setStates(@Nullable List<StateStatus> states) {
        this.states = states;
    }

    /** Returns examples of outcomes that are not Ready; empty when absent. */
    public List<OutcomeSample> getSamples() {
        return orEmpty(samples);
    }

    /** Sets it; null removes it. */
    public void setSamples(@Nullable List<OutcomeSample> samples) {
        this.samples = samples;
    }

    /** Returns how far the upgrade of drivers is; null when absent. */
    public @Nullable UpgradeStatus getUpgrade() {
        return upgrade;
    }

    /** Sets it; null removes it. */
    public void setUpgrade(@Nullable UpgradeStatus upgrade) {
        this.upgrade = upgrade;
    }

    /** Returns the readiness taints that nodes may carry, as {@code key=value:Effect}; empty when absent. */
    public List<String> getReadinessTaints() {
        return orEmpty(readinessTaints);
    }

    /** Sets it; null removes it. */
    public void setReadinessTaints(@Nullable List<String> readinessTaints) {
        this.readinessTaints = readinessTaints;
    }

    /** Returns the taints of partitioning that nodes may carry, as {@code key=value:Effect}; empty when absent. */
    public List<String> getPartitionTaints() {
        return orEmpty(partitionTaints);
    }

    /** Sets it; null removes it. */
    public void setPartitionTaints(@Nullable List<String> partitionTaints) {
        this.partitionTaints = partitionTaints;
    }
}
