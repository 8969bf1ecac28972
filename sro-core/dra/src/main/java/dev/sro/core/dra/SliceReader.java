package dev.sro.core.dra;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import io.fabric8.kubernetes.api.model.resource.v1.CounterSet;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds GPUs, their models and placements in anybody's slices: by attributes, counters and names. For one reading. */
final class SliceReader {
    private static final Pattern UNIT = Pattern.compile(CounterCandidates.UNIT + "([0-9]{1,2})");
    private static final Pattern PLACEMENT = Pattern.compile("([0-9]{1,2}):[0-9]{1,2}");
    private static final Pattern TRAILING = Pattern.compile(".*-([0-9]{1,2})");

    private final Catalogue catalogue;
    private final Optional<DeviceModel> given;
    private final Map<DeviceModel, Geometry> geometries = new HashMap<>();
    private final List<String> unknown = new ArrayList<>();

    SliceReader(Catalogue catalogue, Optional<DeviceModel> given) {
        this.catalogue = catalogue;
        this.given = given;
    }

    /** GPUs that could not be taken for any model. */
    List<String> unknown() {
        return unknown;
    }

    /** Slices by driver and pool. */
    static Map<String, List<ResourceSlice>> pools(List<ResourceSlice> slices) {
        Map<String, List<ResourceSlice>> pools = new TreeMap<>();
        slices.forEach(slice -> pools.computeIfAbsent(
                        slice.getSpec().getDriver() + " "
                                + slice.getSpec().getPool().getName(),
                        pool -> new ArrayList<>())
                .add(slice));
        return pools;
    }

    /** The slices of a pool that count: those of its newest generation. */
    static List<ResourceSlice> newest(List<ResourceSlice> pool) {
        long newest = pool.stream()
                .mapToLong(slice -> slice.getSpec().getPool().getGeneration())
                .max()
                .orElse(0);
        return pool.stream()
                .filter(slice -> slice.getSpec().getPool().getGeneration() == newest)
                .toList();
    }

    /** The GPUs of a pool: devices that consume the same counter set. */
    List<AuditedGpu> gpus(String pool, List<ResourceSlice> slices) {
        Map<String, List<Device>> devices = new TreeMap<>();
        Map<String, Long> capacity = new LinkedHashMap<>();
        for (ResourceSlice slice : slices) {
            for (CounterSet set : slice.getSpec().getSharedCounters()) {
                set.getCounters()
                        .forEach((name, counter) ->
                                capacity.put(set.getName() + "/" + name, AuditedGpu.thousandths(counter)));
            }
            for (Device device : slice.getSpec().getDevices()) {
                if (!device.getConsumesCounters().isEmpty()) {
                    devices.computeIfAbsent(PublishedPool.gpu(device), set -> new ArrayList<>())
                            .add(device);
                }
            }
        }
        List<AuditedGpu> gpus = new ArrayList<>();
        devices.forEach((set, own) -> {
            String name = pool + " " + set;
            Optional<DeviceModel> model = model(own);
            if (model.isEmpty()) {
                unknown.add(name);
                return;
            }
            Geometry geometry = geometries.computeIfAbsent(model.get(), Geometry::of);
            Map<String, Long> sets = new LinkedHashMap<>(capacity);
            List<String> used = own.stream()
                    .flatMap(device -> device.getConsumesCounters().stream())
                    .map(use -> use.getCounterSet() + "/")
                    .distinct()
                    .toList();
            sets.keySet().removeIf(counter -> used.stream().noneMatch(counter::startsWith));
            gpus.add(gpu(name, pool, geometry, own, sets));
        });
        return gpus;
    }

    private AuditedGpu gpu(
            String name, String pool, Geometry geometry, List<Device> devices, Map<String, Long> capacity) {
        Map<Integer, List<Device>> placements = new TreeMap<>();
        List<Device> whole = new ArrayList<>();
        List<Device> strange = new ArrayList<>();
        for (Device device : devices) {
            Optional<String> profile = text(device, DeviceFactory.PROFILE);
            if (profile.isEmpty()) {
                whole.add(device);
                continue;
            }
            int index = geometry.model().indexOf(profile.get());
            OptionalInt start = start(device);
            int placement = index < 0 || start.isEmpty() ? -1 : geometry.placement(index, start.getAsInt());
            if (placement < 0) {
                strange.add(device);
            } else {
                placements.computeIfAbsent(placement, key -> new ArrayList<>()).add(device);
            }
        }
        return new AuditedGpu(name, pool, geometry, placements, whole, strange, capacity);
    }

    /** The model that attributes name and that knows all profiles; else the first that knows all profiles. */
    private Optional<DeviceModel> model(List<Device> devices) {
        if (given.isPresent()) {
            return given;
        }
        List<String> profiles = devices.stream()
                .flatMap(device -> text(device, DeviceFactory.PROFILE).stream())
                .distinct()
                .toList();
        Optional<DeviceModel> named = devices.stream()
                .flatMap(device -> device.getAttributes().values().stream())
                .map(DeviceAttribute::getString)
                .filter(value -> value != null && !value.isEmpty())
                .distinct()
                .flatMap(value -> catalogue.find(value).stream())
                .filter(model -> knows(model, profiles))
                .findFirst();
        return named.or(() -> profiles.isEmpty()
                ? Optional.empty()
                : catalogue.models().stream()
                        .filter(model -> knows(model, profiles))
                        .findFirst());
    }

    private static boolean knows(DeviceModel model, List<String> profiles) {
        return profiles.stream().allMatch(profile -> model.indexOf(profile) >= 0);
    }

    /** An attribute of any domain. */
    static Optional<String> text(Device device, String name) {
        return device.getAttributes().entrySet().stream()
                .filter(entry -> entry.getKey().equals(name) || entry.getKey().endsWith("/" + name))
                .map(entry -> entry.getValue().getString())
                .filter(value -> value != null && !value.isEmpty())
                .findFirst();
    }

    /** The first unit: by counters, else by what we publish, else by the end of the name. */
    private static OptionalInt start(Device device) {
        OptionalInt first = device.getConsumesCounters().stream()
                .flatMap(use -> use.getCounters().keySet().stream())
                .map(UNIT::matcher)
                .filter(Matcher::matches)
                .mapToInt(matcher -> Integer.parseInt(matcher.group(1)))
                .min();
        if (first.isPresent()) {
            return first;
        }
        Matcher placement = PLACEMENT.matcher(text(device, "placement").orElse(""));
        if (placement.matches()) {
            return OptionalInt.of(Integer.parseInt(placement.group(1)));
        }
        Matcher trailing = TRAILING.matcher(device.getName());
        return trailing.matches() ? OptionalInt.of(Integer.parseInt(trailing.group(1))) : OptionalInt.empty();
    }
}
