package dev.sro.core.allocation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which claims have which devices. Not thread-safe. */
final class DeviceHolders {
    /** Devices by the UID of the claim that has them. */
    private final Map<String, Set<Place>> claims = new HashMap<>();
    /** Claims by pool and device. */
    private final Map<String, Map<String, Set<String>>> byDevice = new HashMap<>();

    /** A device. */
    record Place(String pool, String device) {}

    /**
     * Notes what a claim has now.
     *
     * @return names of the pools in which it has, or had, something
     */
    Set<String> put(String claim, Set<Place> now) {
        Set<Place> before = now.isEmpty() ? claims.remove(claim) : claims.put(claim, Set.copyOf(now));
        Set<String> pools = new HashSet<>();
        if (before != null) {
            before.forEach(place -> {
                own(place).remove(claim);
                pools.add(place.pool());
            });
        }
        now.forEach(place -> {
            own(place).add(claim);
            pools.add(place.pool());
        });
        return pools;
    }

    private Set<String> own(Place place) {
        return byDevice.computeIfAbsent(place.pool(), pool -> new HashMap<>())
                .computeIfAbsent(place.device(), device -> new TreeSet<>());
    }

    /** UIDs of the claims that have a device. */
    Set<String> of(String pool, String device) {
        return byDevice.getOrDefault(pool, Map.of()).getOrDefault(device, Set.of());
    }

    /** What a claim has. */
    Set<Place> places(String claim) {
        return claims.getOrDefault(claim, Set.of());
    }

    /** UIDs of the claims that have something of a GPU that overlaps with a device of it. */
    Set<String> inTheWay(FleetGpu gpu, FleetGpu.Slot device) {
        Set<String> found = new TreeSet<>();
        for (FleetGpu.Slot slot : gpu.slots()) {
            if ((slot.window() & device.window()) != 0) {
                found.addAll(of(gpu.pool(), slot.device().getName()));
            }
        }
        return found;
    }
}
