package dev.sro.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.agent.cdi.ClaimSpecs;
import dev.sro.agent.cdi.EmulatedEdits;
import dev.sro.agent.claims.ApiServer;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.emulated.EmulatedNode;
import dev.sro.agent.file.LocalDisk;
import dev.sro.agent.file.WholeFile;
import dev.sro.agent.health.HealthKeeper;
import dev.sro.agent.mode.ModeKeeper;
import dev.sro.agent.node.ApiNode;
import dev.sro.agent.slice.Checkpoint;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.ClaimSource;
import dev.sro.agent.slice.SliceException;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.agent.slice.WantedSlice;
import dev.sro.core.dra.NodeMarks;
import dev.sro.core.dra.PublishRule;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Modes, whole GPUs and health, from the marks of the Node to hardware and what is published. */
class ModesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DRIVER = "slices.sro.dev";
    private static final PciAddress A100 = PciAddress.of("0000:10:00.0");
    private static final PciAddress H100 = PciAddress.of("0000:11:00.0");
    private static final PciAddress STUBBORN = PciAddress.of("0000:12:00.0");
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final ClaimRef CLAIM = new ClaimRef("u", "ns", "one");

    private final EmbeddedCluster cluster = EmbeddedCluster.create();
    private final ApiSlices api;
    private final ApiNode node;
    private final Path state;
    private final List<String> log = new ArrayList<>();
    private EmulatedDevices devices;
    private SliceKeeper keeper;
    private HealthKeeper health;
    private SlicePublisher publisher;

    ModesTest(@TempDir Path state) throws IOException {
        this.state = state;
        ApiServer server = ApiServer.at(cluster.serveHttp(0).uri(), Optional.empty(), Optional.empty());
        api = new ApiSlices(server, "n1", DRIVER);
        node = new ApiNode(server, "n1");
        create(Gvr.NODES, "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n1'}}");
        devices = devices(GpuMode.SLICES);
        keeper = keeper("boot");
        health = health("boot");
        publisher = publisher();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private static EmulatedDevices devices(GpuMode mode) {
        Catalogue models = Catalogue.builtin();
        return new EmulatedDevices(
                "n1",
                new EmulatedNode(
                        new DriverVersion("580.65.06", "13.0"),
                        Duration.ZERO,
                        Duration.ZERO,
                        List.of(
                                new EmulatedGpus(models.model("A100-40GB"), 1, mode),
                                new EmulatedGpus(models.model("H100-80GB"), 1, mode),
                                new EmulatedGpus(models.model("A30-24GB"), 1, mode, false)),
                        List.of()),
                pause -> {});
    }

    private void create(Gvr type, String text) throws IOException {
        cluster.api().create(type, (ObjectNode) JSON.readTree(text.replace('\'', '"')));
    }

    private SliceKeeper keeper(String boot) throws IOException {
        SliceKeeper made = new SliceKeeper(
                devices,
                Checkpoint.open(new LocalDisk(), state.resolve("checkpoint"), boot),
                new ClaimSpecs(new LocalDisk(), state.resolve("cdi"), new EmulatedEdits()));
        made.reconcile(claim -> ClaimSource.Standing.ALLOCATED);
        return made;
    }

    private HealthKeeper health(String boot) {
        return new HealthKeeper(devices, new WholeFile(new LocalDisk(), state.resolve("health")), boot, log::add);
    }

    private SlicePublisher publisher() {
        ModeKeeper modes = new ModeKeeper(devices, keeper, health::cleared, log::add);
        return new SlicePublisher(
                DRIVER,
                api,
                new NodeReader("n1", devices, keeper, Catalogue.builtin()),
                node::read,
                new Care(modes),
                PublishRule.standard(),
                log::add);
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

    private void restart(EmulatedDevices hardware, String boot) throws IOException {
        devices = hardware;
        keeper = keeper(boot);
        health = health(boot);
        publisher = publisher();
    }

    private void mode(String value) throws IOException {
        cluster.api().update(Gvr.NODES, "", "n1", "", old -> {
            old.withObject("/metadata/labels").put(NodeMarks.MODE, value);
            return old;
        });
    }

    /** Publishes as often as it wants to be called by then. */
    private void until(int seconds) throws Exception {
        Instant end = START.plusSeconds(seconds);
        Optional<Instant> next = publisher.publish(end, false);
        for (int i = 0; i < 5 && next.isPresent() && !next.get().isAfter(end); i++) {
            next = publisher.publish(end, false);
        }
    }

    private GpuMode mode(PciAddress address) {
        return devices.gpus().stream()
                .filter(gpu -> gpu.address().equals(address))
                .map(Gpu::mode)
                .findFirst()
                .orElseThrow();
    }

    private String annotation(String key) throws IOException {
        return node.read().annotations().getOrDefault(key, "");
    }

    private List<String> listed(PciAddress gpu) throws IOException {
        String name = "gpu-" + gpu.toString().replace(':', '-').replace('.', '-');
        return api.slices().stream()
                .flatMap(slice -> slice.getSpec().getDevices().stream())
                .map(Device::getName)
                .filter(device -> device.equals(name) || device.startsWith(name + "-"))
                .toList();
    }

    /** Whether anything of it can be had, by the counters. */
    private boolean open(PciAddress gpu) throws IOException {
        String name = "gpu-" + gpu.toString().replace(':', '-').replace('.', '-');
        return api.slices().stream()
                .flatMap(slice -> slice.getSpec().getSharedCounters().stream())
                .filter(set -> set.getName().equals(name))
                .anyMatch(set -> set.getCounters().values().stream()
                        .anyMatch(counter -> !counter.getValue().getAmount().equals("0")));
    }

    private static WantedSlice whole(PciAddress gpu) {
        return WantedSlice.whole("gpu-" + gpu.toString().replace(':', '-').replace('.', '-'), gpu);
    }

    @Test
    void migGoesOnAtOnceFromHopperOnAndByAnOrderedResetBefore() throws Exception {
        restart(devices(GpuMode.WHOLE), "boot");
        until(0);
        assertThat(api.slices()).as("nobody asked for slices").isEmpty();

        mode("slices");
        until(1);
        assertThat(mode(H100)).isEqualTo(GpuMode.SLICES);
        assertThat(listed(H100)).isNotEmpty();
        assertThat(mode(A100)).isEqualTo(GpuMode.WHOLE);
        assertThat(annotation(NodeMarks.RESET_NEEDED)).isEqualTo("0000:10:00.0,0000:12:00.0");

        until(600);
        assertThat(mode(A100)).as("never by itself").isEqualTo(GpuMode.WHOLE);

        node.annotate(Map.of(NodeMarks.RESET, "0000:10:00.0,0000:12:00.0"));
        until(601);
        assertThat(mode(A100)).isEqualTo(GpuMode.SLICES);
        assertThat(listed(A100)).isNotEmpty();
        assertThat(open(A100)).isTrue();
        assertThat(annotation(NodeMarks.RESET_NEEDED)).isEqualTo("0000:12:00.0");
        assertThat(annotation(NodeMarks.RESET_FAILED)).isEqualTo("0000:12:00.0");
        assertThat(log).anyMatch(line -> line.contains("0000:12:00.0: not MIG on: 0000:12:00.0: cannot be reset"));
        assertThat(mode(STUBBORN)).isEqualTo(GpuMode.PENDING);
        assertThat(listed(STUBBORN)).isEmpty();
    }

    @Test
    void aGpuThatCannotBeResetIsTriedAgainOnlyIfThatIsOrderedAnew() throws Exception {
        restart(devices(GpuMode.WHOLE), "boot");
        mode("slices");
        node.annotate(Map.of(NodeMarks.RESET, STUBBORN.toString()));
        until(1);
        long tries =
                log.stream().filter(line -> line.contains("cannot be reset")).count();
        assertThat(tries).isEqualTo(1);
        restart(devices, "boot");
        until(2);
        assertThat(log.stream().filter(line -> line.contains("cannot be reset")).count())
                .isEqualTo(1);

        node.annotate(Map.of(NodeMarks.RESET, ""));
        until(3);
        assertThat(annotation(NodeMarks.RESET_FAILED)).isEmpty();
        node.annotate(Map.of(NodeMarks.RESET, STUBBORN.toString()));
        until(4);
        assertThat(annotation(NodeMarks.RESET_FAILED)).isEqualTo(STUBBORN.toString());
    }

    @Test
    void whatClaimsHaveKeepsAGpuAsItIsAndItIsClosedMeanwhile() throws Exception {
        until(0);
        keeper.prepare(CLAIM, List.of(new WantedSlice("gpu-0000-11-00-0-1g-10gb-0", H100, "1g.10gb", 0)));
        mode("whole");
        until(1);
        until(100);
        assertThat(mode(H100)).isEqualTo(GpuMode.SLICES);
        assertThat(listed(H100)).contains("gpu-0000-11-00-0-1g-10gb-0");

        keeper.unprepare("u");
        until(101);
        assertThat(mode(H100)).isEqualTo(GpuMode.WHOLE);
        assertThat(listed(H100)).containsExactly("gpu-0000-11-00-0");
        assertThat(open(H100)).isTrue();
    }

    @Test
    void aGpuIsClosedForAWhileBeforeItChanges() throws Exception {
        until(0);
        mode("whole");
        until(1);
        assertThat(open(H100)).isFalse();
        assertThat(mode(H100)).isEqualTo(GpuMode.SLICES);
        assertThat(publisher.publish(START.plusSeconds(2), false)).contains(START.plusSeconds(31));

        until(31);
        assertThat(mode(H100)).isEqualTo(GpuMode.WHOLE);
        assertThat(listed(H100)).containsExactly("gpu-0000-11-00-0");

        mode("slices");
        until(32);
        assertThat(mode(H100)).as("the same the other way").isEqualTo(GpuMode.WHOLE);
        until(62);
        assertThat(mode(H100)).isEqualTo(GpuMode.SLICES);
        assertThat(listed(H100)).hasSizeGreaterThan(1);
        assertThat(open(H100)).isTrue();
    }

    @Test
    void aCordonedGpuKeepsItsMode() throws Exception {
        restart(devices(GpuMode.WHOLE), "boot");
        node.annotate(Map.of(NodeMarks.cordon(H100.toString()), "mine"));
        mode("slices");
        until(1);
        until(100);
        assertThat(mode(H100)).isEqualTo(GpuMode.WHOLE);
    }

    @Test
    void slicesAndWholeGpusTakeTurnsWhereTheModeIsDynamic() throws Exception {
        mode("dynamic");
        until(0);
        assertThat(listed(H100)).contains("gpu-0000-11-00-0", "gpu-0000-11-00-0-1g-10gb-0");
        assertThat(listed(A100)).as("only a reset would switch it").doesNotContain("gpu-0000-10-00-0");

        keeper.prepare(CLAIM, List.of(whole(H100)));
        assertThat(mode(H100)).isEqualTo(GpuMode.WHOLE);
        assertThatThrownBy(() -> keeper.prepare(
                        new ClaimRef("v", "ns", "two"),
                        List.of(new WantedSlice("gpu-0000-11-00-0-1g-10gb-0", H100, "1g.10gb", 0))))
                .isInstanceOf(SliceException.class)
                .hasMessageContaining("all of 0000:11:00.0 is held by claim ns/one");
        until(1);
        assertThat(listed(H100)).contains("gpu-0000-11-00-0", "gpu-0000-11-00-0-1g-10gb-0");

        keeper.unprepare("u");
        keeper.prepare(CLAIM, List.of(new WantedSlice("gpu-0000-11-00-0-1g-10gb-0", H100, "1g.10gb", 0)));
        assertThat(mode(H100)).isEqualTo(GpuMode.SLICES);
        assertThatThrownBy(() -> keeper.prepare(new ClaimRef("v", "ns", "two"), List.of(whole(H100))))
                .isInstanceOf(SliceException.class)
                .hasMessageContaining("1g.10gb at 0 of 0000:11:00.0 is held by claim ns/one");
        assertThatThrownBy(() -> keeper.prepare(new ClaimRef("v", "ns", "two"), List.of(whole(A100))))
                .isInstanceOf(SliceException.class)
                .hasMessageContaining("MIG is on");
    }

    @Test
    void aWholeGpuSurvivesTheAgentAndGoesWithItsClaim() throws Exception {
        restart(devices(GpuMode.WHOLE), "boot");
        mode("whole");
        until(0);
        assertThat(listed(A100)).containsExactly("gpu-0000-10-00-0");
        String uuid = keeper.prepare(CLAIM, List.of(whole(A100))).get(0).uuid();
        assertThat(uuid).startsWith("GPU-");
        assertThat(state.resolve("cdi/sro.dev-slice_u.json")).content().contains(uuid);

        restart(devices, "boot");
        assertThat(keeper.prepare(CLAIM, List.of(whole(A100))).get(0).uuid()).isEqualTo(uuid);
        assertThatThrownBy(() -> keeper.prepare(new ClaimRef("v", "ns", "two"), List.of(whole(A100))))
                .hasMessageContaining("is held by claim ns/one");
        keeper.reconcile(claim -> ClaimSource.Standing.GONE);
        assertThat(keeper.holdings()).isEmpty();
        assertThat(state.resolve("cdi/sro.dev-slice_u.json")).doesNotExist();
    }

    @Test
    void aForeignSliceKeepsAGpuFromBeingHadWholeAndFromChanging() throws Exception {
        mode("dynamic");
        until(0);
        Gpu gpu = devices.gpus().get(1);
        devices.createGpuInstance(H100, gpu.profile("1g.10gb").orElseThrow(), 0);
        assertThatThrownBy(() -> keeper.prepare(CLAIM, List.of(whole(H100))))
                .hasMessageContaining("which the agent did not make");
        mode("whole");
        until(1);
        until(100);
        assertThat(mode(H100)).isEqualTo(GpuMode.SLICES);
        assertThat(log).anyMatch(line -> line.contains("not MIG off"));
    }

    @Test
    void aGpuThatIsIllTakesNothingNewUntilItIsWell() throws Exception {
        until(0);
        devices.raise(H100, 31);
        assertThat(health.await(Duration.ZERO)).as("a program's fault").isFalse();
        devices.heal(H100);
        devices.raise(H100, 95);
        assertThat(health.await(Duration.ZERO)).isTrue();
        until(1);
        assertThat(open(H100)).isFalse();
        assertThat(open(A100)).isTrue();

        restart(devices, "boot");
        assertThat(health.faults(H100)).as("after a restart of the agent").containsOnlyKeys("xid-95");
        until(2);
        assertThat(open(H100)).isFalse();

        devices.heal(H100);
        assertThat(health.recheck()).containsExactly(H100);
        until(3);
        assertThat(open(H100)).isTrue();
        restart(devices, "boot");
        assertThat(health.all()).isEmpty();
    }

    @Test
    void aGpuThatIsIllIsResetWhenThatIsOrderedAndNobodyHasAnythingOfIt() throws Exception {
        until(0);
        keeper.prepare(CLAIM, List.of(new WantedSlice("gpu-0000-11-00-0-1g-10gb-0", H100, "1g.10gb", 0)));
        devices.raise(H100, 95);
        health.await(Duration.ZERO);
        until(1);
        assertThat(annotation(NodeMarks.RESET_NEEDED)).isEqualTo(H100.toString());
        until(100);
        assertThat(health.all()).as("never by itself").containsOnlyKeys(H100);

        node.annotate(Map.of(NodeMarks.RESET, H100.toString()));
        until(101);
        assertThat(annotation(NodeMarks.RESET_NEEDED))
                .as("still to be done, as a claim has a slice")
                .isEqualTo(H100.toString());
        assertThat(devices.instances(H100)).hasSize(1);

        keeper.unprepare("u");
        until(102);
        assertThat(health.all()).isEmpty();
        assertThat(annotation(NodeMarks.RESET_NEEDED)).isEmpty();
        assertThat(open(H100)).isTrue();
    }

    @Test
    void aBootForgetsWhatAilsGpus() throws Exception {
        devices.raise(H100, 95);
        health.await(Duration.ZERO);
        restart(devices(GpuMode.SLICES), "other boot");
        assertThat(health.all()).isEmpty();
    }

    @Test
    void aGpuThatFellOffTheBusIsClosedAndComesBack() throws Exception {
        until(0);
        devices.raise(H100, 79);
        health.await(Duration.ZERO);
        until(1);
        assertThat(open(H100)).isFalse();
        assertThatThrownBy(() -> devices.instances(H100)).isInstanceOf(DeviceException.class);
        devices.reset();
        health.recheck();
        until(2);
        assertThat(open(H100)).isTrue();
    }
}
