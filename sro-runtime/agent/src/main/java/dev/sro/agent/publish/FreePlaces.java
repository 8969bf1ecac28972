package dev.sro.agent.publish;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.CounterSet;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCounterConsumption;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What can be had of a node, as a scheduler reckons it: by the counters, which admit exactly what GPUs can carry. Immutable.
 *
 * @param places that can be had now, by profile; whole GPUs as {@code whole}
 * @param units memory units that nobody has
 * @param fragmentation share of them that the widest slice which fits on each GPU leaves over; 0 where nothing is free
 */
public record FreePlaces(Map<String, Integer> places, int units, double fragmentation) {
    private static final String UNIT = "memory-slice-";

    /** Copies the map. */
    public FreePlaces {
        places = Map.copyOf(places);
    }

    /** Of what is published, less what claims have. */
    static FreePlaces of(List<ResourceSlice> slices, Set<String> allocated) {
        Map<String, Map<String, BigDecimal>> left = new HashMap<>();
        List<Device> devices = new ArrayList<>();
        for (ResourceSlice slice : slices) {
            for (CounterSet set : slice.getSpec().getSharedCounters()) {
                Map<String, BigDecimal> counters = left.computeIfAbsent(set.getName(), name -> new HashMap<>());
                set.getCounters().forEach((name, counter) -> counters.put(name, number(counter.getValue())));
            }
            devices.addAll(slice.getSpec().getDevices());
        }
        devices.stream().filter(device -> allocated.contains(device.getName())).forEach(device -> {
            for (DeviceCounterConsumption use : device.getConsumesCounters()) {
                use.getCounters()
                        .forEach((name, counter) -> left.getOrDefault(use.getCounterSet(), new HashMap<>())
                                .merge(name, number(counter.getValue()).negate(), BigDecimal::add));
            }
        });
        return count(devices, allocated, left);
    }

    private static FreePlaces count(
            List<Device> devices, Set<String> allocated, Map<String, Map<String, BigDecimal>> left) {
        Map<String, Integer> places = new TreeMap<>();
        Map<String, Integer> widest = new HashMap<>();
        for (Device device : devices) {
            boolean fits =
                    !allocated.contains(device.getName()) && device.getTaints().isEmpty();
            places.merge(profile(device), fits && fits(device, left) ? 1 : 0, Integer::sum);
            if (fits && fits(device, left)) {
                device.getConsumesCounters().forEach(use -> widest.merge(use.getCounterSet(), width(use), Math::max));
            }
        }
        int units = 0;
        int used = 0;
        for (Map.Entry<String, Map<String, BigDecimal>> gpu : left.entrySet()) {
            units += (int) gpu.getValue().entrySet().stream()
                    .filter(counter -> counter.getKey().startsWith(UNIT)
                            && counter.getValue().signum() > 0)
                    .count();
            used += widest.getOrDefault(gpu.getKey(), 0);
        }
        return new FreePlaces(places, units, units == 0 ? 0 : (double) (units - used) / units);
    }

    private static boolean fits(Device device, Map<String, Map<String, BigDecimal>> left) {
        return device.getConsumesCounters().stream()
                .allMatch(use -> use.getCounters().entrySet().stream()
                        .allMatch(counter -> left.getOrDefault(use.getCounterSet(), Map.of())
                                        .getOrDefault(counter.getKey(), BigDecimal.ZERO)
                                        .compareTo(number(counter.getValue().getValue()))
                                >= 0));
    }

    private static int width(DeviceCounterConsumption use) {
        return (int) use.getCounters().keySet().stream()
                .filter(name -> name.startsWith(UNIT))
                .count();
    }

    private static String profile(Device device) {
        DeviceAttribute profile = device.getAttributes().get("profile");
        return profile == null || profile.getString() == null ? "whole" : profile.getString();
    }

    private static BigDecimal number(Quantity quantity) {
        return quantity.getNumericalAmount();
    }
}
