package dev.sro.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.emulated.EmulatedNode;
import dev.sro.agent.kubelet.PodResources.PodDevices;
import dev.sro.core.slicing.catalogue.Catalogue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DevicePluginUseTest {
    private static final PciAddress FIRST = PciAddress.of("0000:10:00.0");
    private static final PciAddress SECOND = PciAddress.of("0000:11:00.0");

    private final EmulatedDevices devices = new EmulatedDevices(
            "n1",
            new EmulatedNode(
                    new DriverVersion("580", "13.0"),
                    Duration.ZERO,
                    Duration.ZERO,
                    List.of(new EmulatedGpus(Catalogue.builtin().model("A100-40GB"), 2, GpuMode.SLICES)),
                    List.of()),
            pause -> {});
    private final List<PodDevices> pods = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private boolean silent;
    private final DevicePluginUse use = new DevicePluginUse(this::list, devices, log::add);

    private List<PodDevices> list() throws IOException {
        if (silent) {
            throw new IOException("kubelet is silent");
        }
        return pods;
    }

    private Map<PciAddress, String> now() {
        use.refresh();
        return use.gpus();
    }

    @Test
    void gpusThatPodsHaveByTheDevicePluginAreNamedUntilThePodsAreGone() throws Exception {
        assertThat(now()).isEmpty();
        int instance = devices.createGpuInstance(
                SECOND, devices.gpus().get(1).profile("3g.20gb").orElseThrow(), 0);
        String mig = devices.createComputeInstance(SECOND, instance).uuid();
        pods.add(new PodDevices(
                "ns/whole", "nvidia.com/gpu", List.of(devices.gpus().get(0).uuid() + "::3")));
        pods.add(new PodDevices("ns/slice", "nvidia.com/mig-3g.20gb", List.of(mig)));
        pods.add(new PodDevices("ns/other", "example.com/nic", List.of("nic-1")));
        assertThat(now())
                .isEqualTo(
                        Map.of(FIRST, "had by a device plugin: ns/whole", SECOND, "had by a device plugin: ns/slice"));
        assertThat(use.text()).isEqualTo("ns/slice,ns/whole");

        pods.remove(0);
        assertThat(now()).containsOnlyKeys(SECOND);
        pods.remove(0);
        assertThat(now()).isEmpty();
        assertThat(use.text()).isEmpty();
    }

    @Test
    void aDeviceThatNobodyKnowsMayBeOfAnyGpu() {
        pods.add(new PodDevices("ns/p", "nvidia.com/gpu", List.of("GPU-of-another-time")));
        assertThat(now()).containsOnlyKeys(FIRST, SECOND);
    }

    @Test
    void whatKubeletSaidLastHoldsWhileItIsSilent() {
        pods.add(new PodDevices(
                "ns/p", "nvidia.com/gpu", List.of(devices.gpus().get(0).uuid())));
        assertThat(now()).containsOnlyKeys(FIRST);
        silent = true;
        assertThat(now()).containsOnlyKeys(FIRST);
        now();
        assertThat(log).containsExactly("what pods have by device plugins is not known: kubelet is silent");
    }
}
