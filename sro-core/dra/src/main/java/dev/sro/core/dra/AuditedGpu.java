package dev.sro.core.dra;

import dev.sro.core.slicing.geometry.Geometry;
import io.fabric8.kubernetes.api.model.resource.v1.Counter;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The devices of one GPU as somebody published them, with what they are on the model that it is taken for. Immutable.
 *
 * @param name driver, pool and counter set
 * @param pool name of the pool
 * @param geometry of the model
 * @param placements devices by the placement that they are; usually one each
 * @param whole devices that are the whole GPU
 * @param strange devices that the model does not know
 * @param capacity by counter set and counter, in thousandths
 */
record AuditedGpu(
        String name,
        String pool,
        Geometry geometry,
        Map<Integer, List<Device>> placements,
        List<Device> whole,
        List<Device> strange,
        Map<String, Long> capacity) {
    private static final int THOUSANDTHS = 3;

    /** What devices leave of each counter; negative where they cannot be had together. */
    Map<String, Long> left(List<Device> devices) {
        Map<String, Long> left = new HashMap<>(capacity);
        devices.forEach(device -> use(device).forEach((counter, amount) -> left.merge(counter, -amount, Long::sum)));
        return left;
    }

    /** Whether the counters admit these devices together. */
    boolean admits(List<Device> devices) {
        return left(devices).values().stream().noneMatch(rest -> rest < 0);
    }

    /** The first device of each placement of a set. */
    List<Device> devices(long set) {
        List<Device> devices = new ArrayList<>();
        for (long rest = set; rest != 0; rest &= rest - 1) {
            devices.add(placements
                    .getOrDefault(Long.numberOfTrailingZeros(rest), List.of())
                    .get(0));
        }
        return devices;
    }

    /** Placements that are offered, as a bit set. */
    long offered() {
        long offered = 0;
        for (int placement : placements.keySet()) {
            offered |= 1L << placement;
        }
        return offered;
    }

    /** Units of which the counter is lower than what a device takes of it: a foreign slice, a closed GPU. */
    int heldBack() {
        int held = 0;
        for (int unit = 0; unit < geometry.units(); unit++) {
            String counter = CounterCandidates.UNIT + unit;
            for (Map.Entry<String, Long> entry : capacity.entrySet()) {
                held |= entry.getKey().endsWith("/" + counter) && entry.getValue() <= 0 ? 1 << unit : 0;
            }
        }
        return held;
    }

    /** What a device consumes, by counter set and counter, in thousandths. */
    static Map<String, Long> use(Device device) {
        Map<String, Long> use = new LinkedHashMap<>();
        device.getConsumesCounters()
                .forEach(set -> set.getCounters()
                        .forEach((counter, value) ->
                                use.merge(set.getCounterSet() + "/" + counter, thousandths(value), Long::sum)));
        return use;
    }

    static long thousandths(Counter counter) {
        return counter.getValue()
                .getNumericalAmount()
                .movePointRight(THOUSANDTHS)
                .longValue();
    }
}
