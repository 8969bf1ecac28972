package dev.sro.agent.plugin;

import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.device.ProfileNames;
import dev.sro.agent.slice.Holding;
import dev.sro.agent.slice.WantedSlice;
import java.util.List;
import java.util.Optional;

/**
 * A place of a GPU as a device of a device plugin: its id says where it is, so that it means the same after any restart. Immutable.
 *
 * @param id as kubelet has it, the name that it has in ResourceSlices, too
 * @param gpu where it is
 * @param profile name of the profile
 * @param start first memory unit
 */
record PluginPlace(String id, PciAddress gpu, String profile, int start) {
    static PluginPlace of(PciAddress gpu, String profile, int start) {
        return new PluginPlace(ProfileNames.device(gpu, profile, start), gpu, profile, start);
    }

    static PluginPlace of(Holding holding) {
        return new PluginPlace(
                holding.device(),
                holding.place().gpu(),
                holding.place().profile(),
                holding.place().start());
    }

    /** The place of an id; empty if these GPUs have none. */
    static Optional<PluginPlace> find(List<Gpu> gpus, String id) {
        for (Gpu gpu : gpus) {
            for (DriverProfile profile : gpu.profiles()) {
                for (int start : profile.starts()) {
                    if (ProfileNames.device(gpu.address(), profile.name(), start)
                            .equals(id)) {
                        return Optional.of(new PluginPlace(id, gpu.address(), profile.name(), start));
                    }
                }
            }
        }
        return Optional.empty();
    }

    WantedSlice wanted() {
        return new WantedSlice(id, gpu, profile, start);
    }

    /** For messages. */
    @Override
    public String toString() {
        return profile + " at " + start + " of " + gpu;
    }
}
