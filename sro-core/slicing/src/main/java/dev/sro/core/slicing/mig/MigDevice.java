package dev.sro.core.slicing.mig;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.PciId;
import java.util.Optional;

/**
 * A device of a node. Immutable.
 *
 * @param index as NVML counts, from 0
 * @param model empty if the device cannot be sliced
 * @param pciId in any spelling that {@link PciId#parse} knows; empty to go by the ids of the model
 */
public record MigDevice(int index, Optional<DeviceModel> model, String pciId) {
    /** A device that can be sliced, known by its model's PCI ids. */
    public MigDevice(int index, DeviceModel model) {
        this(index, Optional.of(model), "");
    }

    boolean hasPciId(String filter) {
        Optional<PciId> wanted = PciId.parse(filter);
        if (wanted.isEmpty()) {
            return false;
        }
        if (!pciId.isEmpty()) {
            return PciId.parse(pciId).filter(own -> own.agrees(wanted.get())).isPresent();
        }
        return model.filter(known -> known.pciDeviceIds().stream()
                        .map(id -> new PciId(known.pciVendorId(), id))
                        .anyMatch(own -> own.agrees(wanted.get())))
                .isPresent();
    }
}
