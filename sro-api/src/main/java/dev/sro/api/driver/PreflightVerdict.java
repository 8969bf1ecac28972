package dev.sro.api.driver;

import dev.sro.api.Checks;
import java.util.List;
import org.immutables.value.Value;

/**
 * Whether one image is good for a kernel to come, with the evidence. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class PreflightVerdict {

    PreflightVerdict() {}

    /** The verdict. */
    public enum Result {
        /** The driver will load. */
        GOOD,
        /** It is not there yet and can be built. */
        BUILDABLE,
        /** It will not load. */
        BAD,
        /** Nothing can be said. */
        UNKNOWN
    }

    /** The image. */
    public abstract String image();

    /** The verdict. */
    public abstract Result result();

    /** The grounds, for a person: the image exists, the kernel is in it, its modules are signed. */
    public abstract List<String> evidence();

    @Value.Check
    void check() {
        Checks.image("PreflightVerdict.image", image());
        Checks.require(
                result() != Result.BAD || !evidence().isEmpty(),
                "PreflightVerdict.evidence",
                "say why the image is bad");
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link PreflightVerdict}. Not thread-safe. */
    public static final class Builder extends ImmutablePreflightVerdict.Builder {
        Builder() {}
    }
}
