package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorObjects.byTemplate;
import static dev.sro.runtime.allocator.AllocatorObjects.gang;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.allocation.Allocations;
import dev.sro.core.allocation.LimitClaim;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.lease.LeaderLease;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.runtime.Clients;
import dev.sro.runtime.webhook.Certificates;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The allocator with kube-apiserver, kube-scheduler and kube-controller-manager themselves; the nodes are not there. */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
class ClaimAllocatorClusterTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final List<Runnable> after = new ArrayList<>();

    @AfterEach
    void clean() {
        after.forEach(Runnable::run);
    }

    private List<String> fleet(RealCluster cluster, int nodes, int gpus) {
        List<String> names = cluster.nodes().create(nodes, NodeProfile.of(OsRelease.UBUNTU_22));
        AllocatorObjects.classes().forEach(each -> {
            cluster.client().resource(each).serverSideApply();
            after.add(() -> cluster.client().resource(each).delete());
        });
        for (String profile : List.of("1g.5gb", "3g.20gb", "4g.20gb", "7g.40gb")) {
            cluster.client()
                    .resource(AllocatorObjects.template(cluster.namespace(), profile, 1))
                    .create();
        }
        for (String name : names) {
            for (ResourceSlice slice : AllocatorObjects.slices(name, gpus, AllocatorObjects.OPTIONS)) {
                cluster.client().resource(slice).create();
                after.add(() -> cluster.client().resource(slice).delete());
            }
        }
        return names;
    }

    /** With the rights of the account that is installed, and no others. */
    private AllocatorRun start(RealCluster cluster) throws IOException {
        return start(cluster, Optional.empty());
    }

    private AllocatorRun start(RealCluster cluster, Optional<AllocatorRun.Webhook> webhook) throws IOException {
        InstalledAllocator.namespace(cluster.client());
        List<HasMetadata> installed = new ArrayList<>(InstalledAllocator.objects());
        if (webhook.isPresent()) {
            installed.addAll(InstalledAllocator.limits());
        }
        for (HasMetadata object : installed) {
            cluster.client().resource(object).serverSideApply();
            after.add(() -> cluster.client().resource(object).delete());
        }
        return AllocatorRun.start(
                new AllocatorRun.Settings(
                        new AllocatorOptions(
                                DraOptions.DRIVER, false, MakeRoom.NEVER, Optional.empty(), webhook.isPresent()),
                        InstalledAllocator.NAMESPACE,
                        InstalledAllocator.NAME,
                        new LeaderLease.Times(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2)),
                        Optional.empty(),
                        webhook),
                Clients.plain(new ConfigBuilder(cluster.config())
                        .withImpersonateUsername(InstalledAllocator.USER)
                        .build()),
                Catalogue.builtin(),
                () -> {});
    }

    private static PodBuilder pod(RealCluster cluster, String name) {
        return AllocatorObjects.pod(cluster.namespace(), name)
                .editSpec()
                .withNodeSelector(cluster.nodes().selector())
                .endSpec();
    }

    private static void create(RealCluster cluster, PodBuilder pod) {
        cluster.client().resource(pod.build()).create();
    }

    private static void create(RealCluster cluster, String name, String... templates) {
        create(cluster, byTemplate(pod(cluster, name), templates));
    }

    private static String nodeOf(RealCluster cluster, String name) {
        return AllocationMarks.node(cluster.client().pods().withName(name).get());
    }

    private static boolean bound(RealCluster cluster, String... names) {
        return List.of(names).stream().noneMatch(name -> nodeOf(cluster, name).isEmpty());
    }

    private static String said(RealCluster cluster, String name) {
        Pod pod = cluster.client().pods().withName(name).get();
        return pod.getStatus().getConditions().stream()
                .filter(condition -> "PodScheduled".equals(condition.getType()))
                .map(condition -> condition.getReason() + " " + condition.getMessage())
                .findFirst()
                .orElse("");
    }

    private static List<ResourceClaim> claims(RealCluster cluster) {
        return cluster.client()
                .resources(ResourceClaim.class)
                .inNamespace(cluster.namespace())
                .list()
                .getItems();
    }

    private static List<String> devices(RealCluster cluster) {
        return claims(cluster).stream()
                .flatMap(claim -> Allocations.results(claim).stream())
                .map(result -> result.getPool() + "/" + result.getDevice())
                .toList();
    }

    @Test
    void kubeSchedulerLeavesTaintedDevicesAloneAndBindsPodsWhoseClaimsWeAllocated(RealCluster cluster)
            throws IOException {
        fleet(cluster, 2, 1);
        create(
                cluster,
                byTemplate(
                        pod(cluster, "early").editSpec().withSchedulingGates().endSpec(), "t1-4g-20gb"));
        cluster.await(
                "the scheduler gives none of them",
                LIMIT,
                () -> said(cluster, "early").contains("cannot allocate all claims"));
        assertThat(devices(cluster)).isEmpty();
        create(cluster, "gated", "t1-1g-5gb", "t1-1g-5gb");
        try (AllocatorRun run = start(cluster)) {
            cluster.await("the pods are bound", LIMIT, () -> bound(cluster, "early", "gated"));
            assertThat(run.isReady()).isTrue();
            for (String name : List.of("early", "gated")) {
                String node = nodeOf(cluster, name);
                assertThat(claims(cluster).stream()
                                .filter(claim -> claim.getMetadata().getName().startsWith(name))
                                .flatMap(claim -> Allocations.results(claim).stream())
                                .map(DeviceRequestAllocationResult::getPool))
                        .as(name)
                        .isNotEmpty()
                        .containsOnly(node + "-" + DraOptions.DRIVER);
            }
            // What ends gives its devices back: the claim goes by Kubernetes' own controllers.
            create(cluster, "whole", "t1-7g-40gb");
            create(cluster, "whole2", "t1-7g-40gb");
            cluster.await("one has the empty GPU", LIMIT, () -> devices(cluster).size() == 4);
            cluster.client().pods().withName("early").withGracePeriod(0).delete();
            cluster.client().pods().withName("gated").withGracePeriod(0).delete();
            cluster.await("the other one has what came free", LIMIT, () -> bound(cluster, "whole", "whole2"));
            assertThat(nodeOf(cluster, "whole")).isNotEqualTo(nodeOf(cluster, "whole2"));
            assertThat(devices(cluster)).hasSize(2).doesNotHaveDuplicates();
        }
    }

    @Test
    void anAllocationThatKubeSchedulerTakesAwayIsMadeOnAnotherNode(RealCluster cluster) throws IOException {
        List<String> nodes = fleet(cluster, 2, 1);
        String first = nodes.stream().sorted().findFirst().orElseThrow();
        create(
                cluster,
                new PodBuilder(pod(cluster, "enemy").build())
                        .editMetadata()
                        .addToLabels("app", "enemy")
                        .endMetadata()
                        .editSpec()
                        .withSchedulingGates()
                        .withNodeName(first)
                        .endSpec());
        try (AllocatorRun run = start(cluster)) {
            // This allocator knows nothing of affinity between pods.
            create(
                    cluster,
                    byTemplate(pod(cluster, "shy"), "t1-7g-40gb")
                            .editSpec()
                            .withNewAffinity()
                            .withNewPodAntiAffinity()
                            .addNewRequiredDuringSchedulingIgnoredDuringExecution()
                            .withTopologyKey("kubernetes.io/hostname")
                            .withNewLabelSelector()
                            .addToMatchLabels("app", "enemy")
                            .endLabelSelector()
                            .endRequiredDuringSchedulingIgnoredDuringExecution()
                            .endPodAntiAffinity()
                            .endAffinity()
                            .endSpec());
            cluster.await("it is bound all the same", LIMIT, () -> bound(cluster, "shy"));

            assertThat(run.isReady()).isTrue();
            assertThat(nodeOf(cluster, "shy")).isNotEqualTo(first);
            assertThat(cluster.client()
                            .resources(io.fabric8.kubernetes.api.model.events.v1.Event.class)
                            .inNamespace(cluster.namespace())
                            .list()
                            .getItems())
                    .as("it was refused on the first node before")
                    .anyMatch(event -> "SlicesRefused".equals(event.getReason()));
        }
    }

    @Test
    void aGangIsBoundWholly(RealCluster cluster) throws IOException {
        fleet(cluster, 3, 1);
        create(cluster, "blocker", "t1-7g-40gb");
        try (AllocatorRun run = start(cluster)) {
            cluster.await("one node is taken", LIMIT, () -> bound(cluster, "blocker"));
            for (String name : List.of("g0", "g1", "g2")) {
                create(cluster, gang(byTemplate(pod(cluster, name), "t1-7g-40gb"), "ring", 3));
            }
            cluster.await(
                    "the gang is told why it waits",
                    LIMIT,
                    () -> cluster
                            .client()
                            .resources(io.fabric8.kubernetes.api.model.events.v1.Event.class)
                            .inNamespace(cluster.namespace())
                            .list()
                            .getItems()
                            .stream()
                            .anyMatch(event -> "SlicesWait".equals(event.getReason())
                                    && event.getNote().contains("no room")));
            assertThat(devices(cluster)).as("none of it has anything").hasSize(1);

            cluster.client().pods().withName("blocker").withGracePeriod(0).delete();

            cluster.await("all of it is bound", LIMIT, () -> bound(cluster, "g0", "g1", "g2"));
            assertThat(run.isReady()).isTrue();
            assertThat(List.of(nodeOf(cluster, "g0"), nodeOf(cluster, "g1"), nodeOf(cluster, "g2")))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void podsThatAskByLimitsGetTaintedDevices(RealCluster cluster, @TempDir Path folder) throws Exception {
        fleet(cluster, 3, 1);
        Certificates.write(folder, "EC", true);
        try (AllocatorRun run = start(
                cluster,
                Optional.of(new AllocatorRun.Webhook(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), folder)))) {
            MutatingWebhookConfiguration configuration = LimitWebhook.configure(
                    cluster.client(), folder, run.webhookPort().orElseThrow());
            after.add(() -> cluster.client().resource(configuration).delete());
            Pod asked = limited(cluster, "probe", 1);
            cluster.await("the API server asks, and is answered", LIMIT, () -> rewritten(cluster, asked));

            cluster.client().resource(limited(cluster, "a", 2)).create();
            cluster.client().resource(limited(cluster, "b", 2)).create();
            cluster.client().resource(limited(cluster, "c", 1)).create();
            Pod several = cluster.client().resource(withTwoContainers(cluster)).create();
            assertThat(several.getSpec().getContainers().get(0).getResources().getClaims())
                    .as("two requests of one claim, and not the third")
                    .hasSize(2);
            cluster.await("they are bound", LIMIT, () -> bound(cluster, "a", "b", "c", "several"));

            assertThat(devices(cluster)).hasSize(8).doesNotHaveDuplicates();
            assertThat(cluster.client()
                            .resources(ResourceClaimTemplate.class)
                            .inNamespace(cluster.namespace())
                            .withLabel(LimitClaim.LABEL, "true")
                            .list()
                            .getItems())
                    .as("one for each that is asked for")
                    .hasSize(3);
        }
    }

    private static Pod limited(RealCluster cluster, String name, int slices) {
        return pod(cluster, name)
                .editSpec()
                .withSchedulingGates()
                .editContainer(0)
                .editResources()
                .addToLimits("nvidia.com/mig-1g.5gb", new Quantity(Integer.toString(slices)))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    /** Of which the first has slices of two profiles. */
    private static Pod withTwoContainers(RealCluster cluster) {
        return limited(cluster, "several", 1)
                .edit()
                .editSpec()
                .editContainer(0)
                .editResources()
                .addToLimits("nvidia.com/mig-3g.20gb", new Quantity("1"))
                .endResources()
                .endContainer()
                .addNewContainer()
                .withName("other")
                .withImage("registry.example.com/train:1")
                .withNewResources()
                .addToLimits("nvidia.com/mig-1g.5gb", new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    /** By a dry run, so that nothing is left of it. */
    private static boolean rewritten(RealCluster cluster, Pod pod) {
        try {
            return !cluster.client()
                    .resource(pod)
                    .dryRun()
                    .create()
                    .getSpec()
                    .getResourceClaims()
                    .isEmpty();
        } catch (KubernetesClientException e) {
            return false;
        }
    }
}
