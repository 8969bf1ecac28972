package dev.sro.agent.plugin;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** What pods of the node have by device plugins. Thread-safe. */
public interface KubeletUse {
    /**
     * Devices that containers have, with the pod, {@code namespace/name}. Plain init containers are not told of.
     *
     * @throws IOException if kubelet does not say
     */
    Map<String, String> devices() throws IOException;

    /**
     * Resources of which a pod of the node asks, that has not ended, and of which kubelet does not tell what it has: it is being admitted, has it for an init container,
     * or kubelet has only just started.
     *
     * @throws IOException if nobody can say
     */
    Set<String> untold() throws IOException;
}
