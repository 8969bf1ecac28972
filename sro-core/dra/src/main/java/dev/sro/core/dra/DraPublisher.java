package dev.sro.core.dra;

import dev.sro.core.slicing.catalogue.DeviceModel;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The door of this package: turns a node into the ResourceSlices that it publishes.
 *
 * <p>Pure: what comes out depends on the arguments alone. Truth about what is published is what the API server has, so it is an argument,
 * and nothing is remembered but tables of models. Thread-safe.
 *
 * <p>What it promises: every legal placement of every profile that a GPU offers is listed, and the counters admit exactly the legal layouts
 * (where {@link SharedCounters#exact()}). A device that a claim has is listed as long as it has it, as it was published, whatever became of its
 * GPU. What takes something out of reach lowers counters. Names depend on node, driver, PCI address, profile and start alone.
 */
public final class DraPublisher {
    private final DraOptions options;
    private final ModelTables.Cache tables;

    private DraPublisher(DraOptions options) {
        this.options = options;
        this.tables = new ModelTables.Cache(options);
    }

    /** A publisher with these options. */
    public static DraPublisher of(DraOptions options) {
        return new DraPublisher(options);
    }

    /** The options that it was made with. */
    public DraOptions options() {
        return options;
    }

    /** Name of the pool of a node. */
    public String pool(String node) {
        return DeviceNames.pool(node, options.driver());
    }

    /** The counters of a model. */
    public SharedCounters counters(DeviceModel model) {
        return tables.of(model).counters();
    }

    /** As {@link #publish(DraNode, Set, List, Set)}, without any detail. */
    public DraPublication publish(DraNode node, Set<String> allocated, List<ResourceSlice> current) {
        return publish(node, allocated, current, Set.of());
    }

    /**
     * What the node is to publish.
     *
     * @param allocated names of the devices of this pool that claims have, by the API and by what the node knows itself
     * @param current slices that the API server has; those of other pools and drivers are skipped
     * @param details what is brought up to date besides
     * @throws IllegalArgumentException if it would exceed what the server takes, see {@link DraLimits}
     */
    public DraPublication publish(
            DraNode node, Set<String> allocated, List<ResourceSlice> current, Set<DraDetail> details) {
        PublishedPool published = new PublishedPool(current, options.driver(), pool(node.name()));
        List<String> notes = new ArrayList<>();
        GpuPlanner planner = new GpuPlanner(node, options, tables, allocated, published, notes);
        Map<String, DraGpu> gpus = new TreeMap<>();
        node.gpus().forEach(gpu -> gpus.put(DeviceNames.gpu(gpu.pciAddress()), gpu));
        Map<String, List<Device>> lost = lost(allocated, published, gpus.keySet(), notes);
        TreeSet<String> names = new TreeSet<>(gpus.keySet());
        names.addAll(lost.keySet());
        List<String> places = places(names, published);
        if (details.contains(DraDetail.GPU_ORDER) && options.server().takesSlicesByName()) {
            places = byFreeUnits(places, gpus, planner);
        }
        FirstChoices choices = new FirstChoices(options, details);
        List<Optional<GpuPlan>> plans = new ArrayList<>();
        for (String name : places) {
            DraGpu gpu = gpus.get(name);
            plans.add(
                    name.isEmpty()
                            ? Optional.empty()
                            : Optional.of(
                                    gpu == null
                                            ? planner.lost(name, lost.getOrDefault(name, List.of()))
                                            : planner.plan(gpu, choices)));
        }
        node.gpus().stream()
                .flatMap(gpu -> gpu.model().stream())
                .distinct()
                .forEach(model -> notes.addAll(tables.of(model).counters().notes().stream()
                        .map(note -> model.key() + ": " + note)
                        .toList()));
        return new PoolWriter(node, options, published).write(plans, notes);
    }

    /** What a device name of a node stands for; empty if it is none of its GPUs'. */
    public Optional<DraDevice> device(DraNode node, String name) {
        for (DraGpu gpu : node.gpus()) {
            String whole = DeviceNames.gpu(gpu.pciAddress());
            if (name.equals(whole)) {
                return Optional.of(new DraDevice(name, gpu.pciAddress(), "", 0));
            }
            Optional<DraDevice> found = gpu.model()
                    .filter(model -> name.startsWith(whole))
                    .flatMap(model -> placement(gpu, tables.of(model), name));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** The name under which a placement of a GPU is published. */
    public Optional<String> deviceName(DraGpu gpu, String profile, int start) {
        return gpu.model().map(tables::of).flatMap(model -> {
            int index = model.geometry().model().indexOf(profile);
            int placement = index < 0 ? -1 : model.geometry().placement(index, start);
            return placement < 0
                    ? Optional.empty()
                    : Optional.of(DeviceNames.placement(gpu.pciAddress(), model.geometry(), placement));
        });
    }

    /** The name under which a whole GPU is published. */
    public String deviceName(DraGpu gpu) {
        return DeviceNames.gpu(gpu.pciAddress());
    }

    private static Optional<DraDevice> placement(DraGpu gpu, ModelTables model, String name) {
        for (int placement = 0; placement < model.geometry().placements(); placement++) {
            if (DeviceNames.placement(gpu.pciAddress(), model.geometry(), placement)
                    .equals(name)) {
                return Optional.of(new DraDevice(
                        name,
                        gpu.pciAddress(),
                        model.geometry()
                                .profile(model.geometry().profileOf(placement))
                                .name(),
                        model.geometry().startOf(placement)));
            }
        }
        return Optional.empty();
    }

    /** Devices that claims have of GPUs that are not there, by GPU. */
    private static Map<String, List<Device>> lost(
            Set<String> allocated, PublishedPool published, Set<String> gpus, List<String> notes) {
        Map<String, List<Device>> lost = new TreeMap<>();
        for (String name : new TreeSet<>(allocated)) {
            Device device = published.device(name);
            if (device != null && !gpus.contains(PublishedPool.gpu(device))) {
                lost.computeIfAbsent(PublishedPool.gpu(device), gpu -> new ArrayList<>())
                        .add(device);
            } else if (device == null && gpus.stream().noneMatch(name::startsWith)) {
                notes.add("device " + name + " is had by a claim, but its GPU is not there and it is not published:"
                        + " nothing is known of it");
            }
        }
        return lost;
    }

    /** GPUs by the number of their slice, with empty names where a number is not used; new ones get the lowest numbers that are free. */
    private static List<String> places(Set<String> names, PublishedPool published) {
        Map<Integer, String> taken = new TreeMap<>();
        List<String> fresh = new ArrayList<>();
        for (String name : names) {
            OptionalInt place = published.place(name);
            if (place.isEmpty() || taken.putIfAbsent(place.getAsInt(), name) != null) {
                fresh.add(name);
            }
        }
        List<String> places = new ArrayList<>();
        while (!taken.isEmpty() || !fresh.isEmpty()) {
            String name = taken.remove(places.size());
            places.add(name != null ? name : fresh.isEmpty() ? "" : fresh.remove(0));
        }
        return places;
    }

    private List<String> byFreeUnits(List<String> places, Map<String, DraGpu> gpus, GpuPlanner planner) {
        Map<String, Integer> free = new LinkedHashMap<>();
        for (String name : places) {
            DraGpu gpu = gpus.get(name);
            int units = gpu == null
                    ? 0
                    : planner.plan(gpu, new FirstChoices(options, Set.of())).freeUnits();
            if (!name.isEmpty()) {
                free.put(name, units == 0 ? Integer.MAX_VALUE : units);
            }
        }
        return free.keySet().stream()
                .sorted(Comparator.comparing(name -> free.getOrDefault(name, 0)))
                .collect(Collectors.toList());
    }
}
