package dev.sro.api.operation;

import dev.sro.api.Checks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * The way of a new driver from node to node. Immutable.
 *
 * <p>The defaults are the careful ones that operators of this kind share: one node at a time, at most 25 % unavailable, a
 * drain of 5 minutes.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class UpgradeStrategy {

    UpgradeStrategy() {}

    /** The owners whose pods have to go before a driver is replaced. */
    public enum Evict {
        /** Nobody's. */
        NOBODY,
        /** Those that use the device, see {@link UpgradePolicy#usesDevice}. */
        DEVICE_USERS,
        /** Everybody's: the node is drained. */
        EVERYBODY
    }

    /** Most nodes at once. */
    @Value.Default
    public int maxParallel() {
        return 1;
    }

    /** Most nodes that may be unavailable at once for whatever reason: a number, or a percentage of all, rounded up. */
    @Value.Default
    public String maxUnavailable() {
        return "25%";
    }

    /** The owners whose pods have to go. */
    @Value.Default
    public Evict evict() {
        return Evict.DEVICE_USERS;
    }

    /** The time that pods may take to go before the node counts as failed. */
    @Value.Default
    public Duration drainTimeout() {
        return Duration.ofMinutes(5);
    }

    /** Pods with these labels are waited for before anything is done to the node. */
    public abstract Map<String, String> waitForPods();

    /** Nodes with this label set to {@code "true"} are left out. */
    public abstract Optional<String> skipLabel();

    /**
     * Annotation of a node by which a freshly booted driver says that it waits for permission to load; taking it away
     * gives the permission.
     */
    public abstract Optional<String> safeLoadAnnotation();

    /** Kind ({@code group/version/Kind}) of the object by which another operator is asked to do cordon and drain. */
    public abstract Optional<String> delegateTo();

    /** Ids of states that have to be ready on the node before it is put back to work. */
    public abstract List<String> validateBefore();

    /** Resets of devices that are ordered as upgrades are: one node after the other, each drained before. Empty: SRO orders none. */
    public abstract Optional<DeviceResets> deviceResets();

    @Value.Check
    void check() {
        Checks.range("UpgradeStrategy.maxParallel", maxParallel(), 1, 100_000);
        Checks.countOrPercent("UpgradeStrategy.maxUnavailable", maxUnavailable());
        Checks.require(
                !drainTimeout().isNegative() && !drainTimeout().isZero(),
                "UpgradeStrategy.drainTimeout",
                "must be longer than nothing");
        waitForPods().forEach((key, value) -> {
            Checks.qualifiedName("UpgradeStrategy.waitForPods", key);
            Checks.labelValue("UpgradeStrategy.waitForPods[" + key + "]", value);
        });
        skipLabel().ifPresent(key -> Checks.ownedName("UpgradeStrategy.skipLabel", key));
        safeLoadAnnotation().ifPresent(key -> Checks.ownedName("UpgradeStrategy.safeLoadAnnotation", key));
        delegateTo()
                .ifPresent(kind -> Checks.require(
                        kind.matches("[a-z0-9.-]+/v[a-z0-9]+/[A-Z][A-Za-z0-9]+"),
                        "UpgradeStrategy.delegateTo",
                        "\"" + kind + "\" must be group/version/Kind"));
        Checks.noDuplicates("UpgradeStrategy.validateBefore", validateBefore());
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link UpgradeStrategy}. Not thread-safe. */
    public static final class Builder extends ImmutableUpgradeStrategy.Builder {
        Builder() {}
    }
}
