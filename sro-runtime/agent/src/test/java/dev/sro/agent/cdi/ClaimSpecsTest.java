package dev.sro.agent.cdi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.emulated.EmulatedNode;
import dev.sro.agent.file.Effects;
import dev.sro.agent.file.FakeDisk;
import dev.sro.agent.file.LocalDisk;
import dev.sro.agent.slice.Checkpoint;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.ClaimSource;
import dev.sro.agent.slice.Holding;
import dev.sro.agent.slice.SliceException;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.agent.slice.WantedSlice;
import dev.sro.core.slicing.catalogue.Catalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClaimSpecsTest {
    private static final PciAddress GPU = PciAddress.of("0000:10:00.0");
    private static final String UID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
    private static final ClaimRef CLAIM = new ClaimRef(UID, "default", "train");
    private static final List<WantedSlice> WANTED =
            List.of(new WantedSlice("gpu-a", GPU, "3g.20gb", 4), new WantedSlice("gpu-b", GPU, "1g.5gb+me", 0));

    private static EmulatedDevices devices() {
        return new EmulatedDevices(
                "node",
                new EmulatedNode(
                        new DriverVersion("580", "13.0"),
                        Duration.ZERO,
                        Duration.ZERO,
                        List.of(new EmulatedGpus(Catalogue.builtin().model("A100-40GB"), 1, GpuMode.SLICES)),
                        List.of()),
                pause -> {});
    }

    private static SliceKeeper keeper(Path directory, DeviceEdits edits) throws IOException {
        return new SliceKeeper(
                devices(),
                Checkpoint.open(new LocalDisk(), directory.resolve("checkpoint"), "boot"),
                new ClaimSpecs(new LocalDisk(), directory.resolve("cdi"), edits));
    }

    /** P13 of DAS: two devices of a container each set the same variable, and the last one won. */
    @Test
    void aClaimHasOneSpecificationWithAllItsDevices(@TempDir Path directory) throws Exception {
        List<Holding> slices = keeper(directory, new EmulatedEdits()).prepare(CLAIM, WANTED);

        Path file = directory.resolve("cdi/sro.dev-slice_" + UID + ".json");
        String text = Files.readString(file);
        assertThat(CdiRules.check(text)).containsExactly(UID + "-gpu-a", UID + "-gpu-b");
        assertThat(text)
                .contains("SRO_EMULATED_DEVICES=" + slices.get(0).uuid() + ","
                        + slices.get(1).uuid());
        assertThat(ClaimSpecs.id(slices.get(1))).isEqualTo("sro.dev/slice=" + UID + "-gpu-b");
        assertThat(directory.resolve("cdi")).isDirectoryContaining(path -> path.equals(file));
    }

    @Test
    void itGoesWithTheClaimAndOrphansGoToo(@TempDir Path directory) throws Exception {
        SliceKeeper keeper = keeper(directory, new EmulatedEdits());
        keeper.prepare(CLAIM, WANTED);
        Path orphan = directory.resolve("cdi/sro.dev-slice_0000.json");
        Path others = directory.resolve("cdi/nvidia.com-gpu.json");
        Files.writeString(orphan, "{}");
        Files.writeString(others, "{}");

        assertThat(keeper.reconcile(claim -> ClaimSource.Standing.ALLOCATED).repaired())
                .containsExactly("the specification of claim 0000, which has nothing here, was removed");
        keeper.unprepare(UID);

        try (var files = Files.list(directory.resolve("cdi"))) {
            assertThat(files).containsExactly(others);
        }
    }

    @Test
    void whatSomebodyChangedIsWrittenAgain(@TempDir Path directory) throws Exception {
        SliceKeeper keeper = keeper(directory, new EmulatedEdits());
        keeper.prepare(CLAIM, WANTED);
        Path file = directory.resolve("cdi/sro.dev-slice_" + UID + ".json");
        String good = Files.readString(file);
        Files.writeString(file, "{}");

        assertThat(keeper.reconcile(claim -> ClaimSource.Standing.ALLOCATED).repaired())
                .hasSize(1);
        assertThat(file).hasContent(good);
    }

    @Test
    void runtimesNeverSeeHalfOfIt() throws IOException {
        Holding slice = emulated();
        for (long seed = 0; seed < 300; seed++) {
            Effects effects = new Effects();
            FakeDisk disk = new FakeDisk(effects, new SplittableRandom(seed));
            ClaimSpecs specs = new ClaimSpecs(disk, Path.of("/cdi"), new EmulatedEdits());
            effects.killAfter(seed % 5);
            try {
                specs.write(CLAIM, List.of(slice));
            } catch (Effects.Killed e) {
                assertThat(e).hasMessage("kill -9");
            }
            for (Path file : disk.list(Path.of("/cdi"))) {
                if (file.toString().endsWith(".json") || file.toString().endsWith(".yaml")) {
                    CdiRules.check(new String(disk.read(file).orElseThrow(), UTF_8));
                }
            }
        }
    }

    private static Holding emulated() throws IOException {
        try {
            return new SliceKeeper(
                            devices(),
                            Checkpoint.open(
                                    new FakeDisk(new Effects(), new SplittableRandom(1)),
                                    Path.of("/checkpoint"),
                                    "boot"),
                            new ClaimSpecs(
                                    new FakeDisk(new Effects(), new SplittableRandom(1)),
                                    Path.of("/cdi"),
                                    new EmulatedEdits()))
                    .prepare(CLAIM, WANTED)
                    .get(0);
        } catch (SliceException e) {
            throw new IOException(e);
        }
    }

    @Test
    void anUidThatLeadsElsewhereIsRefused(@TempDir Path directory) throws IOException {
        ClaimSpecs specs = new ClaimSpecs(new LocalDisk(), directory, new EmulatedEdits());

        assertThatThrownBy(() -> specs.write(new ClaimRef("../../etc/x", "a", "b"), List.of()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is no UID");
        specs.remove("../../etc/x");
    }

    @Test
    void aMigDeviceComesWithTheNodesOfGpuAndBothInstances(@TempDir Path host) throws Exception {
        Files.createDirectories(host.resolve("dev"));
        Files.createFile(host.resolve("dev/nvidiactl"));
        Files.createFile(host.resolve("dev/nvidia-uvm"));
        Holding slice = emulated();
        Path instance = host.resolve("proc/driver/nvidia/capabilities/gpu3/mig/gi" + slice.gpuInstance());
        Files.createDirectories(instance.resolve("ci" + slice.computeInstance()));
        Files.writeString(
                instance.resolve("access"), "DeviceFileMinor: 30\nDeviceFileMode: 292\nDeviceFileModify: 1\n");
        Files.writeString(instance.resolve("ci" + slice.computeInstance() + "/access"), "DeviceFileMinor: 31\n");
        Gpu gpu = new Gpu(
                GPU,
                "GPU-1",
                "NVIDIA A100",
                "0x20B010DE",
                GpuMode.SLICES,
                3,
                OptionalInt.empty(),
                List.of(),
                List.of(),
                true);
        FakeDisk disk = new FakeDisk(new Effects(), new SplittableRandom(1));

        DriverEdits driver = new DriverEdits(
                DriverPlace.of(host, host, Optional.empty(), Optional.empty()), () -> "580", text -> {}, text -> {});
        new ClaimSpecs(disk, Path.of("/cdi"), new NvidiaEdits(host, () -> List.of(gpu), driver))
                .write(CLAIM, List.of(slice));

        Optional<byte[]> bytes = disk.read(Path.of("/cdi/sro.dev-slice_" + UID + ".json"));
        String text = new String(bytes.orElseThrow(), UTF_8);
        CdiRules.check(text);
        assertThat(text)
                .contains(
                        "/dev/nvidiactl",
                        "/dev/nvidia-uvm",
                        "/dev/nvidia3",
                        "/dev/nvidia-caps/nvidia-cap30",
                        "/dev/nvidia-caps/nvidia-cap31",
                        "NVIDIA_VISIBLE_DEVICES=void")
                .doesNotContain("nvidia-uvm-tools");
    }
}
