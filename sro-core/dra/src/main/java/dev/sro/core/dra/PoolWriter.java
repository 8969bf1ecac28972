package dev.sro.core.dra;

import dev.sro.core.dra.DraPublication.Change;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.CounterSet;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.ResourcePool;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Cuts what is published of GPUs into slices, and finds what of it has to be written. For one publication. */
final class PoolWriter {
    private final DraNode node;
    private final DraOptions options;
    private final PublishedPool published;
    private final String pool;

    PoolWriter(DraNode node, DraOptions options, PublishedPool published) {
        this.node = node;
        this.options = options;
        this.published = published;
        this.pool = DeviceNames.pool(node.name(), options.driver());
    }

    /** What a slice holds; generation and count come later. */
    private record Content(List<CounterSet> counters, List<Device> devices) {}

    DraPublication write(List<Optional<GpuPlan>> places, List<String> notes) {
        Map<String, Content> contents = contents(places);
        List<String> gone = published.slices().stream()
                .map(slice -> slice.getMetadata().getName())
                .filter(name -> !contents.containsKey(name))
                .toList();
        boolean anew = gone.size() > 0 || contents.size() != published.slices().size() || moved(contents) > 1;
        boolean complete = published.slices().stream()
                .allMatch(slice -> slice.getSpec().getPool().getGeneration() == published.generation()
                        && slice.getSpec().getPool().getResourceSliceCount() == contents.size());
        long generation = Math.max(1, published.generation() + (anew || !complete ? 1 : 0));
        List<ResourceSlice> slices = new ArrayList<>();
        List<ResourceSlice> create = new ArrayList<>();
        List<ResourceSlice> update = new ArrayList<>();
        contents.forEach((name, content) -> {
            ResourceSlice before = published.slice(name);
            ResourceSlice slice = slice(name, content, generation, contents.size(), before);
            slices.add(slice);
            if (before == null) {
                create.add(slice);
            } else if (!before.getSpec().equals(slice.getSpec())) {
                update.add(slice);
            }
        });
        List<String> exceeded = DraLimits.exceeded(options.server(), slices);
        if (!exceeded.isEmpty()) {
            throw new IllegalArgumentException("node " + node.name() + ": " + String.join("; ", exceeded));
        }
        boolean quiet = create.isEmpty() && update.isEmpty() && gone.isEmpty();
        Change change = quiet ? Change.NONE : anew || !orderOnly(update) ? Change.CONTENT : Change.ORDER;
        return new DraPublication(
                slices, create, update, gone, generation, change, dropped(contents), taintsDropped(), notes);
    }

    private Map<String, Content> contents(List<Optional<GpuPlan>> places) {
        Map<String, Content> contents = new LinkedHashMap<>();
        Map<String, CounterSet> sets = new TreeMap<>();
        boolean combined = options.server().layout() == DraServer.Layout.COMBINED;
        for (int place = 0; place < places.size(); place++) {
            GpuPlan plan = places.get(place).orElse(null);
            if (plan == null || plan.devices().isEmpty()) {
                continue;
            }
            List<CounterSet> own = new ArrayList<>();
            if (!plan.counters().isEmpty()) {
                CounterSet set = new CounterSet(DeviceFactory.counters(plan.counters()), plan.name());
                own.add(set);
                sets.put(plan.name(), set);
            }
            contents.put(
                    DeviceNames.slice(pool, String.format("gpu-%02d", place)),
                    new Content(combined ? own : List.of(), plan.devices()));
        }
        if (!combined) {
            List<CounterSet> all = List.copyOf(sets.values());
            for (int from = 0; from < all.size(); from += DraLimits.COUNTER_SETS) {
                contents.put(
                        DeviceNames.slice(pool, String.format("counters-%02d", from / DraLimits.COUNTER_SETS)),
                        new Content(all.subList(from, Math.min(all.size(), from + DraLimits.COUNTER_SETS)), List.of()));
            }
        }
        return contents;
    }

    /** In how many slices something comes or goes, or consumes otherwise: one can change alone, several need a new generation. */
    private int moved(Map<String, Content> contents) {
        int moved = 0;
        for (Map.Entry<String, Content> entry : contents.entrySet()) {
            ResourceSlice before = published.slice(entry.getKey());
            Content content = entry.getValue();
            if (before == null
                    || !structure(
                                    before.getSpec().getSharedCounters(),
                                    before.getSpec().getDevices())
                            .equals(structure(content.counters(), content.devices()))) {
                moved++;
            }
        }
        return moved;
    }

    private static Map<String, Object> structure(List<CounterSet> counters, List<Device> devices) {
        Map<String, Object> structure = new HashMap<>();
        counters.forEach(
                set -> structure.put("set " + set.getName(), set.getCounters().keySet()));
        devices.forEach(device -> structure.put("device " + device.getName(), device.getConsumesCounters()));
        return structure;
    }

    private boolean orderOnly(List<ResourceSlice> update) {
        return update.stream().allMatch(slice -> {
            ResourceSlice before = published.slice(slice.getMetadata().getName());
            return before != null
                    && before.getSpec()
                            .getSharedCounters()
                            .equals(slice.getSpec().getSharedCounters())
                    && byName(before.getSpec()).equals(byName(slice.getSpec()));
        });
    }

    /** Devices without what an order brings with it. */
    private static Map<String, Device> byName(ResourceSliceSpec spec) {
        Map<String, Device> devices = new HashMap<>();
        for (Device device : spec.getDevices()) {
            Device bare = device.edit().build();
            Map<String, DeviceAttribute> attributes = new HashMap<>(bare.getAttributes());
            attributes.remove(DeviceFactory.LOSS_CLASS);
            bare.setAttributes(attributes);
            devices.put(bare.getName(), bare);
        }
        return devices;
    }

    /** Whether the server has devices of ours without the counters that they were published with. */
    private boolean dropped(Map<String, Content> contents) {
        return contents.values().stream()
                .flatMap(content -> content.devices().stream())
                .anyMatch(device -> {
                    Device before = published.device(device.getName());
                    return before != null
                            && before.getConsumesCounters().isEmpty()
                            && !device.getConsumesCounters().isEmpty();
                });
    }

    /** Whether the server has devices of ours without the taint that they were published with. */
    private boolean taintsDropped() {
        return options.authoritative()
                && published.slices().stream()
                        .flatMap(slice -> slice.getSpec().getDevices().stream())
                        .anyMatch(device -> device.getAttributes().containsKey(DeviceFactory.ALLOCATOR)
                                && device.getTaints().stream()
                                        .noneMatch(taint ->
                                                options.allocatorTaint().equals(taint.getKey())));
    }

    private ResourceSlice slice(
            String name, Content content, long generation, long count, @Nullable ResourceSlice before) {
        ResourceSlice slice = new ResourceSliceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withDriver(options.driver())
                .withNodeName(node.name())
                .withPool(new ResourcePool(generation, pool, count))
                .withSharedCounters(content.counters())
                .withDevices(content.devices())
                .endSpec()
                .build();
        node.uid()
                .ifPresent(uid -> slice.getMetadata()
                        .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                                .withApiVersion("v1")
                                .withKind("Node")
                                .withName(node.name())
                                .withUid(uid)
                                .withController(true)
                                .build())));
        if (before != null) {
            slice.getMetadata().setResourceVersion(before.getMetadata().getResourceVersion());
        }
        return slice;
    }
}
