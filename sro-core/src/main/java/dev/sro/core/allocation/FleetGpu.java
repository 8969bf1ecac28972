package dev.sro.core.allocation;

import dev.sro.core.claim.DeviceMatch;
import dev.sro.core.claim.DeviceTaints;
import dev.sro.core.dra.GpuLoad;
import dev.sro.core.dra.PublishedFleet;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A GPU as it is published: its devices, and which of them are what placement. Immutable but for what it remembers of selectors; not thread-safe. */
final class FleetGpu {
    /** The placement of the whole GPU. */
    static final int WHOLE = -1;

    /** Lists of selectors that are remembered. */
    private static final int MOST_SELECTORS = 64;

    private static final String SLASH = "/";

    /**
     * A device of it.
     *
     * @param placement in the geometry of what is left of the model, or {@link #WHOLE}; empty for one that is out of reach
     * @param window units of it in the whole model
     */
    record Slot(Device device, Optional<Integer> placement, int window) {}

    private final String id;
    private final String pool;
    private final String driver;
    private final Optional<Geometry> geometry;
    private final boolean wholeToBeHad;
    private final Map<String, Slot> slots = new LinkedHashMap<>();
    private final Map<String, Set<String>> untainted = new HashMap<>();
    private final Map<String, List<Device>> tainted = new HashMap<>();
    private final Map<List<String>, Set<String>> selected = new HashMap<>();

    /** A GPU with placements. */
    FleetGpu(PublishedFleet.Gpu gpu, String pool, Function<DeviceModel, Geometry> geometries) {
        this.id = gpu.id();
        this.pool = pool;
        this.driver = gpu.driver();
        this.geometry = gpu.usable().map(geometries);
        this.wholeToBeHad = gpu.usable().isPresent() && gpu.closedUnits() == 0;
        for (PublishedFleet.Place place : gpu.places()) {
            int units = gpu.model().memoryUnits();
            int size = place.profile().isEmpty()
                    ? units
                    : gpu.model().profile(place.profile()).orElseThrow().size();
            slots.put(
                    place.device().getName(),
                    new Slot(place.device(), placement(place), ((1 << size) - 1) << place.start()));
        }
    }

    /** A device that shares nothing with others. */
    FleetGpu(String node, String pool, String driver, Device device) {
        this.id = node + SLASH + device.getName();
        this.pool = pool;
        this.driver = driver;
        this.geometry = Optional.empty();
        this.wholeToBeHad = true;
        slots.put(device.getName(), new Slot(device, Optional.of(WHOLE), 1));
    }

    private Optional<Integer> placement(PublishedFleet.Place place) {
        if (place.profile().isEmpty()) {
            return wholeToBeHad ? Optional.of(WHOLE) : Optional.empty();
        }
        return geometry.flatMap(known -> {
            int profile = known.model().indexOf(place.profile());
            int placement = profile < 0 ? -1 : known.placement(profile, place.start());
            return placement < 0 ? Optional.empty() : Optional.of(placement);
        });
    }

    String id() {
        return id;
    }

    String pool() {
        return pool;
    }

    Optional<Geometry> geometry() {
        return geometry;
    }

    Collection<Slot> slots() {
        return slots.values();
    }

    @Nullable Slot slot(String device) {
        return slots.get(device);
    }

    /** Names of its devices that lack a taint. */
    Set<String> without(String taint) {
        Set<String> names = untainted.get(taint);
        if (names == null) {
            names = slots.values().stream()
                    .map(Slot::device)
                    .filter(device -> device.getTaints().stream().noneMatch(one -> taint.equals(one.getKey())))
                    .map(Device::getName)
                    .collect(Collectors.toSet());
            untainted.put(taint, names);
        }
        return names;
    }

    /** Its devices with a taint besides this one that keeps claims away which tolerate nothing. */
    List<Device> tainted(String but) {
        return tainted.computeIfAbsent(
                but,
                key -> slots.values().stream()
                        .map(Slot::device)
                        .filter(device ->
                                DeviceTaints.against(device, List.of(), key).isPresent())
                        .toList());
    }

    /**
     * What is on it when these of its devices are had, and others are kept for somebody. What is kept counts as had; where somebody has of it still, units
     * alone can be counted.
     */
    GpuUse use(Set<String> had, Set<String> kept) {
        GpuUse now = use(had);
        if (kept.isEmpty()) {
            return now;
        }
        Set<String> all = new HashSet<>(had);
        all.addAll(kept);
        GpuUse both = use(all);
        if (geometry.isEmpty()
                || now.load().isEmpty()
                || both.load().isEmpty()
                || both.load().get().blocked() == now.load().get().blocked()) {
            return both;
        }
        int blocked = now.load().get().blocked();
        for (String name : kept) {
            Slot slot = slots.get(name);
            blocked |= slot == null ? 0 : slot.window();
        }
        return new GpuUse(
                Optional.of(new GpuLoad(geometry.get(), now.load().get().placements(), blocked)), true);
    }

    /** What is on it when these of its devices are had. */
    GpuUse use(Set<String> had) {
        if (had.isEmpty() || geometry.isEmpty()) {
            return new GpuUse(geometry.map(known -> new GpuLoad(known, 0, 0)), !had.isEmpty());
        }
        long placements = 0;
        int blocked = 0;
        for (String name : had) {
            Slot slot = slots.get(name);
            if (slot == null || slot.placement().equals(Optional.of(WHOLE))) {
                return new GpuUse(Optional.of(GpuLoad.full(geometry.get())), true);
            }
            placements |= slot.placement().map(placement -> 1L << placement).orElse(0L);
            blocked |= slot.placement().isEmpty() ? slot.window() : 0;
        }
        return new GpuUse(Optional.of(new GpuLoad(geometry.get(), placements, blocked)), true);
    }

    /** Names of the devices that these selectors select. */
    Set<String> selected(List<String> selectors) {
        Set<String> known = selected.get(selectors);
        if (known == null) {
            if (selected.size() >= MOST_SELECTORS) {
                selected.clear();
            }
            DeviceMatch match = new DeviceMatch(selectors);
            known = new HashSet<>();
            for (Slot slot : slots.values()) {
                if (match.selects(driver, slot.device())) {
                    known.add(slot.device().getName());
                }
            }
            selected.put(selectors, known);
        }
        return known;
    }

    /** An attribute with its domain; empty if the device does not have it. */
    Optional<Object> attribute(Device device, String name) {
        DeviceAttribute found = device.getAttributes().get(name);
        if (found == null && name.startsWith(driver + SLASH)) {
            found = device.getAttributes().get(name.substring(driver.length() + 1));
        }
        return Optional.ofNullable(found)
                .map(value -> value.getString() != null
                        ? value.getString()
                        : value.getInt() != null
                                ? value.getInt()
                                : value.getBool() != null ? value.getBool() : "version " + value.getVersion());
    }
}
