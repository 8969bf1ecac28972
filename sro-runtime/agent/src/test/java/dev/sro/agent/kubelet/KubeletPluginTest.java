package dev.sro.agent.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.agent.cdi.ClaimSpecs;
import dev.sro.agent.cdi.EmulatedEdits;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DevicePort;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.emulated.EmulatedNode;
import dev.sro.agent.file.LocalDisk;
import dev.sro.agent.slice.Checkpoint;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.ClaimSource;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.core.slicing.catalogue.Catalogue;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over real Unix sockets. */
class KubeletPluginTest {
    private static final String DRIVER = "slices.sro.dev";
    private static final PciAddress GPU = PciAddress.of("0000:10:00.0");
    private static final ClaimRef ONE = new ClaimRef("uid-one", "default", "one");
    private static final ClaimRef TWO = new ClaimRef("uid-two", "default", "two");
    private static final String LEFT = "gpu-0000-10-00-0-3g-20gb-0";
    private static final String RIGHT = "gpu-0000-10-00-0-3g-20gb-4";

    /** Of JUnit's own length a socket's path must not be. */
    private final Path kubeletDirectory = shortDirectory();

    private final Map<String, List<Allocation>> claims = new ConcurrentHashMap<>();
    private final List<RegistrationStatus> registrations = new ArrayList<>();
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final FakeKubelet kubelet = new FakeKubelet(kubeletDirectory);
    private final EmulatedDevices devices = new EmulatedDevices(
            "node",
            new EmulatedNode(
                    new DriverVersion("580", "13.0"),
                    Duration.ZERO,
                    Duration.ZERO,
                    List.of(new EmulatedGpus(Catalogue.builtin().model("A100-40GB"), 2, GpuMode.SLICES)),
                    List.of()),
            pause -> {});

    private final Path state;
    private KubeletPlugin plugin;

    KubeletPluginTest(@TempDir Path state) throws IOException {
        this.state = state;
        plugin = start(Optional.empty());
    }

