package dev.sro.core.dra;

import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** First-fit as a scheduler does it for one device: slices by name, devices as listed, counters less what allocated devices consume. */
final class Scheduler {
    private final List<ResourceSlice> slices;

    Scheduler(List<ResourceSlice> slices) {
        this.slices = slices.stream()
                .sorted(Comparator.comparing(slice -> slice.getMetadata().getName()))
                .toList();
    }

    List<Device> devices() {
        List<Device> devices = new ArrayList<>();
        slices.forEach(slice -> devices.addAll(slice.getSpec().getDevices()));
        return devices;
    }

    Optional<Device> device(String name) {
        return devices().stream()
                .filter(device -> device.getName().equals(name))
                .findFirst();
    }

    Optional<Device> allocate(Predicate<Device> selector, Set<String> allocated) {
        Map<String, Long> left = new HashMap<>();
        slices.forEach(slice -> slice.getSpec()
                .getSharedCounters()
                .forEach(set -> set.getCounters()
                        .forEach((name, counter) ->
                                left.put(set.getName() + "/" + name, AuditedGpu.thousandths(counter)))));
        // As the real one: what is allocated and not listed is not counted.
        devices().stream()
                .filter(device -> allocated.contains(device.getName()))
                .forEach(device ->
                        AuditedGpu.use(device).forEach((counter, amount) -> left.merge(counter, -amount, Long::sum)));
        return devices().stream()
                .filter(selector)
                .filter(device -> !allocated.contains(device.getName())
                        && device.getTaints().isEmpty()
                        && AuditedGpu.use(device).entrySet().stream()
                                .allMatch(use -> use.getValue() <= left.getOrDefault(use.getKey(), -1L)))
                .findFirst();
    }

    static Predicate<Device> profile(String profile) {
        return device -> SliceReader.text(device, DeviceFactory.PROFILE).equals(Optional.of(profile));
    }

    static Predicate<Device> whole() {
        return device -> SliceReader.text(device, DeviceFactory.PROFILE).isEmpty();
    }
}
