package dev.sro.api.device;

import dev.sro.api.Checks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.immutables.value.Value;

/**
 * A program that CRI-O and podman run for the containers that fit; a file of their hooks directory, version 1.0.0. Where all
 * conditions are left out, it runs for every container. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class OciHook {

    private static final Set<String> STAGES =
            Set.of("prestart", "createRuntime", "createContainer", "startContainer", "poststart", "poststop");

    OciHook() {}

    /** Of the file, without {@code .json}: hooks run in the order of these names. */
    public abstract String name();

    /** The program, absolute, on the host. */
    public abstract String path();

    /** With the program's name first; the path alone when empty. */
    public abstract List<String> arguments();

    /** Environment of the program. */
    public abstract Map<String, String> environment();

    /** The time limit in seconds; none without it. */
    public abstract Optional<Integer> timeoutSeconds();

    /** The moment at which it runs: {@code prestart}, {@code createRuntime} and so on, as the OCI runtime specification names them. */
    public abstract List<String> stages();

    /** Regular expressions for key and value of annotations, each of which one of the container has to fit. */
    public abstract Map<String, String> annotations();

    /** Regular expressions of which the program of the container has to fit one. */
    public abstract List<String> commands();

    /** Only for containers with bind mounts, or only for those without. */
    public abstract Optional<Boolean> hasBindMounts();

    @Value.Check
    void check() {
        Checks.require(
                name().matches("[A-Za-z0-9][A-Za-z0-9._-]*"),
                "OciHook.name",
                "\"" + name() + "\" must be a file name without a path");
        Checks.absolutePath("OciHook.path", path());
        Checks.require(!stages().isEmpty(), "OciHook.stages", "name at least one");
        Checks.noDuplicates("OciHook.stages", stages());
        stages().forEach(stage -> Checks.require(
                STAGES.contains(stage),
                "OciHook.stages",
                "\"" + stage + "\" must be one of " + STAGES.stream().sorted().toList()));
        timeoutSeconds().ifPresent(seconds -> Checks.range("OciHook.timeoutSeconds", seconds, 1, Integer.MAX_VALUE));
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link OciHook}. Not thread-safe. */
    public static final class Builder extends ImmutableOciHook.Builder {
        Builder() {}
    }
}
