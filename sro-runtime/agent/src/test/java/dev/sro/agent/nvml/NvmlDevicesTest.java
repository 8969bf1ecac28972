package dev.sro.agent.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.agent.cdi.ClaimSpecs;
import dev.sro.agent.cdi.EmulatedEdits;
import dev.sro.agent.device.CatalogueCheck;
import dev.sro.agent.device.ComputeInstance;
import dev.sro.agent.device.DeviceEvent;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuInstance;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.device.Recovery;
import dev.sro.agent.file.Effects;
import dev.sro.agent.file.FakeDisk;
import dev.sro.agent.slice.Checkpoint;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.ClaimSource;
import dev.sro.agent.slice.Holding;
import dev.sro.agent.slice.SliceException;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.agent.slice.WantedSlice;
import dev.sro.core.slicing.catalogue.Catalogue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a library of our own with the functions and structures of NVIDIA's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NvmlDevicesTest {
    private static final PciAddress FIRST = PciAddress.of("0000:3b:00.0");

    private final StubDriver driver;
    private final List<String> log = new CopyOnWriteArrayList<>();

    /** Once: compiling takes longer than all else here. */
    NvmlDevicesTest(@TempDir Path root) throws Exception {
        driver = StubDriver.compile(root);
    }

    @BeforeEach
    void reset() {
        driver.reset();
        log.clear();
    }

    private NvmlDevices open() throws DeviceException {
        return NvmlDevices.open(driver.root(), log::add);
    }

    /** As Debian's packages have it: by alternatives of the host, which a container does not have at that place. */
    @Test
    void linksOfTheDriversRootAreFollowedInsideOfIt(@TempDir Path root) throws Exception {
        Path directory = root.resolve("usr/lib/x86_64-linux-gnu");
        Files.createDirectories(directory.resolve("nvidia/current"));
        Files.createDirectories(root.resolve("etc/alternatives"));
        Files.copy(
                driver.root().resolve("usr/lib64/libnvidia-ml.so.1"),
                directory.resolve("nvidia/current/libnvidia-ml.so.580.65.06"));
        Files.createSymbolicLink(directory.resolve("libnvidia-ml.so.1"), Path.of("/etc/alternatives/nvidia-ml"));
        Files.createSymbolicLink(
                root.resolve("etc/alternatives/nvidia-ml"),
                Path.of("/usr/lib/x86_64-linux-gnu/nvidia/current/libnvidia-ml.so.580.65.06"));

        assertThat(NvmlDevices.open(root, log::add).version().driver()).isEqualTo("580.65.06");
    }

    @Test
    void aLibraryOutsideOfTheDriversRootIsNotLoaded(@TempDir Path root) throws Exception {
        Files.createDirectories(root.resolve("usr/lib64"));
        Files.createSymbolicLink(
                root.resolve("usr/lib64/libnvidia-ml.so.1"),
                driver.root().resolve("usr/lib64/libnvidia-ml.so.1").toAbsolutePath());

        assertThatThrownBy(() -> NvmlDevices.open(root, log::add))
                .hasMessageContaining("no libnvidia-ml.so.1 below " + root);
    }

    @Test
    void gpusAreNamedByPciAddressWithWhatTheDriverOffers() throws Exception {
        NvmlDevices devices = open();

        assertThat(devices.version()).isEqualTo(new DriverVersion("580.65.06", "13.1"));
        List<Gpu> gpus = devices.gpus();
        assertThat(gpus.stream().map(gpu -> gpu.address() + " " + gpu.mode() + " " + gpu.minor() + " " + gpu.uuid()))
                .containsExactly(
                        "0000:3b:00.0 SLICES 5 GPU-0", "0000:3c:00.0 SLICES 6 GPU-1", "0000:3d:00.0 UNABLE 7 GPU-2");
        assertThat(gpus.get(0).unavailable()).isEmpty();
        assertThat(gpus.get(0).pciId()).isEqualTo("0x20B010DE");
        assertThat(CatalogueCheck.of(Catalogue.builtin(), gpus.get(0)).differences())
                .as("the stub is the catalogue's A100-40GB")
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1, 1, SLICES", "0, 0, WHOLE", "0, 1, PENDING", "1, 0, PENDING"})
    void theModeOfAGpuIsSaid(int current, int pending, GpuMode mode) throws Exception {
        NvmlDevices devices = open();
        driver.mode(0, current, pending);

        assertThat(devices.gpus().get(0).mode()).isEqualTo(mode);
    }

    @ParameterizedTest
    @CsvSource({"0, SLICES", "1, SLICES", "2, VGPU", "3, VGPU", "4, VGPU"})
    void virtualGpusAreLeftAlone(int virtualization, GpuMode mode) throws Exception {
        NvmlDevices devices = open();
        driver.virtualization(virtualization);

        assertThat(devices.gpus().get(0).mode()).isEqualTo(mode);
    }

    /** P6 of DAS: the number of a profile was taken for its id, and that of a compute instance for that of its GPU instance. */
    @ParameterizedTest
    @ValueSource(strings = {"1g.5gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb", "1g.5gb+me", "1g.10gb"})
    void everyProfileIsMadeAndGoesAtEveryPlace(String name) throws Exception {
        NvmlDevices devices = open();
        DriverProfile profile = devices.gpus().get(0).profile(name).orElseThrow();
        for (int start : profile.starts()) {
            int instance = devices.createGpuInstance(FIRST, profile, start);
            ComputeInstance compute = devices.createComputeInstance(FIRST, instance);

            assertThat(devices.instances(FIRST))
                    .containsExactly(new GpuInstance(instance, profile.id(), start, profile.size(), List.of(compute)));
            assertThat(compute.uuid()).isEqualTo("MIG-0-" + instance);
            assertThatThrownBy(() -> devices.destroyGpuInstance(FIRST, instance))
                    .isInstanceOfSatisfying(
                            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(DeviceException.Kind.IN_USE));
            devices.destroyComputeInstance(FIRST, instance, compute.id());
            devices.destroyGpuInstance(FIRST, instance);
            assertThat(devices.instances(FIRST)).isEmpty();
        }
    }

    static IntStream codes() {
        return IntStream.concat(IntStream.rangeClosed(1, 31), IntStream.of(999));
    }

    @ParameterizedTest
    @MethodSource("codes")
    void everyCodeIsTold(int code) throws Exception {
        NvmlDevices devices = open();
        DriverProfile profile = devices.gpus().get(0).profile("3g.20gb").orElseThrow();
        driver.fail("nvmlDeviceCreateGpuInstanceWithPlacement", code, 0);

        assertThatThrownBy(() -> devices.createGpuInstance(FIRST, profile, 0))
                .isInstanceOfSatisfying(DeviceException.class, e -> {
                    assertThat(e.kind()).isEqualTo(NvmlCodes.kind(code));
                    assertThat(e).hasMessageContaining("0000:3b:00.0: nvmlDeviceCreateGpuInstanceWithPlacement: ");
                });
        assertThat(devices.instances(FIRST)).isEmpty();
    }

    /** Each call of a whole life fails once with each of the codes that matter: nothing stays, and nothing is thrown but what is declared. */
    @ParameterizedTest
    @ValueSource(ints = {3, 6, 19, 999})
    void whicheverCallFailsNoInstanceStays(int code) throws Exception {
        List<String> calls = List.of(
                "nvmlDeviceGetHandleByPciBusId_v2",
                "nvmlDeviceGetMigMode",
                "nvmlDeviceGetGpuInstances",
                "nvmlGpuInstanceGetInfo",
                "nvmlDeviceCreateGpuInstanceWithPlacement",
                "nvmlDeviceGetGpuInstanceById",
                "nvmlGpuInstanceGetComputeInstanceProfileInfo",
                "nvmlGpuInstanceCreateComputeInstance",
                "nvmlComputeInstanceGetInfo_v2",
                "nvmlDeviceGetMaxMigDeviceCount",
                "nvmlDeviceGetMigDeviceHandleByIndex",
                "nvmlDeviceGetUUID",
                "nvmlGpuInstanceGetComputeInstanceById",
                "nvmlComputeInstanceDestroy",
                "nvmlGpuInstanceDestroy");
        ClaimRef claim = new ClaimRef("uid-1", "default", "one");
        NvmlDevices devices = open();
        FakeDisk disk = new FakeDisk(new Effects(), new SplittableRandom(1));
        SliceKeeper keeper = new SliceKeeper(
                devices,
                Checkpoint.open(disk, Path.of("/checkpoint"), "boot"),
                new ClaimSpecs(disk, Path.of("/cdi"), new EmulatedEdits()));
        int failed = 0;
        for (String call : calls) {
            for (int after = 0; after < 3; after++) {
                driver.fail(call, code, after);
                try {
                    List<Holding> slices = keeper.prepare(claim, List.of(new WantedSlice("one", FIRST, "3g.20gb", 4)));
                    assertThat(slices.get(0).uuid()).startsWith("MIG-0-");
                } catch (SliceException e) {
                    failed++;
                }
                keeper.unprepare(claim.uid());
                driver.fail("", 0, 0);
                keeper.unprepare(claim.uid());
                keeper.reconcile(ref -> ClaimSource.Standing.GONE);
                assertThat(devices.instances(FIRST)).as("%s %d", call, after).isEmpty();
                assertThat(keeper.holdings()).as("%s %d", call, after).isEmpty();
            }
        }
        assertThat(failed).isGreaterThan(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "NO_V3", "OLD"})
    void olderDriversSayTheSameInOlderStructures(String define, @TempDir Path other) throws Exception {
        StubDriver older = define.isEmpty() ? driver : StubDriver.compile(other, define);
        older.reset();
        NvmlDevices devices = NvmlDevices.open(older.root(), log::add);
        Gpu gpu = devices.gpus().get(0);

        assertThat(gpu.profiles().stream()
                        .map(profile -> profile.name() + " " + profile.id() + " " + profile.size() + " "
                                + profile.maxInstances()))
                .containsExactly(
                        "1g.5gb 19 1 7",
                        "2g.10gb 14 2 3",
                        "3g.20gb 9 4 2",
                        "4g.20gb 5 4 1",
                        "7g.40gb 0 8 1",
                        "1g.5gb+me 20 1 1",
                        "1g.10gb 15 2 4");
        assertThat(gpu.unavailable()).hasSize(define.equals("OLD") ? 2 : 0);
        int instance = devices.createGpuInstance(FIRST, gpu.profile("3g.20gb").orElseThrow(), 4);
        assertThat(devices.createComputeInstance(FIRST, instance).uuid()).isEqualTo("MIG-0-" + instance);
    }

    @Test
    void whatADriverCannotDoIsSaid(@TempDir Path other) throws Exception {
        StubDriver ancient = StubDriver.compile(other, "OLD", "ANCIENT");
        ancient.reset();
        NvmlDevices devices = NvmlDevices.open(other, log::add);
        Gpu gpu = devices.gpus().get(0);

        assertThat(gpu.unavailable())
                .anyMatch(text -> text.contains("slices: the driver has no nvmlDeviceCreateGpuInstanceWithPlacement"));
        assertThatThrownBy(() ->
                        devices.createGpuInstance(FIRST, gpu.profile("3g.20gb").orElseThrow(), 0))
                .hasMessageContaining("FUNCTION_NOT_FOUND")
                .isInstanceOfSatisfying(
                        DeviceException.class, e -> assertThat(e.kind()).isEqualTo(DeviceException.Kind.NOT_SUPPORTED));
    }

    @Test
    void theModeIsSwitchedAtOnceFromHopperOn() throws Exception {
        driver.control("hopper", 1);
        NvmlDevices devices = open();
        assertThat(devices.gpus().get(0).resetToSwitch()).isFalse();
        devices.setSlices(FIRST, false);
        assertThat(devices.gpus().get(0).mode()).isEqualTo(GpuMode.WHOLE);
        devices.setSlices(FIRST, true);
        assertThat(devices.gpus().get(0).mode()).isEqualTo(GpuMode.SLICES);

        DriverProfile profile = devices.gpus().get(0).profile("3g.20gb").orElseThrow();
        devices.createGpuInstance(FIRST, profile, 0);
        assertThatThrownBy(() -> devices.setSlices(FIRST, false))
                .hasMessageContaining("nvmlDeviceSetMigMode, activation: IN_USE")
                .isInstanceOfSatisfying(
                        DeviceException.class, e -> assertThat(e.kind()).isEqualTo(DeviceException.Kind.IN_USE));
        assertThatThrownBy(() -> devices.setSlices(PciAddress.of("0000:3d:00.0"), true))
                .hasMessageContaining("NOT_SUPPORTED");
    }

    @Test
    void errorsOfGpusAreToldWithTheirAddress() throws Exception {
        NvmlDevices devices = open();
        assertThat(devices.nextEvent(Duration.ZERO)).isEmpty();
        driver.control("xid", 1, 79);
        driver.control("xid", 0, 31);
        assertThat(devices.nextEvent(Duration.ZERO)).contains(new DeviceEvent(PciAddress.of("0000:3c:00.0"), 79));
        assertThat(devices.nextEvent(Duration.ZERO)).contains(new DeviceEvent(FIRST, 31));
        assertThat(devices.nextEvent(Duration.ZERO)).isEmpty();
    }

    /** As after XID 79: it is still counted, and does not even say which it is. */
    @Test
    void aGpuThatFellOffTheBusKeepsNobodyFromTheOthers() throws Exception {
        NvmlDevices devices = open();
        List<Gpu> before = devices.gpus();
        driver.control("lost", 2);
        assertThat(devices.gpus()).as("as they were").isEqualTo(before);
        assertThat(devices.instances(FIRST)).isEmpty();
        assertThatThrownBy(() -> devices.instances(PciAddress.of("0000:3c:00.0")))
                .isInstanceOfSatisfying(
                        DeviceException.class, e -> assertThat(e.kind()).isEqualTo(DeviceException.Kind.GPU_IS_LOST));
        assertThat(log)
                .containsExactly("GPU 1 of the driver does not answer: nvmlDeviceGetHandleByIndex_v2: GPU_IS_LOST");

        NvmlDevices restarted = open();
        assertThat(restarted.gpus()).extracting(Gpu::address).containsExactly(FIRST, PciAddress.of("0000:3d:00.0"));
        driver.control("xid", 0, 48);
        assertThat(restarted.nextEvent(Duration.ZERO)).contains(new DeviceEvent(FIRST, 48));

        driver.control("lost", 0);
        assertThat(restarted.gpus()).isEqualTo(before);
    }

    @Test
    void thatAGpuFellOffTheBusIsToldThoughItDoesNotSayWhichItIs() throws Exception {
        NvmlDevices devices = open();
        devices.nextEvent(Duration.ZERO);
        driver.control("lost", 2);
        driver.control("xid", 1, 79);
        assertThat(devices.nextEvent(Duration.ZERO)).contains(new DeviceEvent(PciAddress.of("0000:3c:00.0"), 79));
    }

    @Test
    void aDriverThatIsGoneIsNotTakenForGpusThatDoNotAnswer() throws Exception {
        NvmlDevices devices = open();
        devices.gpus();
        driver.fail("nvmlDeviceGetHandleByIndex_v2", 18, 1);
        assertThatThrownBy(devices::gpus).hasMessageContaining("the driver was changed while this process ran");
    }

    @Test
    void afterAGpuWasLostEventsAreAskedForAnew() throws Exception {
        NvmlDevices devices = open();
        devices.nextEvent(Duration.ZERO);
        driver.fail("nvmlEventSetWait_v2", 15, 0);
        assertThatThrownBy(() -> devices.nextEvent(Duration.ZERO))
                .isInstanceOfSatisfying(
                        DeviceException.class, e -> assertThat(e.kind()).isEqualTo(DeviceException.Kind.GPU_IS_LOST));
        driver.control("xid", 0, 48);
        assertThat(devices.nextEvent(Duration.ZERO)).contains(new DeviceEvent(FIRST, 48));
        assertThat(driver.control("event_sets")).as("none is left behind").isEqualTo(1);
    }

    @Test
    void aDriverThatTellsOfNoErrorsSaysSo() throws Exception {
        NvmlDevices devices = open();
        driver.control("events", 0);
        assertThatThrownBy(() -> devices.nextEvent(Duration.ZERO))
                .hasMessageContaining("tells of errors of none of its GPUs")
                .isInstanceOfSatisfying(
                        DeviceException.class, e -> assertThat(e.kind()).isEqualTo(DeviceException.Kind.NOT_SUPPORTED));
    }

    @ParameterizedTest
    @CsvSource({"0, NONE", "1, RESET", "2, NEEDED", "3, NEEDED", "4, RESET"})
    void whatAGpuNeedsToBeWellIsAsked(int action, Recovery recovery) throws Exception {
        NvmlDevices devices = open();
        driver.control("recovery", action);
        assertThat(devices.recovery(FIRST)).isEqualTo(recovery);
    }

    @Test
    void aRootWithoutDriverAndADriverThatIsNotLoadedAreTold(@TempDir Path empty) {
        assertThatThrownBy(() -> NvmlDevices.open(empty, log::add))
                .hasMessageContaining("no libnvidia-ml.so.1 below")
                .hasMessageContaining("is the driver installed");
        driver.fail("nvmlInit_v2", 9, 0);
        assertThatThrownBy(this::open)
                .hasMessageContaining("nvmlInit_v2: DRIVER_NOT_LOADED")
                .isInstanceOfSatisfying(
                        DeviceException.class, e -> assertThat(e.kind()).isEqualTo(DeviceException.Kind.NO_DRIVER));
    }
}
