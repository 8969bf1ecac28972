package dev.sro.agent.plugin;

import dev.sro.agent.device.Gpu;
import java.util.Optional;

/** Whether slices of a GPU are offered by device plugins now. Thread-safe. */
public interface PluginExposure {
    /** Whether the node offers slices by device plugins at all. */
    boolean offered();

    /** Why nothing new of a GPU can be had by them; empty if it can. */
    Optional<String> closed(Gpu gpu);

    /** Whether containers may go on with what they have of a GPU. */
    boolean healthy(Gpu gpu);
}
