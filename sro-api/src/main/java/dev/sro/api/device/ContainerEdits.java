package dev.sro.api.device;

import dev.sro.api.Checks;
import java.util.List;
import java.util.Map;
import org.immutables.value.Value;

/** What a container gets that uses a device; {@code containerEdits} of the Container Device Interface. Immutable. */
@Value.Immutable
@ValueStyle
public abstract class ContainerEdits {

    ContainerEdits() {}

    /** Environment variables. */
    public abstract Map<String, String> environment();

    /** Device nodes. */
    public abstract List<CdiNode> nodes();

    /** Libraries, programs and directories of the host. */
    public abstract List<CdiMount> mounts();

    /** Programs that the runtime runs. */
    public abstract List<CdiHook> hooks();

    @Value.Check
    void check() {
        environment()
                .keySet()
                .forEach(name -> Checks.require(
                        name.matches("[A-Za-z_][A-Za-z0-9_]*"),
                        "ContainerEdits.environment",
                        "\"" + name + "\" must be the name of an environment variable"));
        Checks.noDuplicates(
                "ContainerEdits.nodes", nodes().stream().map(CdiNode::path).toList());
        Checks.noDuplicates(
                "ContainerEdits.mounts",
                mounts().stream().map(CdiMount::containerPath).toList());
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link ContainerEdits}. Not thread-safe. */
    public static final class Builder extends ImmutableContainerEdits.Builder {
        Builder() {}
    }
}
