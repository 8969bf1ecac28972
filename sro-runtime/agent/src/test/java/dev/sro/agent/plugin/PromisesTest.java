package dev.sro.agent.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.agent.cdi.ClaimSpecs;
import dev.sro.agent.cdi.EmulatedEdits;
import dev.sro.agent.claims.ApiServer;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.emulated.EmulatedNode;
import dev.sro.agent.file.LocalDisk;
import dev.sro.agent.kubelet.PluginDevice;
import dev.sro.agent.kubelet.PluginHandler;
import dev.sro.agent.kubelet.PluginSocket;
import dev.sro.agent.slice.Checkpoint;
import dev.sro.agent.slice.ClaimSource;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.ClaimPod;
import dev.sro.core.das.ClaimState;
import dev.sro.core.das.DasNames;
import dev.sro.core.das.NodeAccelerator;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent says of a node and of promises, on an API server in this JVM; kubelet is played by the test. */
class PromisesTest {
    private static final ResourceDefinitionContext CLAIMS = context(DasNames.CLAIM, DasNames.CLAIMS);
    private static final ResourceDefinitionContext NODES = context(DasNames.NODE, DasNames.NODES);

    @TempDir
    private Path folder = Path.of("");

    private final EmbeddedCluster cluster = EmbeddedCluster.create();
    private final KubernetesClient client = cluster.client();
    private final EmulatedDevices devices = new EmulatedDevices(
            "n1",
            new EmulatedNode(
                    new DriverVersion("580.65.06", "13.0"),
                    Duration.ZERO,
                    Duration.ZERO,
                    List.of(new EmulatedGpus(Catalogue.builtin().model("A100-40GB"), 1, GpuMode.SLICES)),
                    List.of()),
            pause -> {});
    private final Map<String, String> used = new TreeMap<>();
    private final Map<String, PluginHandler> handlers = new TreeMap<>();
    private final List<String> log = new ArrayList<>();
    private boolean offered = true;
    private Instant now = Instant.parse("2026-11-26T10:00:00Z");
    private DevicePlugins plugins;
    private Gpu gpu;

