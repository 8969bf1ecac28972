package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that counts, run by a shell on a made-up bus with a made-up {@code nvidia-smi}. */
class CountDevicesTest {

    @TempDir
    Path root;

    @BeforeEach
    void folders() throws IOException {
        Files.createDirectories(root.resolve("bin"));
        Files.createDirectories(root.resolve("pci/devices"));
        Files.createDirectories(root.resolve("pci/drivers/vfio-pci"));
    }

    private void device(String address, String vendor, String pciClass) throws IOException {
        Path device = Files.createDirectories(root.resolve("pci/devices/" + address));
        Files.writeString(device.resolve("vendor"), vendor + "\n");
        Files.writeString(device.resolve("class"), pciClass + "\n");
    }

    private void gpus(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            device("0000:0" + i + ":00.0", "0x10de", "0x030200");
        }
    }

    /** What nvidia-smi prints: modes of MIG, and the list of devices. */
    private void driver(String modes, String list) throws IOException {
        Path file = root.resolve("bin/nvidia-smi");
        Files.writeString(
                file,
                "#!/bin/sh\nif [ \"$1\" = -L ]; then printf '%s' '" + list + "'; else printf '%s' '" + modes
                        + "'; fi\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private String said(String strategy) throws IOException, InterruptedException {
        Path log = root.resolve("said");
        Files.deleteIfExists(log);
        Map<String, Object> variables =
                new Variables(Gpus.settings("{mig: {strategy: " + strategy + "}}")).all("account", false);
        String script = String.valueOf(variables.get("countDevices"))
                .replace("/sys/bus/pci", root.resolve("pci").toString())
                .replace("/dev/termination-log", log.toString());
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", script)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        Map<String, String> env = shell.environment();
        env.put("PATH", root.resolve("bin").toString());
        shell.command().set(0, "/bin/sh");
        assertThat(shell.start().waitFor()).isZero();
        return Files.exists(log) ? Files.readString(log).strip() : "";
    }

    @Test
    void gpusAreCountedOnTheBusWithWhatTheDriverGaveUp() throws Exception {
        gpus(3);
        device("0000:0a:00.0", "0x10de", "0x040300");
        device("0000:0b:00.0", "0x8086", "0x030000");
        driver("Disabled\n[N/A]\n", "GPU 0: NVIDIA A100 (UUID: GPU-1)\nGPU 1: NVIDIA T4 (UUID: GPU-2)\n");

        assertThat(said("single")).isEqualTo("nvidia.com/gpu=3");
    }

    @Test
    void gpusOfVirtualMachinesAndVirtualFunctionsAreNot() throws Exception {
        gpus(3);
        Files.createDirectories(root.resolve("pci/drivers/vfio-pci/0000:00:00.0"));
        Files.createDirectories(root.resolve("pci/devices/0000:01:00.0/physfn"));
        driver("Disabled\n", "GPU 0: NVIDIA A100 (UUID: GPU-1)\n");

        assertThat(said("single")).isEqualTo("nvidia.com/gpu=1");
    }

    @Test
    void wholeGpusAndSlicesAreCountedAsTheStrategyOffersThem() throws Exception {
        gpus(2);
        driver("Enabled\nDisabled\n", """
            GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-1)
              MIG 1g.5gb+me   Device  0: (UUID: MIG-1)
              MIG 2g.10gb     Device  1: (UUID: MIG-2)
              MIG 2g.10gb     Device  2: (UUID: MIG-3)
            GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-2)
            """);

        assertThat(said("mixed").lines())
                .containsExactly(
                        "nvidia.com/gpu=1",
                        "nvidia.com/mig-1g.5gb.me=1",
                        "nvidia.com/mig-2g.10gb=1",
                        "nvidia.com/mig-2g.10gb=1");
        assertThat(said("single").lines()).hasSize(4).containsOnly("nvidia.com/gpu=1");
        assertThat(said("none")).isEqualTo("nvidia.com/gpu=2");
    }

    @Test
    void gpusThatNobodyHasCutOfferNothing() throws Exception {
        gpus(1);
        driver("Enabled\n", "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-1)\n");

        assertThat(said("single")).isEqualTo("nvidia.com/gpu=0");
    }

    @Test
    void whereTheBusIsHiddenTheDriverCountsAndWithoutBothNothingIsSaid() throws Exception {
        driver("Disabled\n[N/A]\n", "");
        assertThat(said("single")).isEqualTo("nvidia.com/gpu=2");

        Files.delete(root.resolve("bin/nvidia-smi"));
        assertThat(said("single")).isEmpty();
    }
}
