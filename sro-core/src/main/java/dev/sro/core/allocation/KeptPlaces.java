package dev.sro.core.allocation;

import dev.sro.core.claim.DeviceTaints;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Places that are kept for somebody who does not have them yet. Not thread-safe. */
final class KeptPlaces {
    private final Map<String, List<PlacedDevice>> byOwner = new TreeMap<>();

    void put(String owner, List<PlacedDevice> devices) {
        byOwner.put(owner, List.copyOf(devices));
    }

    /** Those that were kept. */
    List<PlacedDevice> remove(String owner) {
        List<PlacedDevice> before = byOwner.remove(owner);
        return before == null ? List.of() : before;
    }

    List<PlacedDevice> of(String owner) {
        return byOwner.getOrDefault(owner, List.of());
    }

    /** Names of a GPU's devices that are kept for others than this one. */
    Set<String> names(FleetGpu gpu, String but) {
        if (byOwner.isEmpty()) {
            return Set.of();
        }
        Set<String> names = new HashSet<>();
        byOwner.forEach((owner, devices) -> {
            if (!owner.equals(but)) {
                devices.stream()
                        .filter(device -> device.pool().equals(gpu.pool()) && gpu.slot(device.device()) != null)
                        .forEach(device -> names.add(device.device()));
            }
        });
        return names;
    }

    /** Whether all of these can be had at a time. */
    static boolean canHave(FleetView fleet, List<PlacedDevice> devices) {
        Map<FleetGpu, GpuUse> uses = new HashMap<>();
        for (PlacedDevice device : devices) {
            Optional<FleetGpu> found = fleet.gpus(device.node()).stream()
                    .filter(gpu -> gpu.pool().equals(device.pool()) && gpu.slot(device.device()) != null)
                    .findFirst();
            FleetGpu.Slot slot = found.isEmpty() ? null : found.get().slot(device.device());
            if (slot == null
                    || slot.placement().isEmpty()
                    || DeviceTaints.against(slot.device(), device.tolerations(), fleet.taint())
                            .isPresent()) {
                return false;
            }
            GpuUse use = uses.computeIfAbsent(found.get(), fleet::use);
            if (!use.fits(slot.placement().get())) {
                return false;
            }
            uses.put(found.get(), use.with(slot.placement().get()));
        }
        return true;
    }
}
