package dev.sro.runtime.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.dra.DraClasses;
import dev.sro.core.lease.LeaderLease;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.runtime.Cli;
import dev.sro.runtime.Scrape;
import dev.sro.runtime.scheduler.ProbeServer;
import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The command as a process has it: its rights as installed, its Lease, its probes and metrics, its options. */
class ExplainerRunTest {
    private static final String NAMESPACE = "special-resource-operator";
    private static final String NAME = "sro-slices-explainer";

    private static final LeaderLease.Times TIMES =
            new LeaderLease.Times(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMillis(50));

    private static void install(KubernetesClient client) throws IOException {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        KubernetesSerialization serialization = new KubernetesSerialization();
        for (String file : List.of("serviceaccount.yaml", "rbac.yaml")) {
            try (InputStream yaml = Files.newInputStream(Path.of("install", "kustomize", "slices-explainer", file))) {
                Object read = serialization.unmarshal(yaml);
                if (read instanceof Collection<?> several) {
                    several.forEach(each -> client.resource((HasMetadata) each).create());
                } else {
                    client.resource((HasMetadata) read).create();
                }
            }
        }
    }

    /** A client that is the installed account. */
    private static KubernetesClient account(WaitingWorld world) {
        String token = world.client
                .serviceAccounts()
                .inNamespace(NAMESPACE)
                .withName(NAME)
                .tokenRequest(new TokenRequestBuilder().withNewSpec().endSpec().build())
                .getStatus()
                .getToken();
        return world.cluster.newClient("explainer", token);
    }

