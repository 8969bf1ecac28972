package dev.sro.core.dra;

import io.fabric8.kubernetes.api.model.resource.v1.CounterSet;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceSpec;
import java.util.ArrayList;
import java.util.List;

/** What an API server takes of ResourceSlices, from {@code k8s.io/api/resource/v1} and its validation. Stateless. */
public final class DraLimits {
    /** Counter sets of a slice, from 1.35 on. */
    public static final int COUNTER_SETS = 8;

    /** Counters of a set. */
    public static final int COUNTERS_PER_SET = 32;

    /** Counters of all sets of a slice together, in 1.34. */
    public static final int COUNTERS_PER_COMBINED_SLICE = 32;

    /** Devices of a slice of which any consumes counters or has taints. */
    public static final int DEVICES = 64;

    /** Counters that the devices of a slice consume together; half of it in 1.34. */
    public static final int CONSUMED_COUNTERS = 2048;

    /** Attributes and capacities of a device together. */
    public static final int ATTRIBUTES = 32;

    /** Characters of an attribute's text. */
    public static final int ATTRIBUTE_TEXT = 64;

    private DraLimits() {}

    /** What of these slices a server would refuse by number; empty if nothing. */
    public static List<String> exceeded(DraServer server, List<ResourceSlice> slices) {
        List<String> errors = new ArrayList<>();
        for (ResourceSlice slice : slices) {
            Check check = new Check("ResourceSlice " + slice.getMetadata().getName() + ": ", errors);
            check.slice(server.layout() == DraServer.Layout.COMBINED, slice.getSpec());
        }
        return errors;
    }

    private record Check(String where, List<String> errors) {
        void slice(boolean combined, ResourceSliceSpec spec) {
            int counters = spec.getSharedCounters().stream()
                    .mapToInt(set -> set.getCounters().size())
                    .sum();
            most("counter sets", spec.getSharedCounters().size(), COUNTER_SETS);
            if (combined) {
                most("counters", counters, COUNTERS_PER_COMBINED_SLICE);
            } else if (counters > 0 && !spec.getDevices().isEmpty()) {
                errors.add(where + "has both counters and devices, which only 1.34 takes");
            }
            for (CounterSet set : spec.getSharedCounters()) {
                most("counters of set " + set.getName(), set.getCounters().size(), COUNTERS_PER_SET);
            }
            most("devices", spec.getDevices().size(), DEVICES);
            int consumed = 0;
            for (Device device : spec.getDevices()) {
                consumed += device.getConsumesCounters().stream()
                        .mapToInt(use -> use.getCounters().size())
                        .sum();
                most(
                        "attributes and capacities of device " + device.getName(),
                        device.getAttributes().size() + device.getCapacity().size(),
                        ATTRIBUTES);
            }
            most("consumed counters", consumed, combined ? CONSUMED_COUNTERS / 2 : CONSUMED_COUNTERS);
        }

        private void most(String what, int count, int most) {
            if (count > most) {
                errors.add(where + what + ": " + count + ", at most " + most);
            }
        }
    }
}