    private static Path shortDirectory() {
        try {
            return Files.createTempDirectory("k");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As a driver that does not know of these GPUs yet. */
    private DevicePort without(Set<PciAddress> hidden) {
        return (DevicePort) Proxy.newProxyInstance(
                DevicePort.class.getClassLoader(), new Class<?>[] {DevicePort.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("gpus")) {
                        return devices.gpus().stream()
                                .filter(gpu -> !hidden.contains(gpu.address()))
                                .toList();
                    }
                    return method.invoke(devices, arguments);
                });
    }

    private KubeletPlugin start(Optional<String> instance) throws IOException {
        return start(instance, devices);
    }

    private KubeletPlugin start(Optional<String> instance, DevicePort port) throws IOException {
        SliceKeeper keeper = new SliceKeeper(
                port,
                Checkpoint.open(new LocalDisk(), state.resolve("checkpoint"), "boot"),
                new ClaimSpecs(new LocalDisk(), state.resolve("cdi"), new EmulatedEdits()));
        keeper.reconcile(claim -> ClaimSource.Standing.UNKNOWN);
        return KubeletPlugin.start(
                DRIVER,
                PluginSockets.of(kubeletDirectory, DRIVER, instance),
                keeper,
                claim -> {
                    List<Allocation> allocations = claims.get(claim.uid());
                    if (allocations == null) {
                        throw new IOException("claim " + claim + " is gone");
                    }
                    return allocations;
                },
                executor,
                registrations::add);
    }

    @AfterEach
    void stop() throws IOException {
        plugin.close();
        kubelet.close();
        executor.shutdownNow();
        try (var files = Files.walk(kubeletDirectory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private PluginInfo registered() throws IOException {
        return kubelet.register(kubelet.found().get(0));
    }

    private void allocate(ClaimRef claim, String request, String device) {
        claims.put(claim.uid(), List.of(new Allocation(request, "node-" + DRIVER, device)));
    }

    @Test
    void kubeletFindsThePluginAndRegistersIt() throws IOException {
        assertThat(registered())
                .isEqualTo(new PluginInfo(
                        "DRAPlugin",
                        DRIVER,
                        kubeletDirectory
                                .resolve("plugins/slices.sro.dev/dra.sock")
                                .toString(),
                        List.of("v1.DRAPlugin", "v1beta1.DRAPlugin")));
        assertThat(registrations).containsExactly(new RegistrationStatus(true, ""));
    }

    @Test
    void aClaimIsPreparedAndAskingAgainSaysTheSame() throws Exception {
        PluginInfo info = registered();
        claims.put(
                ONE.uid(),
                List.of(
                        new Allocation("train/big", "node-" + DRIVER, LEFT),
                        new Allocation("watch", "node-" + DRIVER, "gpu-0000-11-00-0-1g-5gb-plus-me-6")));

        Map<String, ClaimResult> first = kubelet.prepare(info, new ClaimsRequest(List.of(ONE)));

        assertThat(first.get("uid-one"))
                .isEqualTo(new ClaimResult(
                        List.of(
                                new PreparedDevice(
                                        List.of("train"),
                                        "node-" + DRIVER,
                                        LEFT,
                                        List.of("sro.dev/slice=uid-one-" + LEFT)),
                                new PreparedDevice(
                                        List.of("watch"),
                                        "node-" + DRIVER,
                                        "gpu-0000-11-00-0-1g-5gb-plus-me-6",
                                        List.of("sro.dev/slice=uid-one-gpu-0000-11-00-0-1g-5gb-plus-me-6"))),
                        ""));
        assertThat(kubelet.prepare(info, new ClaimsRequest(List.of(ONE)))).isEqualTo(first);
        assertThat(state.resolve("cdi/sro.dev-slice_uid-one.json")).exists();
        assertThat(devices.instances(GPU)).hasSize(1);
    }

    @Test
    void aGpuThatCameLaterIsGiven() throws Exception {
        Set<PciAddress> hidden = ConcurrentHashMap.newKeySet();
        hidden.add(GPU);
        plugin.close();
        plugin = start(Optional.empty(), without(hidden));
        PluginInfo info = registered();
        allocate(ONE, "a", LEFT);
        assertThat(kubelet.prepare(info, new ClaimsRequest(List.of(ONE))).get("uid-one"))
                .isEqualTo(ClaimResult.failed(
                        "device " + LEFT + ": this node has no such slice; its GPUs are [0000:11:00.0]"));
        hidden.clear();
        assertThat(kubelet.prepare(info, new ClaimsRequest(List.of(ONE))).get("uid-one"))
                .extracting(ClaimResult::error)
                .isEqualTo("");
    }

    @Test
    void severalClaimsAreAnsweredEachForItself() throws Exception {
        PluginInfo info = registered();
        allocate(ONE, "a", LEFT);
        ClaimRef gone = new ClaimRef("uid-gone", "default", "gone");
        ClaimRef odd = new ClaimRef("uid-odd", "default", "odd");
        allocate(odd, "a", "gpu-0000-99-00-0-3g-20gb-0");

        Map<String, ClaimResult> answer = kubelet.prepare(info, new ClaimsRequest(List.of(ONE, gone, odd)));

        assertThat(answer).containsOnlyKeys("uid-one", "uid-gone", "uid-odd");
        assertThat(answer.get("uid-one")).extracting(ClaimResult::error).isEqualTo("");
        assertThat(answer.get("uid-gone")).extracting(ClaimResult::error).isEqualTo("claim default/gone is gone");
        assertThat(answer.get("uid-odd"))
                .extracting(ClaimResult::error)
                .asString()
                .contains("this node has no such slice");
    }

    @Test
    void aDeviceThatAnotherClaimHoldsIsRefusedUntilItIsGivenBack() throws Exception {
        PluginInfo info = registered();
        allocate(ONE, "a", LEFT);
        allocate(TWO, "a", LEFT);
        kubelet.prepare(info, new ClaimsRequest(List.of(ONE)));

        assertThat(kubelet.prepare(info, new ClaimsRequest(List.of(TWO))).get("uid-two"))
                .extracting(ClaimResult::error)
                .asString()
                .contains("is held by claim default/one");

        claims.remove(ONE.uid());
        assertThat(kubelet.unprepare(info, new ClaimsRequest(List.of(ONE))))
                .containsExactly(Map.entry("uid-one", new ClaimResult(List.of(), "")));
        assertThat(kubelet.prepare(info, new ClaimsRequest(List.of(TWO))).get("uid-two"))
                .extracting(ClaimResult::error)
                .isEqualTo("");
    }

    @Test
    void givingBackWhatIsNotKnownSucceeds() throws Exception {
        assertThat(kubelet.unprepare(registered(), new ClaimsRequest(List.of(ONE, TWO))))
                .containsOnlyKeys("uid-one", "uid-two")
                .allSatisfy((uid, result) -> assertThat(result.error()).isEmpty());
    }

    @Test
    void aRestartOfKubeletOrAgentLosesNothing() throws Exception {
        PluginInfo info = registered();
        allocate(ONE, "a", RIGHT);
        Map<String, ClaimResult> first = kubelet.prepare(info, new ClaimsRequest(List.of(ONE)));

        PluginInfo again = registered();
        assertThat(kubelet.prepare(again, new ClaimsRequest(List.of(ONE)))).isEqualTo(first);

        plugin.close();
        assertThat(kubelet.found()).isEmpty();
        plugin = start(Optional.empty());
        assertThat(kubelet.prepare(registered(), new ClaimsRequest(List.of(ONE))))
                .isEqualTo(first);
        assertThat(devices.instances(GPU)).hasSize(1);
    }

    @Test
    void aSocketThatAKilledAgentLeftIsReplaced() throws Exception {
        PluginSockets sockets = PluginSockets.of(kubeletDirectory, DRIVER, Optional.empty());
        plugin.close();
        Files.createFile(sockets.registration());
        Files.createFile(sockets.service());

        plugin = start(Optional.empty());

        assertThat(registered().name()).isEqualTo(DRIVER);
    }

    @Test
    void oldAndNewPodOfAnUpdateRunSideBySide() throws Exception {
        String uid = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
        try (KubeletPlugin next = start(Optional.of(uid))) {
            assertThat(next).isNotNull();
            assertThat(kubelet.found())
                    .hasSize(2)
                    .allSatisfy(socket ->
                            assertThat(kubelet.register(socket).name()).isEqualTo(DRIVER));
        }
        assertThat(kubelet.found()).hasSize(1);
    }

    @Test
    void kubeletsBefore134SpeakV1beta1() throws Exception {
        allocate(ONE, "a", LEFT);

        assertThat(kubelet.call(
                                Path.of(registered().endpoint()),
                                "localhost",
                                Calls.prepare(Calls.DRA_V1BETA1),
                                new ClaimsRequest(List.of(ONE)))
                        .results()
                        .get("uid-one"))
                .extracting(ClaimResult::error)
                .isEqualTo("");
    }

    @Test
    void whatIsNotServedSaysSo() throws Exception {
        Path socket = Path.of(registered().endpoint());

        assertThatThrownBy(() -> kubelet.call(
                        socket, "localhost", Calls.prepare("v1alpha1.DRAResourceHealth"), new ClaimsRequest(List.of())))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("UNIMPLEMENTED");
    }

    @Test
    void aPathThatNoSocketCanHaveIsRefused() {
        assertThatThrownBy(() -> PluginSockets.of(Path.of("/var/lib/kubelet"), "a".repeat(80), Optional.of("uid")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("choose a shorter name of the driver");
    }

    @Test
    void aDriverThatFailsIsTold() throws Exception {
        PluginInfo info = registered();
        var profile = devices.gpus().get(0).profile("3g.20gb").orElseThrow();
        devices.createComputeInstance(GPU, devices.createGpuInstance(GPU, profile, 0));
        allocate(ONE, "a", LEFT);

        assertThat(kubelet.prepare(info, new ClaimsRequest(List.of(ONE))).get("uid-one"))
                .extracting(ClaimResult::error)
                .asString()
                .contains("which the agent did not make and leaves alone");
        assertThatThrownBy(() -> devices.createGpuInstance(GPU, profile, 0)).isInstanceOf(DeviceException.class);
    }
}
