package dev.sro.api;

import java.time.Duration;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * How long a validation may take, how often it is repeated and where its result goes: see {@link State#limits()}.
 * Immutable.
 *
 * <p>Sources of the defaults: none; a vendor that sets nothing has no limit, as Kubernetes Jobs have none.
 */
@NotActedOnYet(
        until = "set activeDeadlineSeconds, backoffLimit and ttlSecondsAfterFinished of the Job, or use a CronJob")
@Value.Immutable
@ValueStyle
public abstract class ValidationLimits {

    ValidationLimits() {}

    /** The state fails when it is not ready this long after it went ahead; no limit without it. */
    public abstract Optional<Duration> timeout();

    /** How often a failed validation is tried anew before the state fails. */
    @Value.Default
    public int retries() {
        return 0;
    }

    /** A validation that succeeded is repeated after this time, while the device is in use or not; never without it. */
    public abstract Optional<Duration> repeatEvery();

    /** Finished pods are removed after this time; with the state without it. */
    public abstract Optional<Duration> keepFinished();

    /** Type of the node condition that carries the result, for example {@code AcmeValidated}; none without it. */
    public abstract Optional<String> nodeCondition();

    @Value.Check
    void check() {
        timeout().ifPresent(value -> positive("timeout", value));
        repeatEvery().ifPresent(value -> positive("repeatEvery", value));
        keepFinished().ifPresent(value -> positive("keepFinished", value));
        Checks.range("ValidationLimits.retries", retries(), 0, 100);
        nodeCondition()
                .ifPresent(type -> Checks.require(
                        type.matches("[A-Z][A-Za-z0-9]{0,62}"),
                        "ValidationLimits.nodeCondition",
                        "\"" + type + "\" must be one CamelCase word"));
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
