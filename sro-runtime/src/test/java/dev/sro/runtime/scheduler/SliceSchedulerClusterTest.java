package dev.sro.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.das.AllocationClaim;
import dev.sro.core.placement.SliceWebhook;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.yaml.PlainYaml;
import dev.sro.runtime.Clients;
import dev.sro.runtime.webhook.Certificates;
import dev.sro.testkit.controlplane.Component;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Extender and gates with kube-scheduler itself, on an API server with garbage collection and nodes that are not there. */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES, Feature.RESTART})
class SliceSchedulerClusterTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String SCHEDULER = "sro-slices";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void kubeSchedulerAsksTheExtenderAndIsWokenWhenASliceIsFreed(RealCluster cluster) throws IOException {
        SliceWorld world = fleet(cluster);
        try (SliceSchedulerRun run = start(cluster, false)) {
            cluster.await("the fleet is known", LIMIT, run::isReady);
            Process scheduler = kubeScheduler(cluster, run.port().orElseThrow());
            try {
                create(cluster, world, "a");
                create(cluster, world, "b");
                cluster.await("two pods are bound", LIMIT, () -> bound(cluster, "a") && bound(cluster, "b"));
                create(cluster, world, "c");
                cluster.await("the third is put aside", LIMIT, () -> unschedulable(cluster, "c"));
                List<AllocationClaim> claims = claims(cluster, world);
                assertThat(claims).hasSize(2).extracting(AllocationClaim::gpu).doesNotHaveDuplicates();
                assertThat(claims)
                        .allMatch(claim -> claim.node()
                                .equals(pod(cluster, claim.pod().name())
                                        .getSpec()
                                        .getNodeName()));

                cluster.client().pods().withName("a").withGracePeriod(0).delete();

                // Left alone, the scheduler would look again after five minutes.
                cluster.await("the third gets the slice that is free", LIMIT, () -> bound(cluster, "c"));
                cluster.await(
                        "each pod has its claim",
                        LIMIT,
                        () -> claims(cluster, world).stream()
                                .map(claim -> claim.pod().name())
                                .sorted()
                                .toList()
                                .equals(List.of("b", "c")));
            } finally {
                scheduler.destroyForcibly();
            }
        }
    }

    @Test
    void kubeSchedulerBindsPodsWhoseGateWasOpened(RealCluster cluster) throws IOException {
        SliceWorld world = fleet(cluster);
        for (var node : cluster.client()
                .nodes()
                .withLabels(cluster.nodes().selector())
                .list()
                .getItems()) {
            cluster.client().nodes().withName(node.getMetadata().getName()).editStatus(live -> {
                live.getStatus().getCapacity().put("mig.das.com/4g.20gb", new Quantity("1"));
                live.getStatus().getAllocatable().put("mig.das.com/4g.20gb", new Quantity("1"));
                return live;
            });
        }
        try (SliceSchedulerRun run = start(cluster, true)) {
            cluster.await("the fleet is known", LIMIT, run::isReady);
            for (String name : List.of("g1", "g2", "g3")) {
                world.create(SliceWorld.pod(cluster.namespace(), name, "mig.das.com/4g.20gb", 1)
                        .editSpec()
                        .withNodeSelector(cluster.nodes().selector())
                        .addNewSchedulingGate(SliceGates.GATE)
                        .endSpec());
            }
            cluster.await(
                    "two pods are bound",
                    LIMIT,
                    () -> claims(cluster, world).size() == 2
                            && claims(cluster, world).stream()
                                    .allMatch(claim -> claim.node()
                                            .equals(pod(cluster, claim.pod().name())
                                                    .getSpec()
                                                    .getNodeName())));
            assertThat(List.of("g1", "g2", "g3"))
                    .filteredOn(name ->
                            !pod(cluster, name).getSpec().getSchedulingGates().isEmpty())
                    .as("waits at the gate")
                    .hasSize(1);
        }
    }

    /** The configuration as it is installed: kube-apiserver takes its conditions, asks, and stores what it is answered. */
    @Test
    void kubeApiserverAsksTheWebhookAboutPodsWithSlicesAlone(RealCluster cluster) throws Exception {
        Certificates.write(folder, "EC", true);
        try (SliceSchedulerRun run = SliceSchedulerRun.start(
                new SliceSchedulerRun.Settings(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        Optional.of(new SliceSchedulerRun.Webhook(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), folder)),
                        Optional.empty()),
                Clients.plain(cluster.config()),
                Catalogue.builtin(),
                () -> {})) {
            SliceWebhookTest.configure(
                    cluster.client(), folder, run.webhookPort().orElseThrow(), "/slices/gates/nvidia");
            SliceWorld world = new SliceWorld(cluster.client());
            cluster.await("the API server asks", LIMIT, () -> {
                Pod made = world.create(SliceWorld.pod(cluster.namespace(), "s", "mig.das.com/1g.5gb-plus-me", 1));
                boolean gated = !made.getSpec().getSchedulingGates().isEmpty();
                if (!gated) {
                    cluster.client().pods().withName("s").withGracePeriod(0).delete();
                }
                return gated;
            });
            assertThat(pod(cluster, "s")
                            .getSpec()
                            .getContainers()
                            .get(0)
                            .getResources()
                            .getLimits())
                    .containsOnlyKeys("nvidia.com/mig-1g.5gb.me");
            assertThat(world.create(SliceWorld.pod(cluster.namespace(), "w", "nvidia.com/gpu", 1))
                            .getSpec()
                            .getSchedulingGates())
                    .isEmpty();
        } finally {
            cluster.client()
                    .admissionRegistration()
                    .v1()
                    .mutatingWebhookConfigurations()
                    .withName(SliceWebhook.NAME)
                    .delete();
        }
    }

    private static SliceWorld fleet(RealCluster cluster) {
        SliceWorld world = new SliceWorld(cluster.client());
        world.definitions();
        List<String> nodes = cluster.nodes().create(2, NodeProfile.of(OsRelease.UBUNTU_22));
        cluster.await("the definitions are served", LIMIT, () -> {
            try {
                world.claims();
                cluster.client()
                        .genericKubernetesResources(ClaimWriter.NODES)
                        .inAnyNamespace()
                        .list();
                return true;
            } catch (KubernetesClientException e) {
                return false;
            }
        });
        nodes.forEach(node -> world.inventory(node, cluster.namespace(), 1));
        return world;
    }

    private static SliceSchedulerRun start(RealCluster cluster, boolean gates) throws IOException {
        return SliceSchedulerRun.start(
                new SliceSchedulerRun.Settings(
                        gates
                                ? Optional.empty()
                                : Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                        Optional.empty(),
                        Optional.empty(),
                        gates,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                Clients.plain(cluster.config()),
                Catalogue.builtin(),
                () -> {});
    }

    /** A second scheduler, as somebody would run it beside the cluster's own. */
    private Process kubeScheduler(RealCluster cluster, int port) throws IOException {
        Map<String, Object> config = new SchedulerConfig(
                        "http://127.0.0.1:" + port, SCHEDULER, 10, Optional.empty(), Optional.empty(), true, "", "")
                .tree(List.of(SliceWorld.A100));
        config.put(
                "clientConnection",
                Map.of("kubeconfig", cluster.controlPlane().kubeconfig().toString()));
        Path file = Files.writeString(folder.resolve("scheduler.yaml"), PlainYaml.write(config));
        Path program = cluster.controlPlane().binaries().files().get(Component.SCHEDULER);
        File log = folder.resolve("scheduler.log").toFile();
        return new ProcessBuilder(
                        String.valueOf(program), "--config=" + file, "--secure-port=0", "--leader-elect=false")
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
    }

    private static void create(RealCluster cluster, SliceWorld world, String name) {
        world.create(SliceWorld.pod(cluster.namespace(), name, "mig.das.com/4g.20gb", 1)
                .editSpec()
                .withSchedulerName(SCHEDULER)
                .withNodeSelector(cluster.nodes().selector())
                .endSpec());
    }

    private static Pod pod(RealCluster cluster, String name) {
        return cluster.client().pods().withName(name).get();
    }

    private static boolean bound(RealCluster cluster, String name) {
        return pod(cluster, name).getSpec().getNodeName() != null;
    }

    private static boolean unschedulable(RealCluster cluster, String name) {
        Pod pod = pod(cluster, name);
        return pod.getStatus().getConditions().stream()
                .anyMatch(condition -> "Unschedulable".equals(condition.getReason()));
    }

    private static List<AllocationClaim> claims(RealCluster cluster, SliceWorld world) {
        return world.claims().stream()
                .filter(claim -> claim.namespace().equals(cluster.namespace()) && !claim.leaving())
                .toList();
    }
}
