package dev.sro.core.dra;

import dev.sro.core.dra.GpuPlan.Scene;
import dev.sro.core.slicing.geometry.Geometry;
import io.fabric8.kubernetes.api.model.resource.v1.Counter;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCounterConsumption;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Works out what is to be published of each GPU. What takes a GPU, or a part of it, out of reach lowers its counters: devices stay listed, as
 * one of them may be allocated at this moment, and a device that is allocated and not listed gives its counters back.
 */
final class GpuPlanner {
    private static final BigDecimal MIB = BigDecimal.valueOf(1024 * 1024);

    private final DraNode node;
    private final DraOptions options;
    private final ModelTables.Cache tables;
    private final Set<String> allocated;
    private final PublishedPool published;
    private final List<String> notes;

    GpuPlanner(
            DraNode node,
            DraOptions options,
            ModelTables.Cache tables,
            Set<String> allocated,
            PublishedPool published,
            List<String> notes) {
        this.node = node;
        this.options = options;
        this.tables = tables;
        this.allocated = allocated;
        this.published = published;
        this.notes = notes;
    }

    /** A GPU that is gone, of which claims still have devices: those, and counters for nothing else. */
    GpuPlan lost(String name, List<Device> held) {
        notes.add("GPU " + name + " is not there, and claims have " + held.size() + " of its devices");
        Map<String, Long> used = used(held);
        return new GpuPlan(name, held, used, Optional.empty(), 0);
    }

    GpuPlan plan(DraGpu gpu, FirstChoices choices) {
        return gpu.model().isPresent() ? sliced(gpu, tables.of(gpu.model().get()), choices) : whole(gpu);
    }

    private GpuPlan whole(DraGpu gpu) {
        String name = DeviceNames.gpu(gpu.pciAddress());
        List<Device> devices = new ArrayList<>(held(name));
        boolean open = gpu.closed().isEmpty()
                && gpu.obstacles().isEmpty()
                && (gpu.faults().isEmpty() || options.server().taintsSafe());
        // Nothing overlaps it, so that it may be left out.
        if (devices.isEmpty() && open && gpu.whole()) {
            devices.add(settled(new DeviceFactory(node, gpu, options).whole(Map.of(), 0)));
        }
        return new GpuPlan(name, devices, used(devices), Optional.empty(), 0);
    }

    /** What claims have of a GPU, as it is published. */
    List<Device> held(String gpu) {
        List<Device> held = new ArrayList<>();
        for (String name : allocated) {
            Device device = published.device(name);
            if (device != null && PublishedPool.gpu(device).equals(gpu)) {
                held.add(device);
            }
        }
        return held;
    }

    private GpuPlan sliced(DraGpu gpu, ModelTables model, FirstChoices choices) {
        String name = DeviceNames.gpu(gpu.pciAddress());
        DeviceFactory factory = new DeviceFactory(node, gpu, options);
        Map<String, Integer> byName = names(gpu, model.geometry());
        Map<String, Device> held = new LinkedHashMap<>();
        held(name).forEach(device -> held.put(device.getName(), device));
        Map<String, Long> capacity = model.counters().capacity();
        GpuLoad load = load(gpu, model.geometry(), byName, held.keySet());
        boolean changed = held.values().stream().anyMatch(device -> !asNow(device, name, byName, model, factory));
        if (changed) {
            notes.add("GPU " + gpu.pciAddress() + ": claims have devices of it that would be published otherwise now;"
                    + " it takes nothing new until they are given back");
        }
        boolean open = gpu.closed().isEmpty()
                && !changed
                && (gpu.faults().isEmpty() || options.server().taintsSafe());
        Map<String, Long> counters = new TreeMap<>(used(List.copyOf(held.values())));
        capacity.forEach(
                (counter, most) -> counters.merge(counter, open ? left(gpu, model, counter, most) : 0, Math::max));
        GpuLoad reach = open ? load : GpuLoad.full(model.geometry());
        Scene scene = new Scene(model, reach);
        List<Integer> order =
                choices.order(name, model, reach, ListedPlacements.of(published.order(name), byName, published));
        List<Device> devices = devices(gpu, scene, order, held, choices.kept(name));
        return new GpuPlan(name, devices, counters, Optional.of(scene), open ? load.freeUnits() : 0);
    }

    /** What claims have as it is published, everything else anew; placements in this order, the whole GPU last. */
    private List<Device> devices(
            DraGpu gpu, Scene scene, List<Integer> order, Map<String, Device> held, boolean keptOrder) {
        Geometry geometry = scene.tables().geometry();
        SharedCounters counters = scene.tables().counters();
        DeviceFactory factory = new DeviceFactory(node, gpu, options);
        Map<String, Device> rest = new LinkedHashMap<>(held);
        List<Device> devices = new ArrayList<>();
        for (int placement : order) {
            String name = DeviceNames.placement(gpu.pciAddress(), geometry, placement);
            Device frozen = rest.remove(name);
            if (frozen != null) {
                devices.add(frozen);
            } else if (gpu.slices() || allocated.contains(name)) {
                int fresh = scene.tables().ranking().lossClass(scene.load(), placement);
                int lossClass = keptOrder ? published.lossClass(name, fresh) : fresh;
                devices.add(settled(factory.placement(geometry, placement, counters.use(placement), lossClass)));
            }
        }
        String whole = DeviceNames.gpu(gpu.pciAddress());
        Device frozen = rest.remove(whole);
        if (frozen != null) {
            devices.add(frozen);
        } else if (gpu.whole() || allocated.contains(whole)) {
            devices.add(settled(factory.whole(counters.capacity(), 0)));
        }
        devices.addAll(rest.values());
        return devices;
    }

