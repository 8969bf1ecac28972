package dev.sro.api.driver;

import dev.sro.api.KernelVersion;
import dev.sro.api.OsRelease;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * A kernel that nodes may get, for a verdict before they do. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class PreflightTarget {

    PreflightTarget() {}

    /** The kernel to come. */
    public abstract KernelVersion kernel();

    /** The operating system to come. */
    public abstract OsRelease os();

    /** Architecture as Kubernetes names it. */
    public abstract String architecture();

    /** Version of the platform to come, for example of OpenShift {@code 4.19.3}. */
    public abstract Optional<String> platformVersion();

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link PreflightTarget}. Not thread-safe. */
    public static final class Builder extends ImmutablePreflightTarget.Builder {
        Builder() {}
    }
}
