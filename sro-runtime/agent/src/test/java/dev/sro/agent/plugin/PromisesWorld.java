package dev.sro.agent.plugin;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.sro.core.das.DasNames;
import dev.sro.core.das.NodeAccelerator;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.testkit.EmbeddedCluster;
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

/** An agent on a node with one emulated GPU and an API server in this JVM; kubelet is played by the test. Confined to the test's thread. */
final class PromisesWorld implements AutoCloseable {
    static final ResourceDefinitionContext CLAIMS = context(DasNames.CLAIM, DasNames.CLAIMS);
    static final ResourceDefinitionContext NODES = context(DasNames.NODE, DasNames.NODES);

    private final EmbeddedCluster cluster = EmbeddedCluster.create();
    final KubernetesClient client = cluster.client();
    final EmulatedDevices devices = new EmulatedDevices(
            "n1",
            new EmulatedNode(
                    new DriverVersion("580.65.06", "13.0"),
                    Duration.ZERO,
                    Duration.ZERO,
                    List.of(new EmulatedGpus(Catalogue.builtin().model("A100-40GB"), 1, GpuMode.SLICES)),
                    List.of()),
            pause -> {});
    final Map<String, String> used = new TreeMap<>();
    final Map<String, PluginHandler> handlers = new TreeMap<>();
    final List<String> log = new ArrayList<>();
    boolean offered = true;
    Instant now = Instant.parse("2026-11-26T10:00:00Z");
    final DevicePlugins plugins;
    final Gpu gpu;

    private static ResourceDefinitionContext context(String kind, String plural) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(DasNames.GROUP)
                .withVersion(DasNames.VERSION)
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(true)
                .build();
    }

    /**
     * The agent has looked once.
     *
     * @param folder for its files
     */
    PromisesWorld(Path folder) throws Exception {
        for (String plural : List.of(DasNames.CLAIMS, DasNames.NODES)) {
            String path = "/META-INF/sro/crds/" + plural + "." + DasNames.GROUP + ".yaml";
            try (InputStream yaml = Objects.requireNonNull(PromisesWorld.class.getResourceAsStream(path), path)) {
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

    @Override
    public void close() throws IOException {
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

    /** A pod on the node, with a promise of a slice. */
    AllocationClaim promise(String pod, String profile, int start, int size) {
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

    /** What kubelet does when the pod comes; the id of the device. */
    String run(String pod, String profile, int start) throws IOException {
        String id = PluginPlace.of(gpu.address(), profile, start).id();
        PluginHandler handler = Objects.requireNonNull(handlers.get(DasNames.resource(profile)));
        List<String> unused = handler.allocate(List.of(id));
        used.put(id, "default/" + pod);
        handler.start(List.of(id));
        plugins.look();
        return id;
    }

    List<AllocationClaim> claims() {
        return client.genericKubernetesResources(CLAIMS).inAnyNamespace().list().getItems().stream()
                .map(AllocationClaim::of)
                .toList();
    }

    NodeAccelerator inventory() {
        return NodeAccelerator.of(client.genericKubernetesResources(NODES)
                .inNamespace("sro-agent")
                .withName("n1")
                .require());
    }
}
