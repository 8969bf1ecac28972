package dev.sro.core.slicing.mig;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One entry of a named configuration: which devices, and how they are sliced. Immutable.
 *
 * @param deviceFilter PCI ids as NVML gives them ({@code 0x20B010DE}); empty for any device
 * @param devices indexes on the node; empty for all
 * @param migEnabled whether MIG mode is on
 * @param migDevices instances by profile, such as {@code 1g.10gb+me} or {@code 1c.3g.40gb}, in the order of the file
 */
public record MigEntry(
        List<String> deviceFilter,
        Optional<List<Integer>> devices,
        boolean migEnabled,
        Map<String, Integer> migDevices) {
    /** Copies the collections. */
    public MigEntry {
        deviceFilter = List.copyOf(deviceFilter);
        devices = devices.map(List::copyOf);
        migDevices = Collections.unmodifiableMap(new LinkedHashMap<>(migDevices));
    }

    /** Whether filter and index say that this entry is about a device. */
    boolean isAbout(MigDevice device) {
        return devices.map(indexes -> indexes.contains(device.index())).orElse(true)
                && (deviceFilter.isEmpty() || deviceFilter.stream().anyMatch(device::hasPciId));
    }
}
