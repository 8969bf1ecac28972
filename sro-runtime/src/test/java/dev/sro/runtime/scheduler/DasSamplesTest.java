package dev.sro.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.ClaimState;
import dev.sro.core.das.DasNames;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.runtime.webhook.Certificates;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import dev.sro.testkit.sim.SimulationFactory;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users of DAS apply, as it is: from the webhook over the gate and the simulated scheduler to a slice that the agent makes on emulated hardware. */
class DasSamplesTest {
    @TempDir
    private Path folder = Path.of("");

    private final SimulationFactory simulated = new SimulationFactory();
    private final EmbeddedCluster cluster =
            EmbeddedCluster.builder().controller(simulated).build();
    private final KubernetesClient client = cluster.client();
    private final SliceWorld world = new SliceWorld(client);
    private Instant now = Instant.parse("2026-11-26T10:00:00Z");

    @AfterEach
    void close() {
        cluster.close();
    }

    private final class Time extends Clock {
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
    }

    /** With the rights of the account that is installed, and no others. */
    private KubernetesClient asInstalled() throws IOException {
        String namespace = "special-resource-operator";
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        for (String file : List.of("serviceaccount.yaml", "rbac.yaml")) {
            try (InputStream yaml = Files.newInputStream(Path.of("install", "kustomize", "slices", file))) {
                client.load(yaml).create();
            }
        }
        KubernetesClient account = cluster.newClient(new ConfigBuilder(client.getConfiguration())
                .withImpersonateUsername("system:serviceaccount:" + namespace + ":sro-slices")
                .build());
        assertThatThrownBy(() -> account.secrets().inNamespace(namespace).list())
                .hasMessageContaining("forbidden");
        return account;
    }

    private List<Pod> pods() {
        return client.pods().inNamespace("default").list().getItems();
    }

    private void rounds(SliceScheduler scheduler, PluginNode node, int count) {
        for (int i = 0; i < count; i++) {
            now = now.plusSeconds(20);
            cluster.advance(Duration.ofSeconds(20));
            cluster.settle();
            scheduler.tick();
            scheduler.request();
            node.round();
        }
    }

    @Test
    void runAsTheyAreAndGiveTheirSlicesBack() throws Exception {
        world.definitions();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("sro-agent")
                        .endMetadata()
                        .build())
                .create();
        simulated.simulation().nodes().create("gpu-node", NodeProfile.of(OsRelease.UBUNTU_22));
        cluster.advance(Duration.ofSeconds(10));
        Certificates.write(folder, "EC", true);
        Path state = Files.createDirectories(folder.resolve("node"));
        try (SliceSchedulerRun webhook = SliceSchedulerRun.start(
                        new SliceSchedulerRun.Settings(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                false,
                                Optional.empty(),
                                Optional.of(new SliceSchedulerRun.Webhook(
                                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), folder)),
                                Optional.empty()),
                        cluster.newClient("webhook"),
                        Catalogue.builtin(),
                        () -> {});
                PluginNode node = new PluginNode(
                        "gpu-node", "A100-40GB", 2, client, cluster.serveHttp(0).uri(), state, new Time());
                SliceScheduler scheduler = new SliceScheduler(
                        asInstalled(),
                        Catalogue.builtin(),
                        new SliceScheduler.Duties(true, false),
                        () -> true,
                        new Time(),
                        Runnable::run)) {
            SliceWebhookTest.configure(client, folder, webhook.webhookPort().orElseThrow(), "/slices/gates/nvidia");
            node.round();
            scheduler.start();
            cluster.settle();

            simulated.simulation().behaviors().add(Behavior.runForever());
            String samples = "das-samples.yaml";
            try (InputStream yaml = Objects.requireNonNull(DasSamplesTest.class.getResourceAsStream(samples))) {
                client.load(yaml).create();
            }
            rounds(scheduler, node, 8);

            assertThat(node.refused()).isEmpty();
            assertThat(pods())
                    .hasSize(5)
                    .allSatisfy(pod -> assertThat(pod.getStatus().getPhase()).isEqualTo("Running"))
                    .allSatisfy(
                            pod -> assertThat(pod.getSpec().getSchedulerName()).isEqualTo("default-scheduler"));
            assertThat(world.claims())
                    .hasSize(6)
                    .allSatisfy(claim -> assertThat(claim.state()).isEqualTo(ClaimState.IN_USE))
                    .allSatisfy(claim -> assertThat(claim.finalizers()).contains(DasNames.FINALIZER))
                    .extracting(AllocationClaim::profile)
                    .containsExactlyInAnyOrder("1g.5gb", "1g.5gb", "1g.10gb", "3g.20gb", "2g.10gb", "1g.5gb+me");
            assertThat(new TreeSet<>(node.hardware()))
                    .as("what was promised is what is there")
                    .isEqualTo(new TreeSet<>(world.claims().stream()
                            .map(claim -> claim.profile() + "@" + claim.start() + " of " + claim.gpu())
                            .toList()));

            client.apps().deployments().inNamespace("default").withName("vllm").delete();
            client.apps()
                    .statefulSets()
                    .inNamespace("default")
                    .withName("notebook")
                    .delete();
            client.batch().v1().jobs().inNamespace("default").withName("batch").delete();
            client.pods().inNamespace("default").withName("vectoradd").delete();
            client.pods().inNamespace("default").withName("two-containers").delete();
            rounds(scheduler, node, 8);

            assertThat(pods()).isEmpty();
            assertThat(node.hardware()).isEmpty();
            assertThat(world.claims()).isEmpty();
        }
    }
}
