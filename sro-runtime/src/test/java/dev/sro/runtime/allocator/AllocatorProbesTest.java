package dev.sro.runtime.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.dra.DraOptions;
import dev.sro.core.lease.LeaderLease;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.runtime.Scrape;
import dev.sro.runtime.webhook.Certificates;
import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What kubelet and Prometheus get of a process of the allocator. */
class AllocatorProbesTest {
    private static final int TRIES = 20;

    /** A run, and where it is asked. */
    private record Served(AllocatorRun run, int port) {}

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static AllocatorRun start(EmbeddedCluster cluster, Optional<InetSocketAddress> probes) throws IOException {
        return start(cluster, probes, Optional.empty());
    }

    private static AllocatorRun start(
            EmbeddedCluster cluster, Optional<InetSocketAddress> probes, Optional<AllocatorRun.Webhook> webhook)
            throws IOException {
        return AllocatorRun.start(
                new AllocatorRun.Settings(
                        new AllocatorOptions(DraOptions.DRIVER, false, MakeRoom.NEVER, Optional.empty(), true),
                        "default",
                        InstalledAllocator.NAME,
                        new LeaderLease.Times(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMillis(50)),
                        probes,
                        webhook),
                cluster.newClient("allocator"),
                Catalogue.builtin(),
                () -> {});
    }

    /** Between the look for a port and its use somebody else may take it. */
    private static Served serve(EmbeddedCluster cluster) throws IOException {
        for (int tries = 1; ; tries++) {
            int port = freePort();
            try {
                return new Served(
                        start(cluster, Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))),
                        port);
            } catch (BindException e) {
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private static boolean isHeld(Lease lease) {
        return lease.getSpec() != null
                && lease.getSpec().getHolderIdentity() != null
                && !lease.getSpec().getHolderIdentity().isEmpty();
    }

    @Test
    void prometheusGetsTheMetricsOfTheDocumentationFromTheFirstMoment() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder().realTime().build()) {
            Served served = serve(cluster);
            try (AllocatorRun run = served.run()) {
                Scrape scrape = Scrape.of(served.port());

                assertThat(scrape.types()).isNotEmpty().isEqualTo(Scrape.documented("Of the allocator"));
                assertThat(scrape.body())
                        .contains(
                                "\nsro_allocator_moves_total 0\n",
                                "\nsro_allocator_move_plans_total{outcome=\"done\"} 0\n",
                                "\nsro_allocator_move_plans_total{outcome=\"late\"} 0\n",
                                "\nsro_allocator_move_plans_total{outcome=\"given-up\"} 0\n");

                cluster.client()
                        .leases()
                        .inNamespace("default")
                        .withName(InstalledAllocator.NAME)
                        .waitUntilCondition(lease -> lease != null && isHeld(lease), 60, TimeUnit.SECONDS);
                assertThat(Scrape.of(served.port()).types()).isEqualTo(scrape.types());
                assertThat(run.isLost()).isFalse();
            }
        }
    }

    @Test
    void kubeletIsAnsweredAtTheSamePortAndNobodyElse() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder().realTime().build()) {
            Served served = serve(cluster);
            try (AllocatorRun run = served.run()) {
                assertThat(Scrape.get(served.port(), "/healthz").statusCode()).isEqualTo(200);
                assertThat(Scrape.get(served.port(), "/readyz").statusCode()).isIn(200, 503);
                assertThat(Scrape.get(served.port(), "/metrics/").statusCode()).isEqualTo(404);
                assertThat(Scrape.get(served.port(), "/").statusCode()).isEqualTo(404);
                assertThat(run.isLost()).isFalse();
            }
        }
    }

    /** Until it knows the classes, pods with slices are refused. */
    private static Pod admitted(EmbeddedCluster cluster, Pod pod) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (true) {
            try {
                return cluster.client().resource(pod).create();
            } catch (KubernetesClientException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
            }
        }
    }

    /** Whoever leads: the API server asks any of them. */
    @Test
    void aReplicaThatDoesNotLeadAnswersTheWebhookOnceItKnowsTheClasses(@TempDir Path folder) throws Exception {
        Certificates.write(folder, "EC", true);
        try (EmbeddedCluster cluster = EmbeddedCluster.builder().realTime().build()) {
            AllocatorObjects.classes()
                    .forEach(each -> cluster.client().resource(each).create());
            cluster.client()
                    .resource(new LeaseBuilder()
                            .withNewMetadata()
                            .withNamespace("default")
                            .withName(InstalledAllocator.NAME)
                            .endMetadata()
                            .withNewSpec()
                            .withHolderIdentity("somebody else")
                            .withLeaseDurationSeconds(3600)
                            .withAcquireTime(ZonedDateTime.now(cluster.clock()))
                            .withRenewTime(ZonedDateTime.now(cluster.clock()))
                            .withLeaseTransitions(0)
                            .endSpec()
                            .build())
                    .create();
            try (AllocatorRun run = start(
                    cluster,
                    Optional.empty(),
                    Optional.of(new AllocatorRun.Webhook(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), folder)))) {
                LimitWebhook.configure(
                        cluster.client(), folder, run.webhookPort().orElseThrow());
                Pod pod = AllocatorObjects.pod("default", "p")
                        .editSpec()
                        .withSchedulingGates()
                        .editContainer(0)
                        .editResources()
                        .addToLimits("nvidia.com/mig-1g.5gb", new Quantity("1"))
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .build();

                Pod made = admitted(cluster, pod);

                assertThat(made.getSpec().getResourceClaims()).hasSize(1);
                assertThat(made.getSpec().getContainers().get(0).getResources().getLimits())
                        .isEmpty();
                assertThat(run.isLost()).isFalse();
            }
        }
    }
}
