package dev.sro.api.device;

import dev.sro.api.Checks;
import java.util.List;
import java.util.Set;

/**
 * A program of the host that the container runtime runs; {@code hooks} of the Container Device Interface. Immutable.
 *
 * @param when one of {@code prestart}, {@code createRuntime}, {@code createContainer}, {@code startContainer},
 *     {@code poststart} and {@code poststop}, as the OCI runtime specification names them
 * @param path absolute, on the host
 * @param arguments with the program's name first
 * @since 0.1.0
 */
public record CdiHook(String when, String path, List<String> arguments) {

    private static final Set<String> MOMENTS =
            Set.of("prestart", "createRuntime", "createContainer", "startContainer", "poststart", "poststop");

    /** Copies and checks. */
    public CdiHook {
        arguments = List.copyOf(arguments);
        Checks.require(
                MOMENTS.contains(when),
                "CdiHook.when",
                "\"" + when + "\" must be one of " + MOMENTS.stream().sorted().toList());
        Checks.absolutePath("CdiHook.path", path);
    }
}
