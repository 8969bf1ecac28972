package dev.sro.core.dra;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a change is written. Every write of a slice makes the scheduler try again all pods that wait for a device, so orders are written at most
 * once in a while on each node, and on all nodes together within a budget; what can be had is always written at once. Loss classes are part of the order.
 * Immutable; there is no clock inside.
 *
 * @param least shortest time between two writes of an order on one node
 * @param budget most writes of orders per second on all nodes together, each node taking its share; positive
 * @param quiet how long nothing must have come or gone on a node before its GPUs are put in order
 * @param lossClasses whether loss classes are kept true though no claim is known that asks by them
 */
public record PublishRule(Duration least, double budget, Duration quiet, boolean lossClasses) {
    private static final double NANOS = 1e9;

    /** Refuses what means nothing. */
    public PublishRule {
        if (least.isNegative() || quiet.isNegative() || !(budget > 0)) {
            throw new IllegalArgumentException(
                    "publishing at least " + least + " apart, " + budget + " a second in the cluster, GPUs after "
                            + quiet + ": times must not be negative, the budget positive");
        }
    }

    /** Once a second on a node, twenty times a second in the cluster, GPUs after half a minute. */
    public static PublishRule standard() {
        return new PublishRule(Duration.ofSeconds(1), 20, Duration.ofSeconds(30), false);
    }

    /** As this one, with loss classes kept true or not. */
    public PublishRule withLossClasses(boolean always) {
        return new PublishRule(least, budget, quiet, always);
    }

    /** Shortest time between two writes of an order on one of so many nodes. */
    public Duration interval(int nodes) {
        Duration share = Duration.ofNanos((long) (Math.max(1, nodes) / budget * NANOS));
        return share.compareTo(least) > 0 ? share : least;
    }

    /**
     * When a change is to be written.
     *
     * @param lastOrder when an order was written last; empty if never
     * @param uses what the node may write for what came and went on it
     * @param nodes that publish in the cluster
     * @return a time, {@code now} or before for at once; empty if there is nothing to write, or not before something comes or goes
     */
    public Optional<Instant> due(
            DraPublication.Change change, Instant now, Optional<Instant> lastOrder, OrderBudget uses, int nodes) {
        return switch (change) {
            case NONE -> Optional.empty();
            case CONTENT -> Optional.of(now);
            case ORDER ->
                uses.allows()
                        ? Optional.of(lastOrder
                                .map(last -> last.plus(interval(nodes)))
                                .orElse(now))
                        : Optional.empty();
        };
    }

    /**
     * Whether GPUs may be put in order now.
     *
     * @param lastUse when a claim came or went on the node last
     * @param waiting whether a pod is known to wait for a device
     */
    public boolean quiet(Instant now, Instant lastUse, boolean waiting) {
        return !waiting && !now.isBefore(lastUse.plus(quiet));
    }
}
