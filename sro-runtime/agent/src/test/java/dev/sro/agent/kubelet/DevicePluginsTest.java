package dev.sro.agent.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.agent.cdi.ClaimSpecs;
import dev.sro.agent.cdi.EmulatedEdits;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuInstance;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.ProfileNames;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.emulated.EmulatedNode;
import dev.sro.agent.file.LocalDisk;
import dev.sro.agent.plugin.DevicePlugins;
import dev.sro.agent.plugin.KubeletUse;
import dev.sro.agent.plugin.PluginExposure;
import dev.sro.agent.plugin.PluginHardware;
import dev.sro.agent.slice.Checkpoint;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.ClaimSource;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.agent.slice.WantedSlice;
import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.ClaimPod;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.mig.MigResources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Device plugins over their sockets, between a simulated kubelet and emulated hardware. */
class DevicePluginsTest {
    private static final String ONE = "nvidia.com/mig-1g.5gb";
    private static final String TWO = "nvidia.com/mig-2g.10gb";
    private static final String THREE = "nvidia.com/mig-3g.20gb";
    private static final String FOUR = "nvidia.com/mig-4g.20gb";
    private static final String ALL = "nvidia.com/mig-7g.40gb";
    private static final List<String> RESOURCES =
            List.of(ONE, TWO, THREE, FOUR, ALL, "nvidia.com/mig-1g.10gb", "nvidia.com/mig-1g.5gb.me");

    private final Path directory;
    private final PluginKubelet kubelet;
    private final ExecutorService work = Executors.newCachedThreadPool();
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final EmulatedDevices devices = new EmulatedDevices(
            "n1",
            new EmulatedNode(
                    new DriverVersion("580.65.06", "13.0"),
                    Duration.ZERO,
                    Duration.ZERO,
                    List.of(new EmulatedGpus(Catalogue.builtin().model("A100-40GB"), 2, GpuMode.SLICES)),
                    List.of()),
            pause -> {});
    private String boot = "boot-1";
    private List<AllocationClaim> promises = List.of();
    private Optional<String> closed = Optional.empty();
    private boolean offered = true;
    private SliceKeeper keeper;
    private DevicePlugins plugins;

    DevicePluginsTest() throws IOException {
        // Of JUnit's own length a socket's path must not be.
        directory = Files.createTempDirectory("d");
        kubelet = new PluginKubelet(directory);
    }

    @BeforeEach
    void startAgent() throws IOException {
        keeper = new SliceKeeper(
                devices,
                Checkpoint.open(new LocalDisk(), directory.resolve("checkpoint"), boot),
                new ClaimSpecs(new LocalDisk(), directory.resolve("cdi"), new EmulatedEdits()));
        assertThat(keeper.reconcile(claim -> ClaimSource.Standing.UNKNOWN).left())
                .isEmpty();
        plugins = new DevicePlugins(
                directory,
                MigResources::resource,
                keeper,
                new PluginHardware(devices, Catalogue.builtin(), new PluginExposure() {
                    @Override
                    public boolean offered() {
                        return offered;
                    }

                    @Override
                    public Optional<String> closed(Gpu gpu) {
                        return closed;
                    }

                    @Override
                    public boolean healthy(Gpu gpu) {
                        return true;
                    }
                }),
                new KubeletUse() {
                    @Override
                    public Map<String, String> devices() throws IOException {
                        return kubelet.told();
                    }

                    @Override
                    public Set<String> untold() {
                        return kubelet.untold();
                    }
                },
                () -> promises,
                work,
                Clock.systemUTC(),
                log::add);
        plugins.look();
    }

