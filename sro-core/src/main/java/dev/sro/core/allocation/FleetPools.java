package dev.sro.core.allocation;

import dev.sro.core.allocation.DeviceHolders.Place;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pools by name and by node. Not thread-safe. */
final class FleetPools {
    private final Map<String, FleetPool> byName = new TreeMap<>();
    private final Map<String, Set<String>> ofNode = new HashMap<>();

    /** A place of a GPU that is cut. */
    record Cut(Geometry geometry, int placement) {}

    void put(String name, FleetPool pool) {
        byName.put(name, pool);
        ofNode.computeIfAbsent(pool.node(), node -> new TreeSet<>()).add(name);
    }

    void remove(String name) {
        FleetPool before = byName.remove(name);
        if (before != null) {
            ofNode.computeIfPresent(before.node(), (node, own) -> {
                own.remove(name);
                return own.isEmpty() ? null : own;
            });
        }
    }

    @Nullable FleetPool get(String name) {
        return byName.get(name);
    }

    /** By name. */
    Collection<FleetPool> all() {
        return byName.values();
    }

    /** Those of which something is given, by name. */
    Stream<FleetPool> usable() {
        return byName.values().stream().filter(pool -> pool.problem().isEmpty());
    }

    /** The GPUs of a node of which something is given. */
    Stream<FleetGpu> gpus(String node) {
        return ofNode.getOrDefault(node, Set.of()).stream()
                .flatMap(name -> Optional.ofNullable(byName.get(name)).stream())
                .filter(pool -> pool.problem().isEmpty())
                .flatMap(pool -> pool.gpus().stream());
    }

    /** The GPUs of one model, cut to the same places. */
    List<FleetGpu> gpus(Geometry geometry) {
        return byName.values().stream()
                .flatMap(pool -> pool.gpus().stream())
                .filter(gpu -> gpu.geometry().filter(geometry::equals).isPresent())
                .toList();
    }

    /** The device of a place with its GPU; none if its pool is not known. */
    Stream<FleetGpu.Slot> slots(Place place) {
        FleetPool pool = byName.get(place.pool());
        return pool == null
                ? Stream.empty()
                : pool.gpus().stream().flatMap(gpu -> Optional.ofNullable(gpu.slot(place.device())).stream());
    }

    /** What a place is; empty for a whole GPU, and for one that is not known. */
    Optional<Cut> cut(Place place) {
        FleetPool pool = byName.get(place.pool());
        for (FleetGpu gpu : pool == null ? List.<FleetGpu>of() : pool.gpus()) {
            FleetGpu.Slot slot = gpu.slot(place.device());
            if (slot != null) {
                return slot.placement()
                        .filter(placement -> placement != FleetGpu.WHOLE)
                        .flatMap(placement -> gpu.geometry().map(geometry -> new Cut(geometry, placement)));
            }
        }
        return Optional.empty();
    }
}
