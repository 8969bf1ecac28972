package dev.sro.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.sim.SimulationFactory;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What webhooks can rely on in an embedded cluster beyond what a real server does for them. */
class WebhookTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final EmbeddedCluster cluster =
            EmbeddedCluster.builder().controller(new SimulationFactory()).build();
    private final KubernetesClient client = cluster.client();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile Function<JsonNode, Boolean> judge = request -> true;
    private HttpsServer server;

    @BeforeEach
    void listen() throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        server.setHttpsConfigurator(
                new HttpsConfigurator(LoopbackCertificate.get().context()));
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        cluster.webhookServices(service ->
                service.name().equals("hooks") && service.namespace().equals("default") && service.port() == 443
                        ? Optional.of(URI.create(
                                "https://127.0.0.1:" + server.getAddress().getPort()))
                        : Optional.empty());
    }

    @AfterEach
    void stop() {
        cluster.close();
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode request = JSON.readTree(exchange.getRequestBody()).path("request");
            asked.add(request.path("operation").asText() + " "
                    + request.path("userInfo").path("username").asText());
            boolean allowed = judge.apply(request);
            String body = "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"response\":{\"uid\":"
                    + request.path("uid") + ",\"allowed\":" + allowed + "}}";
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private void register(String service, String resource, String... operations) {
        client.resource(new ValidatingWebhookConfigurationBuilder()
                        .withNewMetadata()
                        .withName(service)
                        .endMetadata()
                        .addNewWebhook()
                        .withName(service + ".example.com")
                        .withAdmissionReviewVersions("v1")
                        .withSideEffects("None")
                        .withTimeoutSeconds(5)
                        .withNewClientConfig()
                        .withCaBundle(LoopbackCertificate.get().caBundle())
                        .withNewService()
                        .withName(service)
                        .withNamespace("default")
                        .endService()
                        .endClientConfig()
                        .addNewRule()
                        .withApiGroups("")
                        .withApiVersions("v1")
                        .withOperations(operations)
                        .withResources(resource)
                        .endRule()
                        .endWebhook()
                        .build())
                .create();
    }

    private static ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .build();
    }

    @Test
    void theWebhookOfAServiceIsCalledWhereTheTestSays() {
        register("hooks", "configmaps", "CREATE");

        client.resource(configMap("a")).create();

        assertThat(asked).containsExactly("CREATE kubernetes-admin");
    }

    @Test
    void theCertificateMustBeThatOfTheService() {
        cluster.webhookServices(service -> Optional.of(
                URI.create("https://127.0.0.1:" + server.getAddress().getPort())));
        register("other", "configmaps", "CREATE");

        assertThatThrownBy(() -> client.resource(configMap("a")).create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("x509: certificate is valid for hooks.default.svc, not other.default.svc");
        assertThat(asked).isEmpty();
    }

    @Test
    void aWebhookMayAskTheApiServerWhileItIsAsked() {
        client.resource(configMap("policy")).create();
        register("hooks", "configmaps", "CREATE");
        KubernetesClient own = cluster.newClient("webhook");
        judge = request ->
                own.configMaps().inNamespace("default").withName("policy").get() != null;

        client.resource(configMap("a")).create();

        assertThat(client.configMaps().inNamespace("default").withName("a").get())
                .isNotNull();
    }

    @Test
    void aWriteThatWasOvertakenWhileAWebhookWasAskedIsRefusedLikeAnyOther() {
        ConfigMap made = client.resource(configMap("a")).create();
        register("hooks", "configmaps", "UPDATE");
        KubernetesClient other = cluster.newClient("other");
        judge = request -> {
            boolean first = asked.size() == 1;
            if (first) {
                ConfigMap changed =
                        new ConfigMapBuilder(made).addToData("k", "other").build();
                other.resource(changed).update();
            }
            return true;
        };

        assertThatThrownBy(() -> client.resource(new ConfigMapBuilder(made)
                                .addToData("k", "mine")
                                .build())
                        .update())
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(409));
        assertThat(client.resource(made).get().getData()).isEqualTo(Map.of("k", "other"));
    }

    @Test
    void podsOfControllersAreReviewedAndTriedAgain() {
        register("hooks", "pods", "CREATE");
        judge = request -> asked.size() > 1;
        client.batch()
                .v1()
                .jobs()
                .load(getClass().getResourceAsStream("job.yaml"))
                .create();

        cluster.settle();
        assertThat(pods()).isEmpty();
        cluster.advance(Duration.ofMinutes(1));

        assertThat(pods()).hasSize(1);
        assertThat(asked).allSatisfy(a -> assertThat(a).isEqualTo("CREATE system:kube-controller-manager"));
    }

    private List<Pod> pods() {
        return client.pods().inNamespace("default").list().getItems();
    }

    @Test
    void theGarbageCollectorTriesAgainWhatAWebhookRefused() {
        ConfigMap owner = client.resource(configMap("owner")).create();
        client.resource(new ConfigMapBuilder(configMap("owned"))
                        .editMetadata()
                        .addNewOwnerReference()
                        .withApiVersion("v1")
                        .withKind("ConfigMap")
                        .withName("owner")
                        .withUid(owner.getMetadata().getUid())
                        .endOwnerReference()
                        .endMetadata()
                        .build())
                .create();
        client.resource(owner).delete();
        register("hooks", "configmaps", "DELETE");
        judge = request -> asked.size() > 1;

        cluster.settle();
        assertThat(client.configMaps().inNamespace("default").withName("owned").get())
                .isNotNull();
        cluster.advance(Duration.ofSeconds(2));

        assertThat(client.configMaps().inNamespace("default").withName("owned").get())
                .isNull();
    }
}
