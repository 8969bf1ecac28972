package dev.sro.core.slicing.render;

import java.util.ArrayList;
import java.util.List;

/** One sentence about a fleet. Stateless. */
final class Summary {
    private Summary() {}

    static String describe(List<DeviceView> devices) {
        long used = 0;
        long units = 0;
        long instances = 0;
        long foreign = 0;
        long cordoned = 0;
        long count = 0;
        for (DeviceView device : devices) {
            long copies = device.copies();
            count += copies;
            used += copies * device.usedUnits();
            units += copies * device.geometry().units();
            instances += copies * device.instances().size();
            foreign += copies
                    * device.instances().stream()
                            .filter(DeviceView.Instance::foreign)
                            .count();
            cordoned += device.cordoned() ? copies : 0;
        }
        List<String> parts = new ArrayList<>();
        parts.add(count(count, "device"));
        parts.add(count(instances, "instance"));
        parts.add(used + " of " + count(units, "unit") + " taken");
        if (foreign > 0) {
            parts.add(foreign + " foreign");
        }
        if (cordoned > 0) {
            parts.add(cordoned + " cordoned");
        }
        return String.join(", ", parts);
    }

    static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
