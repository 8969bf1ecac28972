package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The devices of one pool, as a scheduler sees it for one node: slices in the order of their names, devices in that of their slice.
 * A pool of which slices are missing, or that contradicts itself, gives no device.
 */
final class DevicePool {
    final String driver;
    final String name;
    boolean incomplete;
    boolean invalid;
    /** With devices for the node. */
    final List<ObjectNode> slices = new ArrayList<>();
    /** With devices for other nodes; those that are allocated count too. */
    final List<ObjectNode> others = new ArrayList<>();
    /** What the devices share, by counter set and counter. */
    final Map<String, Map<String, BigDecimal>> counters = new HashMap<>();

    private DevicePool(String driver, String name) {
        this.driver = driver;
        this.name = name;
    }

    private record Name(String driver, String pool) {
        static Name of(JsonNode slice) {
            return new Name(JsonNodes.text(slice, "spec", "driver"), JsonNodes.text(slice, "spec", "pool", "name"));
        }
    }

    /**
     * The pools that have something for a node, in the order in which a scheduler tries them: those whose devices have binding
     * conditions last, otherwise by driver and name.
     */
    static List<DevicePool> gather(List<ObjectNode> all, ObjectNode node) {
        Map<Name, List<ObjectNode>> relevant =
                new TreeMap<>(Comparator.comparing(Name::driver).thenComparing(Name::pool));
        for (ObjectNode slice : all) {
            if (concerns(slice, node)) {
                newest(relevant.computeIfAbsent(Name.of(slice), n -> new ArrayList<>()), slice);
            }
        }
        List<DevicePool> pools = new ArrayList<>();
        List<DevicePool> last = new ArrayList<>();
        relevant.forEach((key, slices) -> {
            DevicePool pool = of(key, slices, all);
            if (pool != null) {
                (pool.binds() ? last : pools).add(pool);
            }
        });
        pools.addAll(last);
        return pools;
    }

    private static boolean concerns(ObjectNode slice, ObjectNode node) {
        JsonNode spec = slice.path("spec");
        if (!spec.path("sharedCounters").isEmpty()) {
            // Counters of all nodes, as the scheduler of 1.36 has it: a broken pool elsewhere stops who wants all
            // devices.
            return true;
        }
        if (!JsonNodes.bool(spec, "perDeviceNodeSelection")) {
            return isFor(spec, node);
        }
        for (JsonNode device : spec.path("devices")) {
            if (isFor(device, node)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a slice, or a device that says that for itself, is for this node. */
    static boolean isFor(JsonNode of, ObjectNode node) {
        String name = JsonNodes.text(of, "nodeName");
        if (!name.isEmpty()) {
            return name.equals(JsonNodes.name(node));
        }
        return JsonNodes.bool(of, "allNodes")
                || (of.path("nodeSelector").isObject() && Placement.selectedBy(of.path("nodeSelector"), node));
    }

    private static void newest(List<ObjectNode> slices, ObjectNode slice) {
        long known = slices.isEmpty() ? Long.MIN_VALUE : generation(slices.get(0));
        if (generation(slice) > known) {
            slices.clear();
        }
        if (generation(slice) >= known) {
            slices.add(slice);
        }
    }

    private static long generation(JsonNode slice) {
        return JsonNodes.at(slice, "spec", "pool", "generation").asLong();
    }

    private static @Nullable DevicePool of(Name key, List<ObjectNode> relevant, List<ObjectNode> all) {
        DevicePool pool = new DevicePool(key.driver(), key.pool());
        long wanted = JsonNodes.at(relevant.get(0), "spec", "pool", "resourceSliceCount")
                .asLong();
        List<ObjectNode> whole = relevant;
        if (relevant.size() != wanted) {
            whole = new ArrayList<>();
            for (ObjectNode slice : all) {
                boolean same = Name.of(slice).equals(key);
                if (same && generation(slice) > generation(relevant.get(0))) {
                    return null;
                }
                if (same && generation(slice) == generation(relevant.get(0))) {
                    whole.add(slice);
                }
            }
            if (whole.size() != wanted) {
                pool.incomplete = true;
                return pool;
            }
        }
        pool.build(relevant, whole);
        return pool;
    }

    private void build(List<ObjectNode> relevant, List<ObjectNode> whole) {
        List<ObjectNode> sorted = new ArrayList<>(relevant);
        sorted.sort(Comparator.comparing(JsonNodes::name));
        Set<String> devices = new HashSet<>();
        for (ObjectNode slice : sorted) {
            JsonNode sets = JsonNodes.at(slice, "spec", "sharedCounters");
            if (sets.isEmpty()) {
                slices.add(slice);
                JsonNodes.at(slice, "spec", "devices").forEach(d -> invalid |= !devices.add(JsonNodes.text(d, "name")));
            }
            for (JsonNode set : sets) {
                Map<String, BigDecimal> values = new HashMap<>();
                set.path("counters")
                        .properties()
                        .forEach(c -> values.put(c.getKey(), Quantities.value(JsonNodes.text(c.getValue(), "value"))));
                invalid |= counters.put(JsonNodes.text(set, "name"), values) != null;
            }
        }
        whole.stream().filter(s -> !sorted.contains(s)).forEach(others::add);
        slices.forEach(this::checkConsumption);
        others.forEach(this::checkConsumption);
    }

    private void checkConsumption(ObjectNode slice) {
        for (JsonNode device : JsonNodes.at(slice, "spec", "devices")) {
            for (JsonNode consumed : device.path("consumesCounters")) {
                Map<String, BigDecimal> set = counters.get(JsonNodes.text(consumed, "counterSet"));
                consumed.path("counters")
                        .fieldNames()
                        .forEachRemaining(counter -> invalid |= set == null || !set.containsKey(counter));
                invalid |= set == null;
            }
        }
    }

    private boolean binds() {
        for (ObjectNode slice : slices) {
            for (JsonNode device : JsonNodes.at(slice, "spec", "devices")) {
                if (device.has("bindingConditions")) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return driver + "/" + name;
    }
}
