package dev.sro.core.upgrade.policy;

import dev.sro.core.model.ValueStyle;
import dev.sro.core.upgrade.machine.Rollout;
import dev.sro.core.upgrade.machine.UpgradeNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * How a new driver goes from node to node, of one special resource. Immutable. Defaults are those of the operators whose labels we
 * share, unless said otherwise. A time limit of zero is none.
 */
@Value.Immutable
@ValueStyle
public abstract class RolloutPolicy {

    RolloutPolicy() {}

    /** What happens to a node that somebody else made unschedulable. We never make such a node schedulable again. */
    public enum ManualCordon {
        /** It is upgraded in its turn and needs one of {@link #maxParallel()}; it counts as unavailable already. Our default. */
        COUNT,
        /** It is upgraded at once, whatever the slots say, as NVIDIA's operator does. */
        BYPASS,
        /** It is left alone until it is schedulable again. */
        LEAVE
    }

    /** Identity (such as a digest) of the driver configuration that is wanted; see {@link Rollout#target} for the one in effect. */
    public abstract String target();

    /** Whether nodes are taken on by themselves. If not, only those for which somebody asks are. */
    @Value.Default
    public boolean autoUpgrade() {
        return false;
    }

    /** Whether no node is taken on for now. What has begun ends. */
    @Value.Default
    public boolean paused() {
        return false;
    }

    /** Most nodes in progress at once; 0 for no limit. */
    @Value.Default
    public int maxParallel() {
        return 1;
    }

    /** With so many nodes unavailable, for whatever reason, no further available node is taken on. */
    @Value.Default
    public NodeShare maxUnavailable() {
        return new NodeShare(25, true);
    }

    /** Whether jobs are waited for, {@link UpgradeNode#jobs()}. */
    @Value.Default
    public boolean waitForJobs() {
        return false;
    }

    /** How long jobs are waited for; then their pods are treated as others. */
    @Value.Default
    public Duration jobsTimeout() {
        return Duration.ZERO;
    }

    /** Whether and how users of the device are made to go. */
    @Value.Default
    public Optional<PodRemoval> podDeletion() {
        return Optional.of(PodRemoval.DEFAULT);
    }

    /** Whether and how nodes are drained where deleting users of the device is off, or did not succeed. */
    public abstract Optional<PodRemoval> drain();

    /** Whether cordon and drain are asked of another operator. */
    @Value.Default
    public boolean externalMaintenance() {
        return false;
    }

    /** How long the other operator may take. Ours. */
    @Value.Default
    public Duration maintenanceTimeout() {
        return Duration.ofHours(1);
    }

    /** How long a node may take to boot. Ours. */
    @Value.Default
    public Duration rebootTimeout() {
        return Duration.ofMinutes(30);
    }

    /** How long the reset of a node's devices may take, from when it can be ordered. Ours. */
    @Value.Default
    public Duration resetTimeout() {
        return Duration.ofMinutes(30);
    }

    /** How long the new driver may take to become ready, its download and compilation included. Ours. */
    @Value.Default
    public Duration driverTimeout() {
        return Duration.ofMinutes(30);
    }

    /** With more restarts than these the new driver has failed. */
    @Value.Default
    public int restartThreshold() {
        return 10;
    }

    /** Whether {@link UpgradeNode#validation()} has to be passed. */
    @Value.Default
    public boolean validation() {
        return false;
    }

    /** How long validation may take. */
    @Value.Default
    public Duration validationTimeout() {
        return Duration.ofMinutes(10);
    }

    /** How long an attempt may take altogether, from when jobs have been waited for. Ours; as with AMD's operator 2 hours. */
    @Value.Default
    public Duration attemptTimeout() {
        return Duration.ofHours(2);
    }

    /** What happens after a failure. */
    @Value.Default
    public RetryPolicy retry() {
        return RetryPolicy.DEFAULT;
    }

    /** What happens to nodes that somebody else made unschedulable. */
    @Value.Default
    public ManualCordon manualCordon() {
        return ManualCordon.COUNT;
    }

    /** Nodes that come first, in order. */
    public abstract List<RolloutWave> waves();

    /** With so many failed nodes, of all, the rollout halts: no node is taken on. Empty: it never does. At least one. */
    public abstract Optional<NodeShare> haltOnFailures();

    /** Whether a rollout that halts goes back to the last good driver. */
    @Value.Default
    public boolean automaticRollback() {
        return false;
    }

    /** When nodes may be taken on; any time when empty. */
    public abstract List<MaintenanceWindow> windows();

    /**
     * Any text. A new one lets a rollout that halted, or that pauses after a wave, go on, and takes an automatic rollback back. It
     * also has the failures so far forgotten when it comes to the next halt.
     */
    @Value.Default
    public String resume() {
        return "";
    }

    /** The {@link #target()} that somebody wants rolled back; another target is not affected. */
    public abstract Optional<String> rollbackOf();

    @Value.Check
    void check() {
        if (maxParallel() < 0 || restartThreshold() < 0) {
            throw new IllegalArgumentException("RolloutPolicy: maxParallel and restartThreshold must not be negative");
        }
        TimeLimits.check("RolloutPolicy.jobsTimeout", jobsTimeout());
        TimeLimits.check("RolloutPolicy.maintenanceTimeout", maintenanceTimeout());
        TimeLimits.check("RolloutPolicy.rebootTimeout", rebootTimeout());
        TimeLimits.check("RolloutPolicy.resetTimeout", resetTimeout());
        TimeLimits.check("RolloutPolicy.driverTimeout", driverTimeout());
        TimeLimits.check("RolloutPolicy.validationTimeout", validationTimeout());
        TimeLimits.check("RolloutPolicy.attemptTimeout", attemptTimeout());
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder with this policy. */
    public Builder with() {
        // What is absent on purpose is no default.
        return new Builder().from(this).podDeletion(podDeletion());
    }

    /** Builds {@link RolloutPolicy}. Not thread-safe. */
    public static final class Builder extends ImmutableRolloutPolicy.Builder {
        Builder() {}
    }
}
