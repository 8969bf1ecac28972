package dev.sro.agent.cdi;

import java.util.List;
import java.util.Map;

/**
 * What is put into a container. Immutable.
 *
 * @param environment variables by name
 * @param nodes device nodes, in the container at the path that they have on the host
 */
public record CdiEdits(Map<String, String> environment, List<String> nodes) {
    /** Copies the collections. */
    public CdiEdits {
        environment = Map.copyOf(environment);
        nodes = List.copyOf(nodes);
    }
}
