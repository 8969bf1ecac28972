package dev.sro.core.dra;

import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.Regime;
import org.immutables.value.Value;

/** How a node publishes. Immutable. */
@Value.Immutable
@DraStyle
public interface DraOptions {
    /** Name of the driver unless another one is given. */
    String DRIVER = "slices.sro.dev";

    /** Name of the driver: what slices, claims and selectors call it, and the domain of its attributes. */
    @Value.Default
    default String driver() {
        return DRIVER;
    }

    /** The server that is published to. */
    DraServer server();

    /** Ranks placements. */
    @Value.Default
    default PlacementPolicy policy() {
        return Policies.standard();
    }

    /** How slices are used, where the policy cares: a node does not see enough requests to learn it. */
    @Value.Default
    default Regime regime() {
        return Regime.STEADY;
    }

    /**
     * Whether the order of devices follows what is on the GPU. Otherwise it is the one for an empty GPU, for ever: the default for servers
     * before 1.36.
     */
    @Value.Default
    default boolean advisory() {
        return server().takesSlicesByName();
    }

    /** Options for a server, else the defaults. */
    static DraOptions of(DraServer server) {
        return builder().server(server).build();
    }

    /** A builder with nothing set. */
    static Builder builder() {
        return new Builder();
    }

    /** Builds {@link DraOptions}; not thread-safe. */
    final class Builder extends ImmutableDraOptions.Builder {
        Builder() {}
    }
}
