package dev.sro.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.placement.SlicePodRules;
import dev.sro.core.placement.SliceWebhook;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.runtime.webhook.Certificates;
import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The webhook as an API server asks it, over HTTPS. */
class SliceWebhookTest {
    @TempDir
    private static Path folder = Path.of("");

    private final EmbeddedCluster cluster = EmbeddedCluster.create();
    private final KubernetesClient client = cluster.client();

    @BeforeAll
    static void makeCertificate() throws Exception {
        Certificates.write(folder, "EC", true);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private SliceSchedulerRun serve(String path) throws Exception {
        SliceSchedulerRun run = SliceSchedulerRun.start(
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
        configure(client, folder, run.webhookPort().orElseThrow(), path);
        return run;
    }

    /** The configuration as it is installed, but for the way to the server, which is no Service. */
    static void configure(KubernetesClient client, Path certificates, int port, String path) throws Exception {
        String bundle = Base64.getEncoder().encodeToString(Files.readAllBytes(certificates.resolve("tls.crt")));
        MutatingWebhookConfiguration configuration = client.getKubernetesSerialization()
                .convertValue(
                        SliceWebhook.configuration(path, "sro-slices", Map.of(), bundle),
                        MutatingWebhookConfiguration.class);
        var server = configuration.getWebhooks().get(0).getClientConfig();
        server.setService(null);
        server.setUrl("https://127.0.0.1:" + port + path);
        // A busy machine takes its time for the first handshake.
        configuration.getWebhooks().get(0).setTimeoutSeconds(30);
        client.resource(configuration).create();
    }

    private Pod create(String name, String resource) {
        return client.resource(SliceWorld.pod("default", name, resource, 1).build())
                .create();
    }

    @Test
    void podsWithSlicesWaitAtTheGateUnderTheNamesOfTheAgents() throws Exception {
        try (SliceSchedulerRun run = serve("/slices/gates/nvidia")) {
            assertThat(run.isReady()).isTrue();

            Pod pod = create("a", "mig.das.com/1g.5gb-plus-me");

            assertThat(pod.getSpec().getSchedulingGates())
                    .extracting(PodSchedulingGate::getName)
                    .containsExactly(SlicePodRules.GATE);
            Map<String, Quantity> limits =
                    pod.getSpec().getContainers().get(0).getResources().getLimits();
            assertThat(limits).containsOnlyKeys("nvidia.com/mig-1g.5gb.me");
            assertThat(pod.getSpec().getContainers().get(0).getResources().getRequests())
                    .containsKeys("cpu", "nvidia.com/mig-1g.5gb.me")
                    .doesNotContainKey("mig.das.com/1g.5gb-plus-me");
            assertThat(create("whole", "nvidia.com/gpu").getSpec().getSchedulingGates())
                    .isEmpty();
            assertThatThrownBy(() -> client.resource(SliceWorld.pod("default", "b", "nvidia.com/mig-1g.5gb", 1)
                                    .editMetadata()
                                    .addToAnnotations("slices.sro.dev/spread", "far")
                                    .endMetadata()
                                    .build())
                            .create())
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("pod default/b: metadata.annotations[slices.sro.dev/spread]");
        }
    }

    /** P16 of DAS: while its webhook was away no pod of the cluster could be created. */
    @Test
    void whileItIsAwayNobodyWaitsButPodsWithSlices() throws Exception {
        serve("/slices/gates/nvidia").close();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("free")
                        .addToLabels(SliceWebhook.LABEL, SliceWebhook.IGNORE)
                        .endMetadata()
                        .build())
                .create();

        assertThat(create("whole", "nvidia.com/gpu").getMetadata().getUid()).isNotEmpty();
        assertThat(create("plain", "cpu").getMetadata().getUid()).isNotEmpty();
        for (String namespace : new String[] {"free", "kube-system"}) {
            assertThat(client.resource(SliceWorld.pod(namespace, "a", "nvidia.com/mig-1g.5gb", 1)
                                    .build())
                            .create()
                            .getSpec()
                            .getSchedulingGates())
                    .isEmpty();
        }
        assertThat(client.resource(SliceWorld.pod("default", "out", "nvidia.com/mig-1g.5gb", 1)
                                .editMetadata()
                                .addToLabels(SliceWebhook.LABEL, SliceWebhook.IGNORE)
                                .endMetadata()
                                .build())
                        .create()
                        .getSpec()
                        .getSchedulingGates())
                .isEmpty();
        assertThatThrownBy(() -> create("slice", "nvidia.com/mig-1g.5gb"))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("slices.sro.dev");
    }

    @Test
    void theSchedulerOfSlicesIsChosenAndAnotherOneIsRefused() throws Exception {
        try (SliceSchedulerRun run = serve("/slices/scheduler/das/sro-slices")) {
            assertThat(run.isReady()).isTrue();

            Pod pod = create("a", "nvidia.com/mig-1g.5gb.me");

            assertThat(pod.getSpec().getSchedulerName()).isEqualTo("sro-slices");
            assertThat(pod.getSpec().getContainers().get(0).getResources().getLimits())
                    .containsOnlyKeys("mig.das.com/1g.5gb-plus-me");
            assertThatThrownBy(() -> client.resource(SliceWorld.pod("default", "b", "nvidia.com/mig-1g.5gb", 1)
                                    .editSpec()
                                    .withSchedulerName("mine")
                                    .endSpec()
                                    .build())
                            .create())
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("spec.schedulerName is \"mine\"");
        }
    }
}
