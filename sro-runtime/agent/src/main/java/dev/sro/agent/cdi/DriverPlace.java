package dev.sro.agent.cdi;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where NVIDIA's driver is, as seen from the agent and as seen from container runtimes, which are on the host. Immutable.
 *
 * @param root of the driver, as mounted here
 * @param onHost the same, as the host has it: {@code /}, or {@code /run/nvidia/driver} of a driver container
 * @param host the root of the host, as mounted here, to look whether hooks are there; empty if it is not mounted
 * @param hooks where {@code nvidia-cdi-hook} may be on the host, the first one that is there is used. Where the host is not mounted the
 *     first one is taken to be there
 */
public record DriverPlace(Path root, Path onHost, Optional<Path> host, List<String> hooks) {
    /** Of packages, and of NVIDIA's toolkit container. */
    private static final List<String> USUAL =
            List.of("/usr/bin/nvidia-cdi-hook", "/usr/local/nvidia/toolkit/nvidia-cdi-hook");

    /** In place of a path: no hook is used. */
    private static final String NONE = "none";

    /** Copies the list. */
    public DriverPlace {
        hooks = List.copyOf(hooks);
    }

    /**
     * With the hook that somebody names, and the usual ones.
     *
     * @param hook path on the host, or {@code none}
     */
    public static DriverPlace of(Path root, Path onHost, Optional<Path> host, Optional<String> hook) {
        if (hook.equals(Optional.of(NONE))) {
            return new DriverPlace(root, onHost, host, List.of());
        }
        List<String> hooks = new ArrayList<>();
        hook.ifPresent(hooks::add);
        if (host.isPresent()) {
            hooks.addAll(USUAL);
        }
        return new DriverPlace(root, onHost, host, hooks);
    }
}
