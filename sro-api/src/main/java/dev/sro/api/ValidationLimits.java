package dev.sro.api;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.immutables.value.Value;

/**
 * Time limit, retries and repetition of a validation, and the place of its result: see {@link State#limits()}.
 * Immutable.
 *
 * <p>They hold for the Jobs and the Pods that run to an end in the state, and for the pods of its DaemonSets, which validate one node
 * each: in an init container, or by a readiness probe. Other workloads are not limited, nor are waits for {@link State#readiness()}
 * rules about nodes. What is not said here is as the manifest has it; what is said wins over the manifest, and changed limits are no
 * reason to run a validation again. All times are those of the API server's objects, so that a restart of SRO neither prolongs nor
 * repeats anything.
 *
 * <p>Sources of the defaults: none; a vendor that sets nothing has no limit, as Kubernetes Jobs have none.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class ValidationLimits {

    /** Shortest time after which a validation is repeated. */
    public static final Duration SHORTEST_REPEAT = Duration.ofMinutes(1);

    /** The conditions that the kubelet and the node controller write. */
    private static final Set<String> OF_KUBERNETES =
            Set.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable");

    ValidationLimits() {}

    /**
     * The time limit of a validation with all its retries: a Job from its start, a Pod from its start, a pod of a DaemonSet
     * since it is on its node or since it stopped being ready there. After that the state, or the node, is
     * {@code Failed(ValidationTimedOut)}. A Job or Pod is ended, too; a pod of a DaemonSet may still get ready, and the node with it.
     * Rounded up to seconds; no limit without it.
     */
    public abstract Optional<Duration> timeout();

    /**
     * The number of retries of a failed validation before the state, or the node, fails. The back-off between the tries is that of
     * Kubernetes: of a Job 10 seconds, doubled each time, 6 minutes at most; in a pod that of the kubelet. Zero is no retry.
     */
    public abstract OptionalInt retries();

    /**
     * A validation is run again this long after it ended, whether or not the device is in use and whatever came out, so that a
     * regression takes readiness away and a repair brings it back. The last result stands while it runs again, but not for longer than
     * {@link #timeout()} (without one, this time again) after it was due. A Job runs again under a second name beside the one that
     * ended; of a DaemonSet the pods of a tenth of its nodes at a time are deleted and come again. At least a minute; never without it.
     */
    public abstract Optional<Duration> repeatEvery();

    /**
     * Type of the node condition that carries the result, for example {@code AcmeValidated}: {@code True} with reason
     * {@code Validated} where the state is ready, {@code False} with the code of the problem where it failed, and {@code Unknown}
     * where it is neither but was. Only for states that are reached node by node. The plugin has to ask for the right, in
     * {@link PluginDescriptor#rbacRules()}: {@code patch} on {@code nodes/status}. None without it.
     */
    public abstract Optional<String> nodeCondition();

    @Value.Check
    void check() {
        timeout().ifPresent(value -> positive("timeout", value));
        repeatEvery()
                .ifPresent(value -> Checks.require(
                        value.compareTo(SHORTEST_REPEAT) >= 0,
                        "ValidationLimits.repeatEvery",
                        value + " must be at least " + SHORTEST_REPEAT));
        retries().ifPresent(value -> Checks.range("ValidationLimits.retries", value, 0, 100));
        nodeCondition().ifPresent(type -> {
            Checks.require(
                    type.matches("[A-Z][A-Za-z0-9]{0,62}"),
                    "ValidationLimits.nodeCondition",
                    "\"" + type + "\" must be one CamelCase word");
            Checks.require(
                    !OF_KUBERNETES.contains(type),
                    "ValidationLimits.nodeCondition",
                    "\"" + type + "\" is a condition of Kubernetes' own; choose another word");
        });
    }

    private static void positive(String field, Duration value) {
        Checks.require(
                !value.isNegative() && !value.isZero(),
                "ValidationLimits." + field,
                value + " must be longer than nothing");
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link ValidationLimits}. Not thread-safe. */
    public static final class Builder extends ImmutableValidationLimits.Builder {
        Builder() {}
    }
}
