package dev.sro.api.device;

import dev.sro.api.Checks;
import java.util.List;
import java.util.Map;
import org.immutables.value.Value;

/**
 * Edits of a container that uses a device; {@code containerEdits} of the Container Device Interface. Immutable.
 *
 * @since 0.1.0
 */
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

    /** Groups that the container's process is in beside its own. */
    public abstract List<Long> additionalGroups();

    /** Network interfaces that move into the container: the name in the container by the name on the host. */
    public abstract Map<String, String> networkDevices();

    /** Whether a container gets nothing. */
    public final boolean isEmpty() {
        return environment().isEmpty()
                && nodes().isEmpty()
                && mounts().isEmpty()
                && hooks().isEmpty()
                && additionalGroups().isEmpty()
                && networkDevices().isEmpty();
    }

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
        additionalGroups().forEach(group -> Checks.range("ContainerEdits.additionalGroups", group, 1, 4_294_967_295L));
        networkDevices().forEach((host, name) -> {
            checkInterface(host);
            checkInterface(name);
        });
        Checks.noDuplicates("ContainerEdits.networkDevices", networkDevices().values());
    }

    /** As the kernel has it: up to 15 bytes, neither a slash nor white space. */
    private static void checkInterface(String name) {
        Checks.require(
                name.matches("[^/\\s]{1,15}"),
                "ContainerEdits.networkDevices",
                "\"" + name + "\" must be the name of a network interface");
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
