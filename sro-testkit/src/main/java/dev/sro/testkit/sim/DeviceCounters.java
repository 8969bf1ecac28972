package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/** What is left of the counters of pools while devices are being chosen. */
final class DeviceCounters {
    private final AllocatedDevices taken;
    private final IdentityHashMap<DevicePool, Map<String, Map<String, BigDecimal>>> left = new IdentityHashMap<>();

    DeviceCounters(AllocatedDevices taken) {
        this.taken = taken;
    }

    /** Takes what a device consumes; false, with nothing taken, if there is too little of something. */
    boolean take(DeviceCandidate candidate) {
        Map<String, Map<String, BigDecimal>> sets = left.computeIfAbsent(candidate.pool(), this::available);
        change(sets, candidate.device(), -1);
        // All counters of the pool count, also of other sets: one that is overdrawn stops the whole pool.
        boolean enough =
                sets.values().stream().allMatch(set -> set.values().stream().allMatch(value -> value.signum() >= 0));
        if (!enough) {
            change(sets, candidate.device(), 1);
        }
        return enough;
    }

    /** Gives back what {@link #take} took. */
    void give(DeviceCandidate candidate) {
        change(left.computeIfAbsent(candidate.pool(), this::available), candidate.device(), 1);
    }

    private static void change(Map<String, Map<String, BigDecimal>> sets, JsonNode device, int sign) {
        for (JsonNode consumed : device.path("consumesCounters")) {
            Map<String, BigDecimal> set = sets.getOrDefault(JsonNodes.text(consumed, "counterSet"), new HashMap<>());
            consumed.path("counters").properties().forEach(counter -> {
                BigDecimal amount = Quantities.value(JsonNodes.text(counter.getValue(), "value"));
                set.computeIfPresent(counter.getKey(), (n, v) -> sign < 0 ? v.subtract(amount) : v.add(amount));
            });
        }
    }

    private Map<String, Map<String, BigDecimal>> available(DevicePool pool) {
        Map<String, Map<String, BigDecimal>> sets = new HashMap<>();
        pool.counters.forEach((name, counters) -> sets.put(name, new HashMap<>(counters)));
        pool.slices.forEach(slice -> consume(sets, pool, slice));
        pool.others.forEach(slice -> consume(sets, pool, slice));
        return sets;
    }

    private void consume(Map<String, Map<String, BigDecimal>> sets, DevicePool pool, ObjectNode slice) {
        for (JsonNode device : JsonNodes.at(slice, "spec", "devices")) {
            if (taken.has(DeviceCandidate.of(pool, slice, device).id())) {
                change(sets, device, -1);
            }
        }
    }
}