    private static ResourceDefinitionContext context(String kind, String plural) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(DasNames.GROUP)
                .withVersion(DasNames.VERSION)
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(true)
                .build();
    }

    @BeforeEach
    void start() throws Exception {
        for (String plural : List.of(DasNames.CLAIMS, DasNames.NODES)) {
            String path = "/META-INF/sro/crds/" + plural + "." + DasNames.GROUP + ".yaml";
            try (InputStream yaml = Objects.requireNonNull(PromisesTest.class.getResourceAsStream(path), path)) {
                client.load(yaml).create();
            }
        }
        cluster.settle();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("sro-agent")
                        .endMetadata()
                        .build())
                .create();
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("n1")
                        .endMetadata()
                        .build())
                .create();
        gpu = devices.gpus().get(0);
        Clock clock = new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now;
            }
        };
        ApiServer api = ApiServer.at(cluster.serveHttp(0).uri(), Optional.empty(), Optional.empty());
        SliceKeeper keeper = new SliceKeeper(
                devices,
                Checkpoint.open(new LocalDisk(), folder.resolve("checkpoint"), "boot-1"),
                new ClaimSpecs(new LocalDisk(), folder.resolve("cdi"), new EmulatedEdits()));
        assertThat(keeper.reconcile(claim -> ClaimSource.Standing.UNKNOWN).left())
                .isEmpty();
        plugins = new DevicePlugins(
                Socket::new,
                DasNames::resource,
                keeper,
                new PluginHardware(devices, Catalogue.builtin(), new PluginExposure() {
                    @Override
                    public boolean offered() {
                        return offered;
                    }

                    @Override
                    public Optional<String> closed(Gpu which) {
                        return offered ? Optional.empty() : Optional.of("offered to claims");
                    }

                    @Override
                    public boolean healthy(Gpu which) {
                        return true;
                    }
                }),
                new KubeletUse() {
                    @Override
                    public Map<String, String> devices() {
                        return Map.copyOf(used);
                    }

                    @Override
                    public Set<String> untold() {
                        return new TreeSet<>();
                    }
                },
                new ApiPromises(api, "n1", "sro-agent", clock, log::add),
                new Here(),
                clock,
                log::add);
        plugins.look();
    }

    @AfterEach
    void close() throws IOException {
        plugins.close();
        cluster.close();
    }

    /** Kubelet's end. */
    private final class Socket implements PluginSocket {
        private final String resource;

        Socket(String resource, PluginHandler handler) {
            this.resource = resource;
            handlers.put(resource, handler);
        }

        @Override
        public String resource() {
            return resource;
        }

        @Override
        public void devices(List<PluginDevice> now) {}

        @Override
        public boolean keep() {
            return false;
        }

        @Override
        public void close() {}
    }

    /** The test looks when it likes. */
    private static final class Here extends AbstractExecutorService {
        @Override
        public void execute(Runnable command) {}

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }

    private AllocationClaim promise(String pod, String profile, int start, int size) {
        Pod made = client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withName(pod)
                        .withNamespace("default")
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName("n1")
                        .addNewContainer()
                        .withName("main")
                        .withImage("registry.example.com/a:1")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        AllocationClaim claim = AllocationClaim.promise(
                new ClaimPod("default", pod, made.getMetadata().getUid()),
                "main",
                0,
                "n1",
                gpu.uuid(),
                profile,
                start,
                size);
        client.resource(claim.object()).create();
        plugins.look();
        return claim;
    }

    private String run(String pod, String profile, int start) throws IOException {
        String id = PluginPlace.of(gpu.address(), profile, start).id();
        PluginHandler handler = Objects.requireNonNull(handlers.get(DasNames.resource(profile)));
        List<String> unused = handler.allocate(List.of(id));
        used.put(id, "default/" + pod);
        handler.start(List.of(id));
        plugins.look();
        return id;
    }

    private List<AllocationClaim> claims() {
        return client.genericKubernetesResources(CLAIMS).inAnyNamespace().list().getItems().stream()
                .map(AllocationClaim::of)
                .toList();
    }

    private NodeAccelerator inventory() {
        return NodeAccelerator.of(client.genericKubernetesResources(NODES)
                .inNamespace("sro-agent")
                .withName("n1")
                .require());
    }

    @Test
    void theInventoryIsWrittenOwnedByTheNodeAndSaysWhatIsClosed() throws IOException {
        GenericKubernetesResource object = client.genericKubernetesResources(NODES)
                .inNamespace("sro-agent")
                .withName("n1")
                .require();
        assertThat(object.getMetadata().getOwnerReferences().get(0).getKind()).isEqualTo("Node");
        assertThat(inventory().gpus()).singleElement().satisfies(one -> {
            assertThat(one.uuid()).isEqualTo(gpu.uuid());
            assertThat(one.model()).isEqualTo("A100-40GB");
            assertThat(one.closed()).isEmpty();
            assertThat(Objects.requireNonNull(one.profiles().get("3g.20gb")).starts())
                    .containsExactly(0, 4);
        });
        String version = object.getMetadata().getResourceVersion();
        now = now.plus(Duration.ofHours(1));
        plugins.look();
        assertThat(client.resource(object).get().getMetadata().getResourceVersion())
                .as("nothing new is not written")
                .isEqualTo(version);

        run("nobody-promised", "1g.5gb", 0);
        assertThat(inventory().gpus().get(0).closed()).contains("without a promise", "1g.5gb at 0");
        used.clear();
        now = now.plus(Duration.ofMinutes(2));
        plugins.look();
        plugins.look();
        assertThat(inventory().gpus().get(0).closed()).isEmpty();
        offered = false;
        plugins.look();
        plugins.look();
        assertThat(inventory().gpus()).allMatch(one -> !one.closed().isEmpty());
    }

    @Test
    void aClaimWhoseSliceIsThereOutlivesItsPodUntilTheSliceIsGone() throws Exception {
        AllocationClaim claim = promise("a", "3g.20gb", 4, 4);
        run("a", "3g.20gb", 4);
        assertThat(claims()).singleElement().satisfies(one -> {
            assertThat(one.state()).isEqualTo(ClaimState.IN_USE);
            assertThat(one.finalizers()).containsExactly(DasNames.FINALIZER);
        });
        assertThat(inventory().gpus().get(0).closed()).isEmpty();

        client.pods().inNamespace("default").withName("a").withGracePeriod(0).delete();
        client.genericKubernetesResources(CLAIMS)
                .inNamespace("default")
                .withName(claim.name())
                .delete();
        plugins.look();
        assertThat(claims()).as("the slice is there").singleElement().matches(AllocationClaim::leaving);
        used.clear();
        now = now.plus(Duration.ofMinutes(2));
        plugins.look();
        plugins.look();
        plugins.look();
        assertThat(devices.instances(gpu.address())).isEmpty();
        assertThat(claims()).isEmpty();
        assertThat(log).isEmpty();
    }

    /** Containers get their slices one after the other: nobody else gets the place of the second one in between. */
    @Test
    void aPodThatHasItsFirstSliceKeepsThePromiseOfTheSecond() throws Exception {
        AllocationClaim first = promise("a", "1g.5gb", 6, 1);
        AllocationClaim second = AllocationClaim.promise(first.pod(), "second", 0, "n1", gpu.uuid(), "3g.20gb", 0, 4);
        client.resource(second.object()).create();
        plugins.look();
        run("a", "1g.5gb", 6);

        PluginHandler other = Objects.requireNonNull(handlers.get(DasNames.resource("2g.10gb")));
        List<String> place = List.of(PluginPlace.of(gpu.address(), "2g.10gb", 0).id());
        assertThatThrownBy(() -> other.allocate(place))
                .hasMessageContaining("2g.10gb at 0")
                .hasMessageContaining("cannot be had beside");
        run("a", "3g.20gb", 0);
        assertThat(claims()).hasSize(2).allMatch(claim -> claim.state() == ClaimState.IN_USE);
    }

    /** Kubelet takes another place than it is advised to: the promise is had, and its place is free for others. */
    @Test
    void aPromiseIsHadThoughKubeletChoseAnotherPlace() throws Exception {
        AllocationClaim promise = promise("a", "1g.5gb", 6, 1);
        assertThat(OpenPromises.of(List.of(promise), Map.of(), List.of(gpu))).containsExactly(promise);
        String id = PluginPlace.of(gpu.address(), "1g.5gb", 2).id();
        assertThat(OpenPromises.of(List.of(promise), Map.of(id, "default/a"), List.of(gpu)))
                .isEmpty();
        assertThat(OpenPromises.of(List.of(promise), Map.of(id, "default/b"), List.of(gpu)))
                .containsExactly(promise);
    }

    /** A Job's pod stays as an object when it has ended; what it had is others'. */
    @Test
    void aPodThatEndsGivesItsPlaceBackThoughItIsStillThere() throws Exception {
        promise("a", "1g.5gb", 3, 1);
        run("a", "1g.5gb", 3);
        used.clear();
        now = now.plus(Duration.ofMinutes(2));
        for (int i = 0; i < 4; i++) {
            plugins.look();
        }
        assertThat(claims()).isEmpty();
        assertThat(client.pods().inNamespace("default").withName("a").get()).isNotNull();
    }

    /** P1 of DAS: what was promised to a pod that never ran was never given back. */
    @Test
    void aPromiseWhosePodHasEndedWithoutItGoes() {
        promise("a", "1g.5gb", 3, 1);
        now = now.plus(Duration.ofMinutes(1));
        plugins.look();
        assertThat(claims()).as("its pod may come yet").hasSize(1);

        client.pods().inNamespace("default").withName("a").editStatus(pod -> {
            pod.getStatus().setPhase("Failed");
            return pod;
        });
        now = now.plus(Duration.ofMinutes(1));
        plugins.look();
        assertThat(claims()).isEmpty();
    }

    @Test
    void othersFinalizersAndClaimsOfOtherNodesAreLeftAlone() throws Exception {
        AllocationClaim claim = promise("a", "1g.5gb", 3, 1);
        client.genericKubernetesResources(CLAIMS)
                .inNamespace("default")
                .withName(claim.name())
                .edit(live -> {
                    live.getMetadata().setFinalizers(new ArrayList<>(List.of("example.com/mine")));
                    return live;
                });
        client.resource(AllocationClaim.promise(
                                new ClaimPod("default", "b", "uid-b"), "main", 0, "n2", "GPU-2", "1g.5gb", 0, 1)
                        .object())
                .create();
        run("a", "1g.5gb", 3);
        used.clear();
        now = now.plus(Duration.ofMinutes(2));
        for (int i = 0; i < 4; i++) {
            plugins.look();
        }
        assertThat(claims()).hasSize(2).anySatisfy(one -> {
            assertThat(one.leaving()).isTrue();
            assertThat(one.finalizers()).containsExactly("example.com/mine");
        });
    }

    /** What DAS made for a pod that runs on is destroyed when that has ended, not before. */
    @Test
    void aSliceThatWasTakenOverGoesWhenItsPodHasEnded() throws Exception {
        int instance =
                devices.createGpuInstance(gpu.address(), gpu.profile("1g.5gb").orElseThrow(), 3);
        var unused = devices.createComputeInstance(gpu.address(), instance);
        AllocationClaim claim = promise("a", "1g.5gb", 3, 1);
        client.genericKubernetesResources(CLAIMS)
                .inNamespace("default")
                .withName(claim.name())
                .edit(live -> {
                    live.getMetadata().setFinalizers(new ArrayList<>(List.of(DasNames.TAKEN_OVER)));
                    return live;
                });
        for (int i = 0; i < 3; i++) {
            now = now.plus(Duration.ofMinutes(1));
            plugins.look();
        }
        assertThat(devices.instances(gpu.address())).as("its pod runs").hasSize(1);
        assertThat(inventory().gpus().get(0).closed()).isEmpty();
        assertThat(claims()).hasSize(1);

        client.pods().inNamespace("default").withName("a").withGracePeriod(0).delete();
        for (int i = 0; i < 3; i++) {
            now = now.plus(Duration.ofMinutes(1));
            plugins.look();
        }
        assertThat(devices.instances(gpu.address())).isEmpty();
        assertThat(claims()).isEmpty();
    }
}