    @AfterEach
    void close() throws IOException {
        plugins.close();
        kubelet.close();
        work.shutdownNow();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private List<String> hardware() throws DeviceException {
        List<String> places = new ArrayList<>();
        for (Gpu gpu : devices.gpus()) {
            for (GpuInstance instance : devices.instances(gpu.address())) {
                places.add(ProfileNames.device(
                        gpu.address(),
                        gpu.profile(instance.profileId()).orElseThrow().name(),
                        instance.start()));
            }
        }
        return places;
    }

    private void free(String resource, int count) throws InterruptedException {
        kubelet.devices(resource, list -> kubelet.free(resource).size() == count);
    }

    @Test
    void eachProfileHasAsManyAsReallyFit() throws Exception {
        free(ONE, 14);
        free(TWO, 6);
        free(THREE, 4);
        free(FOUR, 2);
        free(ALL, 2);
        free("nvidia.com/mig-1g.10gb", 8);
        free("nvidia.com/mig-1g.5gb.me", 2);
        List<String> ids = kubelet.run("ns/a", THREE, 1);
        plugins.look();
        free(ALL, 1);
        free(THREE, 3);
        free(FOUR, 2);
        assertThat(kubelet.devices(THREE, list -> true))
                .extracting(PluginDevice::id)
                .containsAll(ids);
        assertThat(hardware()).containsExactlyElementsOf(ids);
        assertThat(directory.resolve("cdi/sro.dev-slice_plugin-" + ids.get(0) + ".json"))
                .exists();
    }

    /** What a scheduler counts as free can all be had, as the hardware judges; pods of all profiles come and go. */
    @Test
    void whatIsCountedAsFreeCanBeHadInRandomHistories() throws Exception {
        Random random = new Random(22);
        List<String> running = new ArrayList<>();
        for (int step = 0; step < 60; step++) {
            String resource = RESOURCES.get(random.nextInt(RESOURCES.size()));
            int count = 1 + random.nextInt(2);
            if (!running.isEmpty() && random.nextInt(3) == 0) {
                kubelet.end(running.remove(random.nextInt(running.size())));
            } else if (kubelet.free(resource).size() >= count) {
                kubelet.run("ns/" + step, resource, count);
                running.add("ns/" + step);
            }
            plugins.look();
            awaitLists();
            assertThat(hardware())
                    .containsExactlyInAnyOrderElementsOf(kubelet.devices().keySet());
        }
        for (String resource : RESOURCES) {
            List<String> all = kubelet.free(resource);
            if (!all.isEmpty()) {
                kubelet.run("ns/all", resource, all.size());
                assertThat(hardware()).containsAll(all);
                kubelet.end("ns/all");
                plugins.look();
                awaitLists();
            }
        }
    }

    private void awaitLists() throws InterruptedException {
        for (String resource : RESOURCES) {
            kubelet.latest(resource);
        }
    }

    @Test
    void whoComesByAnOldCountIsRefusedWithTheReasonAndHarmsNobody() throws Exception {
        free(ALL, 2);
        free(THREE, 4);
        List<String> counted = kubelet.free(THREE);
        List<String> unused = kubelet.admit("ns/a", ALL, 2);
        assertThatThrownBy(() -> kubelet.give("ns/b", THREE, counted.subList(0, 1)))
                .hasMessageContaining("nvidia.com/mig-3g.20gb: 3g.20gb at")
                .hasMessageContaining("cannot be had beside [7g.40gb at 0 of pod ns/a]")
                .hasMessageContaining("a new pod is counted anew");
        kubelet.start("ns/a");
        assertThat(hardware()).hasSize(2);
    }

    @Test
    void aContainerThatStartsAgainHasItsSliceAlsoAfterTheAgentAndAReboot() throws Exception {
        free(TWO, 6);
        List<String> ids = kubelet.run("ns/a", TWO, 1);
        List<GpuInstance> before = devices.instances(devices.gpus().get(0).address());
        kubelet.start("ns/a");
        plugins.close();
        startAgent();
        kubelet.devices(
                TWO, list -> list.stream().anyMatch(device -> device.id().equals(ids.get(0))));
        kubelet.start("ns/a");
        assertThat(devices.instances(devices.gpus().get(0).address())).isEqualTo(before);

        plugins.close();
        devices.reset();
        boot = "boot-2";
        startAgent();
        free(ALL, 1);
        kubelet.start("ns/a");
        assertThat(hardware()).isEqualTo(ids);
    }

    @Test
    void aKubeletThatStartsAgainIsToldEverythingAgain() throws Exception {
        free(ONE, 14);
        kubelet.run("ns/a", ONE, 1);
        int before = kubelet.registrations();
        kubelet.restart();
        plugins.look();
        assertThat(kubelet.devices(ONE, list -> list.size() == 14)).hasSize(14);
        assertThat(kubelet.registrations()).isEqualTo(2 * before);
        kubelet.start("ns/a");
        plugins.look();
        assertThat(kubelet.registrations()).as("no reason to do it again").isEqualTo(2 * before);
    }

    @Test
    void podsThatWentWhileTheAgentWasAwayAreFound() throws Exception {
        free(ONE, 14);
        kubelet.run("ns/a", ONE, 2);
        kubelet.run("ns/b", ONE, 1);
        plugins.close();
        kubelet.end("ns/a");
        startAgent();
        assertThat(hardware()).containsExactlyElementsOf(kubelet.devices().keySet());
        free(ONE, 13);
    }

    @Test
    void aSliceStaysAsLongAsNobodyCanSayThatItsPodHasGone() throws Exception {
        free(ONE, 14);
        kubelet.run("ns/a", ONE, 1);
        plugins.look();
        kubelet.tellsNothingOf(ONE);
        kubelet.end("ns/a");
        plugins.look();
        assertThat(hardware()).as("of an init container kubelet does not tell").hasSize(1);
        kubelet.tellsNothingOf();
        kubelet.silent(true);
        plugins.look();
        assertThat(hardware()).hasSize(1);
        // Kubelet may give the place again that it had; nothing else is offered.
        free(ONE, 1);
        kubelet.silent(false);
        plugins.look();
        assertThat(hardware()).isEmpty();
        free(ONE, 14);
    }

    @Test
    void promisesAreCountedAndTakenFirst() throws Exception {
        Gpu second = devices.gpus().get(1);
        promises = List.of(AllocationClaim.promise(
                new ClaimPod("ns", "a", "uid-a"), "c", 0, "n1", second.uuid(), "3g.20gb", 0, 4));
        plugins.look();
        free(THREE, 4);
        free(ALL, 1);
        assertThat(kubelet.run("ns/a", THREE, 1)).containsExactly(ProfileNames.device(second.address(), "3g.20gb", 0));
    }

    @Test
    void whatIsNotOfferedAnyMoreStaysWithThoseWhoHaveIt() throws Exception {
        free(ONE, 14);
        List<String> ids = kubelet.run("ns/a", ONE, 1);
        String other = kubelet.free(ONE).get(0);
        offered = false;
        closed = Optional.of("slices of this node are offered to claims");
        assertThatThrownBy(() -> kubelet.give("ns/b", ONE, List.of(other)))
                .hasMessageContaining("cannot be had: slices of this node are offered to claims");
        plugins.look();
        assertThat(kubelet.devices(ONE, list -> list.size() == 1))
                .extracting(PluginDevice::id)
                .isEqualTo(ids)
                .doesNotContain(other);
        kubelet.start("ns/a");
        kubelet.end("ns/a");
        plugins.look();
        assertThat(hardware()).isEmpty();
        assertThat(Files.exists(directory.resolve("device-plugins/sro-mig-1g.5gb.sock")))
                .isFalse();
    }

    @Test
    void aGpuOfWhichAClaimHasASliceIsNotOffered() throws Exception {
        Gpu first = devices.gpus().get(0);
        keeper.prepare(
                new ClaimRef("uid-1", "ns", "claim"), List.of(new WantedSlice("d", first.address(), "1g.5gb", 0)));
        plugins.look();
        free(ONE, 7);
        free(ALL, 1);
        assertThat(kubelet.free(ONE)).allMatch(id -> !id.startsWith(ProfileNames.device(first.address())));
    }
}
