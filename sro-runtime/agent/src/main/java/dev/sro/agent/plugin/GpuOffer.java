package dev.sro.agent.plugin;

import dev.sro.agent.device.Gpu;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A GPU as far as the device plugins go. Immutable.
 *
 * @param gpu as the driver has it
 * @param tables of its model; empty if the catalogue does not know it
 * @param closed why nothing new of it can be had
 * @param healthy whether containers may go on with what they have
 * @param taken all that is there or given away, whoever has it
 * @param listed ids of those that kubelet has to know: it gave them, or is about to
 * @param promised ids of those among them that nobody has yet
 */
record GpuOffer(
        Gpu gpu,
        Optional<GpuTables> tables,
        Optional<String> closed,
        boolean healthy,
        List<PluginPlace> taken,
        Set<String> listed,
        Set<String> promised) {
    GpuOffer {
        taken = List.copyOf(taken);
        listed = Set.copyOf(listed);
        promised = Set.copyOf(promised);
    }
}
