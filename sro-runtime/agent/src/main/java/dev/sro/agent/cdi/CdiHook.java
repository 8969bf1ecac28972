package dev.sro.agent.cdi;

import java.util.List;

/**
 * A program of the host that the container runtime runs when all mounts of a container are made, and before anything of it runs
 * ({@code createContainer}). Immutable.
 *
 * @param path of the program, as the container runtime sees it
 * @param arguments with its name first
 */
public record CdiHook(String path, List<String> arguments) {
    /** Copies the arguments. */
    public CdiHook {
        arguments = List.copyOf(arguments);
    }
}
