package dev.sro.agent.emulated;

import dev.sro.agent.device.GpuMode;
import dev.sro.core.slicing.catalogue.DeviceModel;

/**
 * GPUs of one kind in a node. Immutable.
 *
 * @param model what they are
 * @param count how many
 * @param mode whether they are cut
 * @param resettable whether they can be reset; clouds have some that cannot
 */
public record EmulatedGpus(DeviceModel model, int count, GpuMode mode, boolean resettable) {
    /** That can be reset. */
    public EmulatedGpus(DeviceModel model, int count, GpuMode mode) {
        this(model, count, mode, true);
    }
}
