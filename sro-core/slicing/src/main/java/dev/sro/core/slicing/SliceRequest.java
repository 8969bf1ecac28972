package dev.sro.core.slicing;

import dev.sro.core.slicing.catalogue.ValueStyle;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/** A wish for one slice, under a name of its own, wherever all constraints hold. Immutable. */
@Value.Immutable
@ValueStyle
public interface SliceRequest {
    /** Name of the claim; unique among live claims. */
    String claim();

    /** Name or alias of the slice profile. */
    String profile();

    /** Only this device. */
    Optional<String> device();

    /** Only devices of this node. */
    Optional<String> node();

    /** Only devices of the model with this key. */
    Optional<String> model();

    /** Only devices that carry all of these labels. */
    Map<String, String> labels();

    /** Only devices of this topology group. */
    Optional<String> topologyGroup();

    /** If given, the claim is a reservation that {@link SliceAllocator#expire} takes back at this time unless confirmed. */
    Optional<Instant> reservedUntil();

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

    /** A request without constraints. */
    static SliceRequest of(String claim, String profile) {
        return builder().claim(claim).profile(profile).build();
    }

    /** A builder with nothing set. */
    static Builder builder() {
        return new Builder();
    }

    /** Builds {@link SliceRequest}s; not thread-safe. */
    final class Builder extends ImmutableSliceRequest.Builder {
        Builder() {}
    }
}
