package dev.sro.core.dra;

import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the API server has of a pool. Immutable but for the objects of the API in it, which nobody changes. */
final class PublishedPool {
    /** The part of a slice's name that is the place of a GPU among those of the node. */
    private static final Pattern PLACE = Pattern.compile(".*-gpu-([0-9]{2,4})");

    private final Map<String, ResourceSlice> slices = new LinkedHashMap<>();
    private final Map<String, Device> devices = new LinkedHashMap<>();
    private final Map<String, List<String>> orders = new LinkedHashMap<>();
    private final Map<String, Integer> places = new LinkedHashMap<>();
    private final long generation;

    PublishedPool(List<ResourceSlice> all, String driver, String pool) {
        long newest = 0;
        List<ResourceSlice> ours = all.stream()
                .filter(slice -> slice.getSpec().getDriver().equals(driver)
                        && slice.getSpec().getPool().getName().equals(pool))
                .sorted(Comparator.comparing(slice -> slice.getMetadata().getName()))
                .toList();
        for (ResourceSlice slice : ours) {
            newest = Math.max(newest, slice.getSpec().getPool().getGeneration());
        }
        generation = newest;
        for (ResourceSlice slice : ours) {
            slices.put(slice.getMetadata().getName(), slice);
            // What a generation left behind that was never finished counts for nothing, but is known.
            if (slice.getSpec().getPool().getGeneration() == newest) {
                index(slice);
            } else {
                slice.getSpec().getDevices().forEach(device -> devices.putIfAbsent(device.getName(), device));
            }
        }
    }

    private void index(ResourceSlice slice) {
        Matcher place = PLACE.matcher(slice.getMetadata().getName());
        for (Device device : slice.getSpec().getDevices()) {
            devices.put(device.getName(), device);
            String gpu = gpu(device);
            orders.computeIfAbsent(gpu, name -> new ArrayList<>()).add(device.getName());
            if (place.matches()) {
                places.putIfAbsent(gpu, Integer.parseInt(place.group(1)));
            }
        }
    }

    /** The GPU that a published device is of: its counter set has the name. */
    static String gpu(Device device) {
        return device.getConsumesCounters().isEmpty()
                ? device.getName()
                : device.getConsumesCounters().get(0).getCounterSet();
    }

    /** 0 where nothing is published. */
    long generation() {
        return generation;
    }

    @Nullable ResourceSlice slice(String name) {
        return slices.get(name);
    }

    List<ResourceSlice> slices() {
        return List.copyOf(slices.values());
    }

    @Nullable Device device(String name) {
        return devices.get(name);
    }

    /** Names of the devices of a GPU in their order; empty where it is not published. */
    List<String> order(String gpu) {
        return orders.getOrDefault(gpu, List.of());
    }

    OptionalInt place(String gpu) {
        Integer place = places.get(gpu);
        return place == null ? OptionalInt.empty() : OptionalInt.of(place);
    }

    /** The loss class that a device is published with, or this one. */
    int lossClass(String name, int otherwise) {
        Device device = devices.get(name);
        DeviceAttribute attribute =
                device == null ? null : device.getAttributes().get(DeviceFactory.LOSS_CLASS);
        return attribute == null || attribute.getInt() == null
                ? otherwise
                : attribute.getInt().intValue();
    }
}
