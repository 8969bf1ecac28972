package dev.sro.agent.publish;

import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedFailure;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.file.LocalDisk;
import dev.sro.agent.file.WholeFile;
import dev.sro.agent.health.HealthKeeper;
import dev.sro.agent.mode.ModeKeeper;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.WantedSlice;
import dev.sro.core.dra.NodeMarks;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A node with an A100, an H100 and an A30 that cannot be reset, with all the care that an agent takes of them. */
abstract class ModesPublishingTest extends PublishingTest {
    static final PciAddress A100 = PciAddress.of("0000:10:00.0");
    static final PciAddress H100 = PciAddress.of("0000:11:00.0");
    static final PciAddress STUBBORN = PciAddress.of("0000:12:00.0");
    static final ClaimRef CLAIM = new ClaimRef("u", "ns", "one");

    HealthKeeper health;

    ModesPublishingTest(Path state) throws IOException {
        super(state, devices(GpuMode.SLICES));
        health = health("boot");
        publisher = publisher(devices, keeper, care());
    }

    static EmulatedDevices devices(GpuMode mode) {
        return devices(mode, List.of());
    }

    static EmulatedDevices devices(GpuMode mode, List<EmulatedFailure> failures) {
        Catalogue models = Catalogue.builtin();
        return devices(
                List.of(
                        new EmulatedGpus(models.model("A100-40GB"), 1, mode),
                        new EmulatedGpus(models.model("H100-80GB"), 1, mode),
                        new EmulatedGpus(models.model("A30-24GB"), 1, mode, false)),
                failures);
    }

    private HealthKeeper health(String boot) {
        return new HealthKeeper(devices, new WholeFile(new LocalDisk(), state.resolve("health")), boot, log::add);
    }

    private GpuCare care() {
        return new Care(new ModeKeeper(devices, keeper, health::cleared, log::add));
    }

    /** As the agent has it. */
    private final class Care implements GpuCare {
        private final ModeKeeper modes;

        Care(ModeKeeper modes) {
            this.modes = modes;
        }

        @Override
        public Map<String, String> faults(PciAddress gpu) {
            return health.faults(gpu);
        }

        @Override
        public Map<PciAddress, String> elsewhere() {
            return Map.of();
        }

        @Override
        public boolean closedLong(PciAddress gpu, Instant now) {
            return modes.closedLong(gpu, now);
        }

        @Override
        public Optional<Instant> published(Instant now, Published published) {
            keeper.dynamic(published.facts().mode().equals(Optional.of(NodeMarks.Mode.DYNAMIC)));
            ModeKeeper.Result result = modes.apply(now, published, published.had(), health.needReset());
            if (!result.annotations().isEmpty()) {
                try {
                    node.annotate(result.annotations());
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
            return result.changed() ? Optional.of(now) : result.again();
        }
    }

    @Override
    final void restart(EmulatedDevices hardware, String boot) throws IOException {
        super.restart(hardware, boot);
        health = health(boot);
        publisher = publisher(devices, keeper, care());
    }

    final void mode(String value) throws IOException {
        cluster.api().update(Gvr.NODES, "", "n1", "", old -> {
            old.withObject("/metadata/labels").put(NodeMarks.MODE, value);
            return old;
        });
    }

    /** Publishes as often as it wants to be called by then. */
    final void until(int seconds) throws Exception {
        Instant end = START.plusSeconds(seconds);
        Optional<Instant> next = publisher.publish(end, false);
        for (int i = 0; i < 5 && next.isPresent() && !next.get().isAfter(end); i++) {
            next = publisher.publish(end, false);
        }
    }

    final GpuMode mode(PciAddress address) {
        return devices.gpus().stream()
                .filter(gpu -> gpu.address().equals(address))
                .map(Gpu::mode)
                .findFirst()
                .orElseThrow();
    }

    final String annotation(String key) throws IOException {
        return node.read().annotations().getOrDefault(key, "");
    }

    final List<String> listed(PciAddress gpu) throws IOException {
        String name = "gpu-" + gpu.toString().replace(':', '-').replace('.', '-');
        return api.slices().stream()
                .flatMap(slice -> slice.getSpec().getDevices().stream())
                .map(Device::getName)
                .filter(device -> device.equals(name) || device.startsWith(name + "-"))
                .toList();
    }

    static WantedSlice whole(PciAddress gpu) {
        return WantedSlice.whole("gpu-" + gpu.toString().replace(':', '-').replace('.', '-'), gpu);
    }
}