    private static Map<String, Integer> names(DraGpu gpu, Geometry geometry) {
        Map<String, Integer> names = new LinkedHashMap<>();
        for (int placement = 0; placement < geometry.placements(); placement++) {
            names.put(DeviceNames.placement(gpu.pciAddress(), geometry, placement), placement);
        }
        return names;
    }

    private GpuLoad load(DraGpu gpu, Geometry geometry, Map<String, Integer> byName, Set<String> held) {
        if (allocated.contains(DeviceNames.gpu(gpu.pciAddress()))
                || !byName.keySet().containsAll(held)) {
            return GpuLoad.full(geometry);
        }
        long placements = 0;
        int blocked = 0;
        for (Map.Entry<String, Integer> entry : byName.entrySet()) {
            placements |= allocated.contains(entry.getKey()) ? 1L << entry.getValue() : 0;
        }
        for (DraObstacle obstacle : gpu.obstacles()) {
            int placement = placement(geometry, obstacle);
            placements |= placement < 0 ? 0 : 1L << placement;
            blocked |= placement < 0 ? units(geometry, obstacle) : 0;
        }
        return new GpuLoad(geometry, placements, blocked);
    }

    private static int placement(Geometry geometry, DraObstacle obstacle) {
        int profile = geometry.model().indexOf(obstacle.profile());
        return profile < 0 ? -1 : geometry.placement(profile, obstacle.start());
    }

    private static int units(Geometry geometry, DraObstacle obstacle) {
        int size = obstacle.size() > 0 ? obstacle.size() : geometry.units();
        return ((1 << size) - 1) << obstacle.start() & ((1 << geometry.units()) - 1);
    }

    private long left(DraGpu gpu, ModelTables model, String counter, long most) {
        long left = most;
        for (DraObstacle obstacle : gpu.obstacles()) {
            int placement = placement(model.geometry(), obstacle);
            left -= placement < 0
                    ? taken(model, obstacle, counter)
                    : model.counters().use(placement).getOrDefault(counter, 0L);
        }
        return Math.max(0, left);
    }

    // Of what nobody knows, its units and its share of memory are taken; of engines what is said.
    private static long taken(ModelTables model, DraObstacle obstacle, String counter) {
        int units = units(model.geometry(), obstacle);
        if (counter.startsWith(CounterCandidates.UNIT)) {
            return (long) units >>> Integer.parseInt(counter.substring(CounterCandidates.UNIT.length())) & 1;
        }
        if (counter.equals(DeviceFactory.MEMORY)) {
            long most = model.counters().capacity().getOrDefault(counter, 0L);
            return most * Integer.bitCount(units) / model.geometry().units();
        }
        return obstacle.engines().entrySet().stream()
                .filter(engine -> CounterCandidates.engine(engine.getKey()).equals(counter))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Whether a held device consumes what the same device would consume if it were published now. */
    private static boolean asNow(
            Device device, String gpu, Map<String, Integer> byName, ModelTables model, DeviceFactory factory) {
        Integer placement = byName.get(device.getName());
        if (placement == null && !device.getName().equals(gpu)) {
            return false;
        }
        Device now = placement == null
                ? factory.whole(model.counters().capacity(), 0)
                : factory.placement(
                        model.geometry(), placement, model.counters().use(placement), 0);
        return now.getConsumesCounters().equals(device.getConsumesCounters());
    }

    /** What devices consume, by counter, in the units of {@link SharedCounters}. */
    private static Map<String, Long> used(List<Device> devices) {
        Map<String, Long> used = new TreeMap<>();
        for (Device device : devices) {
            for (DeviceCounterConsumption use : device.getConsumesCounters()) {
                use.getCounters().forEach((name, counter) -> used.merge(name, value(name, counter), Long::sum));
            }
        }
        return used;
    }

    static long value(String name, Counter counter) {
        BigDecimal amount = counter.getValue().getNumericalAmount();
        return (name.equals(DeviceFactory.MEMORY) ? amount.divide(MIB) : amount).longValue();
    }

    /** With the times that the server gave to taints which are there already, so that nothing seems to have changed. */
    private Device settled(Device device) {
        Device before = published.device(device.getName());
        for (DeviceTaint taint : device.getTaints()) {
            taint.setTimeAdded(before == null ? null : timeAdded(before, taint));
        }
        return device;
    }

    private static @Nullable String timeAdded(Device before, DeviceTaint taint) {
        return before.getTaints().stream()
                .filter(old ->
                        old.getKey().equals(taint.getKey()) && old.getEffect().equals(taint.getEffect()))
                .findFirst()
                .map(DeviceTaint::getTimeAdded)
                .orElse(null);
    }
}
