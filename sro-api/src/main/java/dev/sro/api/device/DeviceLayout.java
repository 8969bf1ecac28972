package dev.sro.api.device;

import dev.sro.api.Checks;
import java.util.List;
import java.util.Map;

/**
 * The partitions of one device. Immutable.
 *
 * @param device its id on the node: an index, a PCI address, a UUID
 * @param partitions profile names, each as often as there is a partition of it
 * @param starts first memory slice of each partition, as many as there are partitions; empty when the vendor does not
 *     choose places
 * @param modes modes of the device as a whole, by the vendor's own keys
 */
public record DeviceLayout(String device, List<String> partitions, List<Integer> starts, Map<String, String> modes) {

    /** Copies and checks. */
    public DeviceLayout {
        partitions = List.copyOf(partitions);
        starts = List.copyOf(starts);
        modes = Map.copyOf(modes);
        Checks.notBlank("DeviceLayout.device", device);
        Checks.require(
                starts.isEmpty() || starts.size() == partitions.size(),
                "DeviceLayout.starts",
                "one for each partition, or none");
    }
}
