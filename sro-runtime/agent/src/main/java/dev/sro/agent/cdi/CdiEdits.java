package dev.sro.agent.cdi;

import java.util.List;
import java.util.Map;

/**
 * What is put into a container. Immutable.
 *
 * @param environment variables by name
 * @param nodes device nodes, in the container at the path that they have on the host
 * @param mounts files of the host
 * @param hooks run in this order
 */
public record CdiEdits(
        Map<String, String> environment, List<String> nodes, List<CdiMount> mounts, List<CdiHook> hooks) {
    /** Copies the collections. */
    public CdiEdits {
        environment = Map.copyOf(environment);
        nodes = List.copyOf(nodes);
        mounts = List.copyOf(mounts);
        hooks = List.copyOf(hooks);
    }

    /** Without mounts and hooks. */
    public CdiEdits(Map<String, String> environment, List<String> nodes) {
        this(environment, nodes, List.of(), List.of());
    }
}
