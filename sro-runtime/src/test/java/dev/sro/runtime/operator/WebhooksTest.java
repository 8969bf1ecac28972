package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.resource.Partitioning;
import dev.sro.api.resource.SpecialResource;
import dev.sro.runtime.UnusableInputException;
import dev.sro.runtime.webhook.Certificates;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator with webhooks: from the special resource to the patch of a pod. */
class WebhooksTest {
    @TempDir
    private Path folder;

    @AfterEach
    void giveLogBack() {
        HttpCluster.giveLogBack();
    }

    @Test
    void aSpecialResourceMakesTheApiServerAskAndTheWebhookAnswer() throws Exception {
        Path secret = Files.createDirectories(folder.resolve("secret"));
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("a", Certificates.write(secret, "EC", true));
        Files.copy(secret.resolve("tls.crt"), secret.resolve("ca.crt"));
        WebhookSettings settings = new WebhookSettings("127.0.0.1", 0, secret, "hooks", 443, Map.of());
        try (HttpCluster cluster = new HttpCluster(folder)) {
            cluster.installDefinition();
            OperatorRun run = cluster.start("one", Optional.of(settings));
            cluster.applySpecialResource();
            cluster.client()
                    .resources(SpecialResource.class)
                    .withName("simple-kmod")
                    .edit(live -> {
                        Objects.requireNonNull(live.getSpec())
                                .setPartitioning(cluster.client()
                                        .getKubernetesSerialization()
                                        .unmarshal(
                                                "admission: Webhook\nhard: {taints: [{key: nvidia.com/gpu}]}",
                                                Partitioning.class));
                        return live;
                    });
            HttpCluster.await("the configuration", () -> configuration(cluster) != null);
            WebhookClientConfig found = Objects.requireNonNull(configuration(cluster))
                    .getWebhooks()
                    .get(0)
                    .getClientConfig();
            assertThat(found.getCaBundle()).isNotEmpty();
            assertThat(found.getService().getName()).isEqualTo("hooks");

            HttpClient client = trusting(trusted);
            HttpCluster.await(
                    "the patch",
                    () -> post(
                                    client,
                                    run.webhookPort().orElseThrow(),
                                    found.getService().getPath())
                            .contains("\"patchType\":\"JSONPatch\""));

            // A CA that is replaced is what the API server gets, without anything else that happens.
            Path other = Files.createDirectories(folder.resolve("other"));
            Certificates.write(other, "EC", true);
            Files.copy(other.resolve("tls.crt"), secret.resolve("ca.crt"), StandardCopyOption.REPLACE_EXISTING);
            String bundle = Base64.getEncoder().encodeToString(Files.readAllBytes(secret.resolve("ca.crt")));
            assertThat(found.getCaBundle()).isNotEqualTo(bundle);
            HttpCluster.await(
                    "the new CA",
                    () -> bundle.equals(Objects.requireNonNull(configuration(cluster))
                            .getWebhooks()
                            .get(0)
                            .getClientConfig()
                            .getCaBundle()));
        }
    }

    @Test
    void aUrlThatTheApiServerWouldRefuseIsRefusedAtOnce() {
        assertThat(WebhookSettings.url("")).isEmpty();
        assertThat(WebhookSettings.url("https://192.0.2.7:9443/")).hasValue("https://192.0.2.7:9443");
        for (String bad :
                List.of("http://a:1", "a:1", "https://u@a:1", "https://a:1/x", "https://a:1?b", "https://a b")) {
            assertThatThrownBy(() -> WebhookSettings.url(bad))
                    .as(bad)
                    .isInstanceOf(UnusableInputException.class)
                    .hasMessageContaining("--webhook-url");
        }
    }

    private static @Nullable MutatingWebhookConfiguration configuration(HttpCluster cluster) {
        return cluster.client()
                .admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName("sro-partitioning-simple-kmod")
                .get();
    }

    private static HttpClient trusting(KeyStore trusted) throws Exception {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private static String post(HttpClient client, int port, String path) throws Exception {
        String name = "/dev/sro/runtime/webhook/review-create-pod.json";
        try (var in = Objects.requireNonNull(WebhooksTest.class.getResourceAsStream(name))) {
            String review = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return client.send(
                            HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
                                    .POST(HttpRequest.BodyPublishers.ofString(review))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
