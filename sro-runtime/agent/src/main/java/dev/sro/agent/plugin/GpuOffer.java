package dev.sro.agent.plugin;

import dev.sro.agent.device.Gpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

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

    /**
     * Why places cannot be given away; empty if they can. What kubelet gave already, it may give again.
     *
     * @param places of any GPU; only those of this one count
     * @param by who has a device, for the message
     */
    Optional<String> problem(List<PluginPlace> places, UnaryOperator<String> by) {
        List<PluginPlace> with = new ArrayList<>(taken);
        List<PluginPlace> fresh = new ArrayList<>();
        for (PluginPlace place : places) {
            if (place.gpu().equals(gpu.address())) {
                boolean known = listed.contains(place.id());
                if (!known || promised.contains(place.id())) {
                    fresh.add(place);
                }
                if (!known) {
                    with.add(place);
                }
            }
        }
        if (fresh.isEmpty()) {
            return Optional.empty();
        }
        if (closed.isPresent()) {
            return Optional.of(fresh.get(0) + " cannot be had: " + closed.get());
        }
        if (!healthy || tables.filter(one -> one.layout(with).isPresent()).isEmpty()) {
            return Optional.of(fresh.get(0) + " cannot be had beside "
                    + taken.stream()
                            .map(place -> place.profile() + " at " + place.start() + by.apply(place.id()))
                            .toList());
        }
        return Optional.empty();
    }
}
