package dev.sro.agent.emulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EmulatedDevicesTest {
    private static final String FILE = """
            schema: sro.dev/emulated-devices/v1
            driver: "570.1"
            latency: {create: 250, destroy: 100}
            nodes:
            - name: big
              gpus:
              - model: A100-40GB
                count: 2
              - model: NVIDIA A30
                mode: whole
            - name: "*"
              gpus:
              - model: H100-80GB
            failures:
            - operation: destroy-gpu-instance
              node: big
              gpu: 0000:10:00.0
              kind: in-use
              skip: 1
              times: 1
            """;

    private static EmulatedNode node(String file, String name) {
        return EmulatedFile.read(InputDocument.parse("devices.yaml", file), Catalogue.builtin(), name);
    }

    @Test
    void oneFileSaysWhatEveryNodeHas() {
        EmulatedDevices big = new EmulatedDevices("big", node(FILE, "big"), pause -> {});
        EmulatedDevices other = new EmulatedDevices("other", node(FILE, "other"), pause -> {});

        assertThat(big.version().driver()).isEqualTo("570.1");
        assertThat(big.gpus().stream().map(gpu -> gpu.address() + " " + gpu.mode()))
                .containsExactly("0000:10:00.0 SLICES", "0000:11:00.0 SLICES", "0000:12:00.0 WHOLE");
        assertThat(other.gpus()).hasSize(1);
        assertThat(other.gpus().get(0).profile("3g.40gb")).isPresent();
        assertThat(big.gpus().get(0).uuid()).isNotEqualTo(other.gpus().get(0).uuid());
    }

    @Test
    void everyErrorOfAFileIsToldWithItsLine() {
        String file = """
                schema: sro.dev/emulated-devices/v2
                nodes:
                - name: a
                  gpus:
                  - model: A100-41GB
                  - model: A30-24GB
                    mode: half
                    cuont: 3
                failures:
                - operation: explode
                  kind: in-use
                """;
        assertThatThrownBy(() -> node(file, "a"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("devices.yaml:1:")
                .hasMessageContaining("no device model is called A100-41GB; did you mean A100-40GB")
                .hasMessageContaining("\"half\" is none of slices, whole, pending, unable, passthrough, vgpu")
                .hasMessageContaining("cuont")
                .hasMessageContaining("\"explode\" is none of create-gpu-instance");
    }

    @Test
    void itTakesItsTimeAndFailsAsItIsTold() throws DeviceException {
        List<Duration> pauses = new ArrayList<>();
        EmulatedDevices devices = new EmulatedDevices("big", node(FILE, "big"), pauses::add);
        PciAddress gpu = devices.gpus().get(0).address();
        DriverProfile profile = devices.gpus().get(0).profile("3g.20gb").orElseThrow();

        devices.destroyGpuInstance(gpu, devices.createGpuInstance(gpu, profile, 0));
        int second = devices.createGpuInstance(gpu, profile, 0);
        assertThatThrownBy(() -> devices.destroyGpuInstance(gpu, second))
                .isInstanceOfSatisfying(
                        DeviceException.class, e -> assertThat(e.kind()).isEqualTo(DeviceException.Kind.IN_USE));
        devices.destroyGpuInstance(gpu, second);
        assertThat(pauses)
                .containsExactly(
                        Duration.ofMillis(250),
                        Duration.ofMillis(100),
                        Duration.ofMillis(250),
                        Duration.ofMillis(100),
                        Duration.ofMillis(100));
    }

    @Test
    void hardwareRefusesWhatItsModelDoesNotAllow() throws DeviceException {
        EmulatedDevices devices = new EmulatedDevices("big", node(FILE, "big"), pause -> {});
        Gpu gpu = devices.gpus().get(0);
        DriverProfile media = gpu.profile("1g.5gb+me").orElseThrow();
        DriverProfile three = gpu.profile("3g.20gb").orElseThrow();
        devices.createGpuInstance(gpu.address(), media, 5);

        assertRefused(devices, gpu, three, 4, "unit 5 is taken by GPU instance");
        assertRefused(devices, gpu, three, 1, "3g.20gb does not begin at 1");
        assertRefused(devices, gpu, media, 0, "has room for 1 of 1g.5gb+me");
        assertRefused(devices, gpu, gpu.profile("7g.40gb").orElseThrow(), 0, "is taken");
        Gpu whole = devices.gpus().get(2);
        assertRefused(devices, whole, whole.profile("1g.6gb").orElseThrow(), 0, GpuMode.WHOLE.text());
    }

    private static void assertRefused(
            EmulatedDevices devices, Gpu gpu, DriverProfile profile, int start, String message) {
        assertThatThrownBy(() -> devices.createGpuInstance(gpu.address(), profile, start))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining(message);
    }
}
