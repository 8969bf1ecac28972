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
     * Whether devices are given by SRO's own allocator alone: each bears the taint {@link #allocatorTaint()}, so that no scheduler gives it to a
     * claim. Needs {@link DraServer#taintsDevices()}.
     */
    @Value.Default
    default boolean authoritative() {
        return false;
    }

    /**
     * Whether the order of devices follows what is on the GPU. Otherwise it is the one for an empty GPU, for ever: the default for servers
     * before 1.36, and where no scheduler goes by it.
     */
    @Value.Default
    default boolean advisory() {
        return server().takesSlicesByName() && !authoritative();
    }

    /** Key of the taint of devices that SRO's own allocator gives: {@code <driver>/allocator}, with the effect {@code NoSchedule}. */
    default String allocatorTaint() {
        return allocatorTaint(driver());
    }

    /** Key of that taint for a driver. */
    static String allocatorTaint(String driver) {
        return driver + "/allocator";
    }

    /** Refuses taints that the server would throw away. */
    @Value.Check
    default void check() {
        if (authoritative() && !server().taintsDevices()) {
            throw new IllegalArgumentException("Kubernetes " + server() + ": has no taints of devices, so that its"
                    + " scheduler would give away what sro slices allocator gives: that needs 1.36 or later");
        }
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
