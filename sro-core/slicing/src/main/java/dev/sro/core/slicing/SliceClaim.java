package dev.sro.core.slicing;

import dev.sro.core.slicing.catalogue.ValueStyle;
import java.time.Instant;
import java.util.Optional;
import org.immutables.value.Value;

/** A slice that is taken: who has it, and where it is. Immutable. */
@Value.Immutable
@ValueStyle
public interface SliceClaim {
    /** Name of the claim. */
    String id();

    /** The device that carries the slice. */
    String device();

    /** Name of the slice profile, as the device's model spells it. */
    String profile();

    /** First memory unit of the slice. */
    int start();

    /** Whether somebody else made the slice: it is in the way, and is never moved. */
    @Value.Default
    default boolean foreign() {
        return false;
    }

    /** Whether the claim must never be moved. */
    @Value.Default
    default boolean pinned() {
        return false;
    }

    /** The cost of moving the claim, relative to others; at least 1. */
    @Value.Default
    default int disruptionCost() {
        return 1;
    }

    /** When the claim lapses unless it is confirmed; empty for a claim that stays. */
    Optional<Instant> reservedUntil();

    /** Whether a plan may move the slice. */
    default boolean movable() {
        return !foreign() && !pinned();
    }

    /** A builder with nothing set. */
    static Builder builder() {
        return new Builder();
    }

    /** Builds {@link SliceClaim}s; not thread-safe. */
    final class Builder extends ImmutableSliceClaim.Builder {
        Builder() {}
    }
}
