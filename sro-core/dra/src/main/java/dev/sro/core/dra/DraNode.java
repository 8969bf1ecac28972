package dev.sro.core.dra;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.immutables.value.Value;

/** A node and its GPUs. Immutable. */
@Value.Immutable
@DraStyle
public interface DraNode {
    /** Name of the Node. */
    String name();

    /** UID of the Node, which then owns its slices: they go with it. */
    Optional<String> uid();

    /** Version of the driver, such as {@code 580.126.20}. */
    Optional<String> driverVersion();

    /** Version of CUDA that the driver offers, such as {@code 13.0}. */
    Optional<String> cudaVersion();

    /** GPUs, each address once. A GPU that is lost is left out; what claims have of it is published on. */
    List<DraGpu> gpus();

    /** Refuses two GPUs with one address. */
    @Value.Check
    default void check() {
        Set<String> seen = new HashSet<>();
        for (DraGpu gpu : gpus()) {
            if (!seen.add(gpu.pciAddress())) {
                throw new IllegalArgumentException("node " + name() + ": GPU " + gpu.pciAddress() + " is there twice");
            }
        }
    }

    /** A builder with nothing set. */
    static Builder builder() {
        return new Builder();
    }

    /** Builds {@link DraNode}s; not thread-safe. {@code build()} throws {@link IllegalArgumentException}. */
    final class Builder extends ImmutableDraNode.Builder {
        Builder() {}
    }
}
