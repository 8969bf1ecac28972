package dev.sro.agent.publish;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedFailure;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.core.slicing.catalogue.Catalogue;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A node with an A100 and an A30, of which the A100 is looked at. */
abstract class A100PublishingTest extends PublishingTest {
    static final PciAddress FIRST = PciAddress.of("0000:10:00.0");
    static final String DEVICE = "gpu-0000-10-00-0-3g-20gb-4";

    A100PublishingTest(Path state) throws IOException {
        super(state, devices(GpuMode.SLICES, List.of()));
    }

    static EmulatedDevices devices(GpuMode first, List<EmulatedFailure> failures) {
        return devices(
                List.of(
                        new EmulatedGpus(Catalogue.builtin().model("A100-40GB"), 1, first),
                        new EmulatedGpus(Catalogue.builtin().model("A30-24GB"), 1, GpuMode.SLICES)),
                failures);
    }

    final void restart(EmulatedDevices hardware) throws IOException {
        restart(hardware, "boot");
    }

    /** Memory units of the first GPU that can be had, by the counters. */
    final List<String> units() throws IOException {
        List<String> units = new ArrayList<>();
        for (ResourceSlice slice : api.slices()) {
            slice.getSpec().getSharedCounters().stream()
                    .filter(set -> set.getName().equals("gpu-0000-10-00-0"))
                    .forEach(set -> set.getCounters().forEach((name, counter) -> {
                        if (name.startsWith("memory-slice-")
                                && counter.getValue().getAmount().equals("1")) {
                            units.add(name.substring("memory-slice-".length()));
                        }
                    }));
        }
        return units.stream().sorted().toList();
    }

    final Map<String, String> devicesAsPublished() throws IOException {
        Map<String, String> published = new LinkedHashMap<>();
        for (ResourceSlice slice : api.slices()) {
            slice.getSpec().getDevices().forEach(device -> published.put(device.getName(), device.toString()));
        }
        return published;
    }

    final String device(String name) throws IOException {
        return String.valueOf(devicesAsPublished().get(name));
    }

    final void foreign(String profile, int start) throws DeviceException {
        DriverProfile found = devices.gpus().get(0).profile(profile).orElseThrow();
        devices.createGpuInstance(FIRST, found, start);
    }
}
