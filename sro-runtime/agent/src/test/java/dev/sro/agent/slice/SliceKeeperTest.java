package dev.sro.agent.slice;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.agent.device.ComputeInstance;
import dev.sro.agent.device.DeviceEvent;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DevicePort;
import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuInstance;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.device.Recovery;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedFailure;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.emulated.EmulatedNode;
import dev.sro.agent.emulated.EmulatedOperation;
import dev.sro.agent.file.Effects;
import dev.sro.agent.file.FakeDisk;
import dev.sro.agent.file.LocalDisk;
import dev.sro.core.slicing.catalogue.Catalogue;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SliceKeeperTest {
    private static final PciAddress FIRST = PciAddress.of("0000:10:00.0");
    private static final PciAddress SECOND = PciAddress.of("0000:11:00.0");
    private static final ClaimRef CLAIM = claim("one");

    private final FakeDisk disk = new FakeDisk(new Effects(), new SplittableRandom(1));

    private static ClaimRef claim(String name) {
        return new ClaimRef("uid-" + name, "default", name);
    }

    private static EmulatedDevices devices(GpuMode mode, EmulatedFailure... failures) {
        return new EmulatedDevices(
                "node",
                new EmulatedNode(
                        new DriverVersion("580.65.06", "13.0"),
                        Duration.ZERO,
                        Duration.ZERO,
                        List.of(new EmulatedGpus(Catalogue.builtin().model("A100-40GB"), 2, mode)),
                        List.of(failures)),
                pause -> {});
    }

    private static EmulatedFailure fails(EmulatedOperation operation, int times) {
        return new EmulatedFailure(operation, Optional.empty(), DeviceException.Kind.IN_USE, 0, times, false);
    }

    private SliceKeeper keeper(DevicePort devices) throws IOException {
        return new SliceKeeper(
                devices,
                Checkpoint.open(disk, Path.of("/var/lib/sro/checkpoint"), "boot"),
                new DiskFiles(disk, Path.of("/cdi")));
    }

    private static WantedSlice slice(PciAddress gpu, String profile, int start) {
        return new WantedSlice(gpu.label() + profile + start, gpu, profile, start);
    }

    @Test
    void aClaimGetsTheVeryPlaceThatItWasAllocated() throws Exception {
        EmulatedDevices devices = devices(GpuMode.SLICES);
        List<Holding> slices =
                keeper(devices).prepare(CLAIM, List.of(slice(FIRST, "3g.20gb", 4), slice(SECOND, "1g.5gb+me", 2)));

        assertThat(devices.instances(FIRST)).singleElement().satisfies(instance -> {
            assertThat(instance.start()).isEqualTo(4);
            assertThat(instance.size()).isEqualTo(4);
            assertThat(instance.compute())
                    .singleElement()
                    .extracting(ComputeInstance::uuid)
                    .isEqualTo(slices.get(0).uuid());
        });
        assertThat(devices.instances(SECOND))
                .singleElement()
                .satisfies(instance -> assertThat(instance.start()).isEqualTo(2));
    }

    @Test
    void askingAgainChangesNothingAlsoAfterARestart() throws Exception {
        EmulatedDevices devices = devices(GpuMode.SLICES, fails(EmulatedOperation.DESTROY_GPU_INSTANCE, 99));
        List<Holding> first = keeper(devices).prepare(CLAIM, List.of(slice(FIRST, "3g.20gb", 4)));
        SliceKeeper restarted = keeper(devices);

        assertThat(restarted.prepare(CLAIM, List.of(slice(FIRST, "3g.20gb", 4))))
                .isEqualTo(first);
        assertThat(devices.instances(FIRST)).hasSize(1);
    }

    @Test
    void aDeviceThatAnotherClaimHoldsIsRefused() throws Exception {
        SliceKeeper keeper = keeper(devices(GpuMode.SLICES));
        keeper.prepare(CLAIM, List.of(slice(FIRST, "3g.20gb", 4)));

        assertThatThrownBy(() -> keeper.prepare(claim("two"), List.of(slice(FIRST, "1g.5gb", 5))))
                .isInstanceOf(SliceException.class)
                .hasMessageContaining("3g.20gb at 4 of 0000:10:00.0 is held by claim default/one");
    }

    /** P9 of DAS: what could not be destroyed was forgotten, and took its place for ever. */
    @Test
    void whatIsHeldOpenIsQuarantinedNamedAndComesBack() throws Exception {
        EmulatedDevices devices = devices(GpuMode.SLICES, fails(EmulatedOperation.DESTROY_COMPUTE_INSTANCE, 2));
        SliceKeeper keeper = keeper(devices);
        keeper.prepare(CLAIM, List.of(slice(FIRST, "3g.20gb", 4)));

        keeper.unprepare(CLAIM.uid());
        assertThat(keeper.quarantined()).hasSize(1).allSatisfy((place, why) -> {
            assertThat(place).hasToString("3g.20gb at 4 of 0000:10:00.0");
            assertThat(why).contains("destroy-compute-instance");
        });
        assertThatThrownBy(() -> keeper.prepare(claim("two"), List.of(slice(FIRST, "3g.20gb", 4))))
                .hasMessageContaining("is on its way out and cannot be destroyed: 0000:10:00.0");

        keeper.prepare(claim("two"), List.of(slice(FIRST, "3g.20gb", 4)));
        assertThat(keeper.quarantined()).isEmpty();
        assertThat(keeper.holdings()).singleElement().extracting(Holding::claim).isEqualTo(claim("two"));
    }

    @Test
    void foreignInstancesAreNotTouchedAndCountAsOccupied() throws Exception {
        EmulatedDevices devices = devices(GpuMode.SLICES);
        DriverProfile profile = devices.gpus().get(0).profile("2g.10gb").orElseThrow();
        devices.createComputeInstance(FIRST, devices.createGpuInstance(FIRST, profile, 4));
        SliceKeeper keeper = keeper(devices);

        assertThatThrownBy(() -> keeper.prepare(CLAIM, List.of(slice(FIRST, "3g.20gb", 4))))
                .isInstanceOfSatisfying(
                        SliceException.class, e -> assertThat(e.reason()).isEqualTo(SliceException.Reason.FOREIGN));
        assertThat(keeper.reconcile(ref -> ClaimSource.Standing.GONE).repaired())
                .isEmpty();
        assertThat(devices.instances(FIRST)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = EmulatedOperation.class,
            names = {"CREATE_GPU_INSTANCE", "CREATE_COMPUTE_INSTANCE"})
    void noInstanceStaysWhereALaterStepFails(EmulatedOperation operation) throws Exception {
        EmulatedDevices devices = devices(
                GpuMode.SLICES,
                new EmulatedFailure(operation, Optional.of(SECOND), DeviceException.Kind.TIMEOUT, 0, 1, true));
        SliceKeeper keeper = keeper(devices);

        assertThatThrownBy(() -> keeper.prepare(CLAIM, List.of(slice(FIRST, "3g.20gb", 4), slice(SECOND, "1g.5gb", 2))))
                .isInstanceOf(SliceException.class)
                .hasMessageContaining("0000:11:00.0");
        assertThat(devices.instances(FIRST)).isEmpty();
        assertThat(devices.instances(SECOND)).isEmpty();
        assertThat(keeper.holdings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1c.3g.20gb", "5g.40gb", "9g.1gb", "3g", ""})
    void whatIsNoProfileIsRefusedWithTheReason(String profile) throws Exception {
        SliceKeeper keeper = keeper(devices(GpuMode.SLICES));

        assertThatThrownBy(() -> keeper.prepare(CLAIM, List.of(slice(FIRST, profile, 0))))
                .isInstanceOf(SliceException.class)
                .hasMessageContaining("profile");
    }

    @ParameterizedTest
    @EnumSource(value = GpuMode.class, names = "SLICES", mode = EnumSource.Mode.EXCLUDE)
    void aGpuInAModeWithoutSlicesSaysSo(GpuMode mode) throws Exception {
        SliceKeeper keeper = keeper(devices(mode));

        assertThatThrownBy(() -> keeper.prepare(CLAIM, List.of(slice(FIRST, "1g.5gb", 0))))
                .hasMessageContaining(mode.text());
    }

    @Test
    void aStartThatTheProfileDoesNotHaveIsRefused() throws Exception {
        SliceKeeper keeper = keeper(devices(GpuMode.SLICES));

        assertThatThrownBy(() -> keeper.prepare(CLAIM, List.of(slice(FIRST, "3g.20gb", 2))))
                .hasMessageContaining("3g.20gb begins at one of [0, 4], not at 2");
    }

    @Test
    void takingBackWhatIsNotKnownSucceeds() throws Exception {
        SliceKeeper keeper = keeper(devices(GpuMode.SLICES));

        keeper.unprepare("nobody");

        assertThat(keeper.holdings()).isEmpty();
    }

    @Test
    void whatAResetTookIsMadeAgainForItsClaim() throws Exception {
        EmulatedDevices devices = devices(GpuMode.SLICES);
        SliceKeeper keeper = keeper(devices);
        keeper.prepare(CLAIM, List.of(slice(FIRST, "3g.20gb", 4)));
        devices.reset();

        assertThat(keeper.reconcile(ref -> ClaimSource.Standing.ALLOCATED).repaired())
                .containsExactly("3g.20gb at 4 of 0000:10:00.0 of claim default/one was gone and was made again");
        assertThat(devices.instances(FIRST)).hasSize(1);
        assertThat(keeper.reconcile(ref -> ClaimSource.Standing.ALLOCATED))
                .isEqualTo(new RepairReport(List.of(), List.of()));
    }

    @Test
    void whatAClaimHadThatIsGoneIsTakenBackAndNotWhileNobodyCanSay() throws Exception {
        EmulatedDevices devices = devices(GpuMode.SLICES);
        SliceKeeper keeper = keeper(devices);
        keeper.prepare(CLAIM, List.of(slice(FIRST, "3g.20gb", 4)));

        keeper.reconcile(ref -> ClaimSource.Standing.UNKNOWN);
        assertThat(devices.instances(FIRST)).hasSize(1);

        keeper.reconcile(ref -> ClaimSource.Standing.GONE);
        assertThat(devices.instances(FIRST)).isEmpty();
        assertThat(keeper.holdings()).isEmpty();
    }

    /** Passes all calls on, and has those that make GPU instances meet or not meet. */
    private record Watched(
            DevicePort port, CyclicBarrier meeting, Map<PciAddress, AtomicInteger> inside, AtomicInteger most)
            implements DevicePort {
        @Override
        public void setSlices(PciAddress gpu, boolean slices) throws DeviceException {
            port.setSlices(gpu, slices);
        }

        @Override
        public void reset(PciAddress gpu) throws DeviceException {
            port.reset(gpu);
        }

        @Override
        public Optional<DeviceEvent> nextEvent(Duration atMost) throws DeviceException {
            return port.nextEvent(atMost);
        }

        @Override
        public Recovery recovery(PciAddress gpu) throws DeviceException {
            return port.recovery(gpu);
        }

        @Override
        public DriverVersion version() throws DeviceException {
            return port.version();
        }

        @Override
        public List<Gpu> gpus() throws DeviceException {
            return port.gpus();
        }

        @Override
        public List<GpuInstance> instances(PciAddress gpu) throws DeviceException {
            return port.instances(gpu);
        }

        @Override
        public int createGpuInstance(PciAddress gpu, DriverProfile profile, int start) throws DeviceException {
            AtomicInteger here = requireNonNull(inside.get(gpu));
            most.accumulateAndGet(here.incrementAndGet(), Math::max);
            try {
                meeting.await(20, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException("the other GPU had to wait", e);
            }
            int made = port.createGpuInstance(gpu, profile, start);
            here.decrementAndGet();
            return made;
        }

        @Override
        public ComputeInstance createComputeInstance(PciAddress gpu, int instance) throws DeviceException {
            return port.createComputeInstance(gpu, instance);
        }

        @Override
        public void destroyComputeInstance(PciAddress gpu, int instance, int compute) throws DeviceException {
            port.destroyComputeInstance(gpu, instance, compute);
        }

        @Override
        public void destroyGpuInstance(PciAddress gpu, int instance) throws DeviceException {
            port.destroyGpuInstance(gpu, instance);
        }
    }

    @Test
    void twoGpusGoSideBySideAndOneDoesNot(@TempDir Path directory) throws Exception {
        Watched devices = new Watched(
                devices(GpuMode.SLICES),
                new CyclicBarrier(2),
                Map.of(FIRST, new AtomicInteger(), SECOND, new AtomicInteger()),
                new AtomicInteger());
        SliceKeeper keeper = new SliceKeeper(
                devices, Checkpoint.open(new LocalDisk(), directory.resolve("checkpoint"), "boot"), new NoFiles());
        keeper.reconcile(ref -> ClaimSource.Standing.UNKNOWN);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<Holding>>> all = List.of(
                    threads.submit(() -> keeper.prepare(claim("a"), List.of(slice(FIRST, "1g.5gb", 0)))),
                    threads.submit(() -> keeper.prepare(claim("b"), List.of(slice(FIRST, "1g.5gb", 1)))),
                    threads.submit(() -> keeper.prepare(claim("c"), List.of(slice(SECOND, "1g.5gb", 0)))),
                    threads.submit(() -> keeper.prepare(claim("d"), List.of(slice(SECOND, "1g.5gb", 1)))));
            for (Future<List<Holding>> one : all) {
                assertThat(one.get(60, TimeUnit.SECONDS)).hasSize(1);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(devices.most().get()).isEqualTo(1);
    }

    private record NoFiles() implements ClaimFiles {
        @Override
        public boolean write(ClaimRef claim, List<Holding> slices) {
            return false;
        }

        @Override
        public void remove(String uid) {}

        @Override
        public Set<String> claims() {
            return Set.of();
        }
    }
}