    @Test
    void itsRightsAreEnoughAndNoMoreThanItNeeds() throws IOException {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            install(world.client);
            Pod runs = world.create("a", "7g.40gb");
            world.pass(Duration.ofMinutes(1));
            world.explainer(account(world), WaitingWorld.SETTINGS, () -> true);
            Pod waits = world.create("train", "7g.40gb");
            world.cluster.recording().start();
            world.pass(Duration.ofMinutes(1));
            assertThat(world.events(waits)).hasSize(1);
            assertThat(WaitingNote.of(world.claimOf(waits))).isPresent();
            world.delete(runs);
            world.pass(Duration.ofMinutes(1));
            assertThat(WaitingNote.on(world.claimOf(waits))).isEmpty();

            assertThat(world.writes()).allMatch(entry -> entry.status() < 300).hasSize(4);
        }
    }

    private static ExplainerRun replica(EmbeddedCluster cluster, String name) throws IOException {
        return ExplainerRun.start(
                new ExplainerRun.Settings(
                        WaitingWorld.SETTINGS,
                        "default",
                        NAME,
                        TIMES,
                        Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))),
                cluster.newClient(name),
                Catalogue.builtin(),
                () -> {});
    }

    private static String metrics(ExplainerRun run) throws Exception {
        Scrape scrape = Scrape.of(run.port().orElseThrow());
        assertThat(Scrape.documented("Of the explainer").entrySet())
                .containsAll(scrape.types().entrySet());
        return scrape.body();
    }

    /** A pod that has waited since long ago for what another one has. */
    private static void waiting(KubernetesClient client) {
        DraClasses.create(List.of(WaitingWorld.A100), WaitingWorld.OPTIONS, false)
                .forEach(each -> client.resource(each).create());
        WaitingWorld.slices("n1", 1).forEach(slice -> client.resource(slice).create());
        client.resource(new ResourceClaimBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("c")
                        .endMetadata()
                        .withNewSpec()
                        .withNewDevices()
                        .withRequests(WaitingWorld.request("3g.20gb", 3))
                        .endDevices()
                        .endSpec()
                        .build())
                .create();
        Pod pod = client.resource(WaitingWorld.pod("train")
                        .editSpec()
                        .addNewResourceClaim()
                        .withName("c")
                        .withResourceClaimName("c")
                        .endResourceClaim()
                        .endSpec()
                        .build())
                .create();
        pod.setStatus(new PodStatusBuilder()
                .withPhase("Pending")
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason("Unschedulable")
                .withLastTransitionTime("2024-01-01T00:00:00Z")
                .endCondition()
                .build());
        client.resource(pod).updateStatus();
    }

    @Test
    void ofTwoProcessesTheOneWithTheLeaseTellsAndTheOtherTakesItsPlace() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder().realTime().build()) {
            KubernetesClient client = cluster.client();
            waiting(client);
            cluster.recording().start();
            ExplainerRun first = replica(cluster, "explainer-one");
            try {
                ResourceClaim claim = client.resources(ResourceClaim.class)
                        .inNamespace("default")
                        .withName("c")
                        .waitUntilCondition(
                                each -> each != null && WaitingNote.on(each).isPresent(), 60, TimeUnit.SECONDS);
                assertThat(WaitingNote.of(claim)).map(WaitingNote::state).contains("no-room");
                assertThat(client.resources(Event.class)
                                .inNamespace("default")
                                .informOnCondition(events -> events.size() == 2)
                                .get(60, TimeUnit.SECONDS))
                        .allMatch(event -> event.getReason().equals("SlicesNoRoom"));
                assertThat(Scrape.get(first.port().orElseThrow(), "/readyz").statusCode())
                        .isEqualTo(200);
                assertThat(metrics(first)).contains("sro_explainer_leader 1.0");
                try (ExplainerRun second = replica(cluster, "explainer-two")) {
                    assertThat(metrics(second)).contains("sro_explainer_leader 0.0");
                    first.close();
                    client.leases()
                            .inNamespace("default")
                            .withName(NAME)
                            .waitUntilCondition(
                                    lease -> lease != null
                                            && lease.getSpec().getHolderIdentity() != null
                                            && lease.getSpec().getLeaseTransitions() != null
                                            && lease.getSpec().getLeaseTransitions() >= 1
                                            && !lease.getSpec()
                                                    .getHolderIdentity()
                                                    .isEmpty(),
                                    60,
                                    TimeUnit.SECONDS);
                    assertThat(second.isLost()).isFalse();
                }
            } finally {
                first.close();
            }
            assertThat(cluster.recording()
                            .entries(entry ->
                                    entry.isWrite() && !entry.resource().startsWith("leases")))
                    .filteredOn(entry -> entry.userAgent().contains("explainer"))
                    .hasSize(3)
                    .allMatch(entry -> entry.userAgent().contains("explainer-one"));
        }
    }

    @Test
    void prometheusGetsAllMetricsOfTheDocumentationOnceAPodWasTold() throws Exception {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            world.create("a", "7g.40gb");
            world.pass(Duration.ofMinutes(1));
            SliceExplainer explainer = world.explainer();
            world.create("train", "7g.40gb");
            world.pass(Duration.ofMinutes(1));
            try (ProbeServer probes = ProbeServer.start(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    Runnable::run,
                    explainer::isFilled,
                    explainer.metrics()::text)) {
                Scrape scrape = Scrape.of(probes.port());

                assertThat(scrape.types()).isNotEmpty().isEqualTo(Scrape.documented("Of the explainer"));
                assertThat(scrape.body())
                        .contains(
                                "sro_explainer_explanations_total{state=\"no-room\"} 1.0",
                                "sro_explainer_waiting_pods{state=\"no-room\"} 1.0");
            }
        }
    }

    @Test
    void whatIsWrongIsSaidWithItsOption() {
        for (List<String> wrong : List.of(
                List.of("--lease", "name"),
                List.of("--lease", "a/b/c"),
                List.of("--after", "-1", "--lease", "a/b"),
                List.of("--again", "59", "--lease", "a/b"),
                List.of("--gpus-per-minute", "0", "--lease", "a/b"),
                List.of("--writes-per-minute", "0", "--lease", "a/b"),
                List.of("--probes", "8080", "--lease", "a/b"))) {
            Cli run = Cli.run(Stream.concat(Stream.of("slices", "explainer"), wrong.stream())
                    .toArray(String[]::new));
            assertThat(run.code()).as("%s: %s", wrong, run.err()).isEqualTo(2);
            assertThat(run.err()).startsWith("sro: " + wrong.get(0) + " " + wrong.get(1) + ": ");
        }
    }
}
