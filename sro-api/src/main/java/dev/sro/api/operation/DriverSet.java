package dev.sro.api.operation;

import dev.sro.api.Checks;
import dev.sro.api.KernelVersion;
import java.util.Map;
import org.immutables.value.Value;

/**
 * A driver with what belongs to it, as it runs on a node or as it shall. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class DriverSet {

    DriverSet() {}

    /** Version of kernel and user-space part together. */
    public abstract String version();

    /** Image of the driver container. */
    public abstract String image();

    /** Kernel that it is for. */
    public abstract KernelVersion kernel();

    /** Anything else that makes a difference, by the vendor's own keys: module parameters, firmware level. */
    public abstract Map<String, String> attributes();

    @Value.Check
    void check() {
        Checks.notBlank("DriverSet.version", version());
        Checks.image("DriverSet.image", image());
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link DriverSet}. Not thread-safe. */
    public static final class Builder extends ImmutableDriverSet.Builder {
        Builder() {}
    }
}
