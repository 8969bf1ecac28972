package dev.sro.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.partition.PodAdmission;
import dev.sro.core.partition.PodRules;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reviews as an API server sends them, answered over HTTPS. */
class WebhookServerTest {

    private static final String PATH = PodAdmission.PATH + "gpu";
    private static final PodRules RULES =
            PodRules.parse("resources=nvidia.com/gpu;tolerations=nvidia.com/gpu:NoSchedule;"
                    + "class=gpu-high:1000000:PreemptLowerPriority");
    private static final AdmissionEndpoints ENDPOINTS = new AdmissionEndpoints(Map.of(
            PodAdmission.PATH,
            new PartitioningEndpoint(path -> path.equals(PATH) ? Optional.of(RULES) : Optional.empty())));

    @TempDir
    private Path folder;

    private static String recorded(String name) throws Exception {
        try (var in = WebhookServerTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> response(String review) {
        Map<String, Object> tree = Serialization.unmarshal(review, Map.class);
        assertThat(tree).containsEntry("apiVersion", "admission.k8s.io/v1").containsEntry("kind", "AdmissionReview");
        return (Map<String, Object>) Objects.requireNonNull(tree.get("response"));
    }

    private static List<?> patch(Map<String, Object> response) {
        return Serialization.unmarshal(
                new String(Base64.getDecoder().decode(String.valueOf(response.get("patch"))), StandardCharsets.UTF_8),
                List.class);
    }

    private static HttpClient trusting(Certificate certificate) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("a", certificate);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private static HttpResponse<String> post(HttpClient client, int port, String path, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("https://localhost:" + port + path + "?timeout=5s"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource({"RSA, true", "RSA, false", "EC, true", "EC, false"})
    void answersOverHttpsWithEveryFormOfKey(String algorithm, boolean wrapped) throws Exception {
        Certificate certificate = Certificates.write(folder, algorithm, wrapped);
        ServingCertificate serving = new ServingCertificate(folder);
        assertThat(serving.fault()).isEmpty();
        try (WebhookServer server = WebhookServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), serving, Runnable::run, ENDPOINTS)) {
            HttpResponse<String> answer =
                    post(trusting(certificate), server.port(), PATH, recorded("review-create-pod.json"));

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
            Map<String, Object> response = response(answer.body());
            assertThat(response)
                    .containsEntry("uid", "705ab4f5-6393-11e8-b7cc-42010a800002")
                    .containsEntry("allowed", true)
                    .containsEntry("patchType", "JSONPatch")
                    .doesNotContainKey("status");
            assertThat(patch(response))
                    .extracting(each -> String.valueOf(((Map<?, ?>) each).get("path")))
                    .containsExactly(
                            "/spec/tolerations/-",
                            "/spec/priorityClassName",
                            "/spec/priority",
                            "/spec/preemptionPolicy");
        }
    }

    @Test
    void aNewCertificateIsServedWithoutARestartAndABrokenOneIsNot() throws Exception {
        Certificate first = Certificates.write(folder, "EC", true);
        ServingCertificate serving = new ServingCertificate(folder);
        try (WebhookServer server = WebhookServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), serving, Runnable::run, ENDPOINTS)) {
            String review = recorded("review-create-pod.json");
            assertThat(post(trusting(first), server.port(), PATH, review).statusCode())
                    .isEqualTo(200);

            Certificate second = Certificates.write(folder, "RSA", false);
            assertThat(serving.reload()).isTrue();
            assertThat(serving.reload()).as("it is the same").isFalse();
            assertThat(post(trusting(second), server.port(), PATH, review).statusCode())
                    .isEqualTo(200);

            Files.writeString(folder.resolve("tls.key"), "nonsense");
            assertThat(serving.reload()).isFalse();
            assertThat(serving.fault()).contains("tls.key: there is no BEGIN PRIVATE KEY in it");
            assertThat(post(trusting(second), server.port(), PATH, review).statusCode())
                    .as("the one before it stays")
                    .isEqualTo(200);
        }
    }

    @Test
    void withoutFilesItSaysWhatIsMissing() {
        ServingCertificate serving = new ServingCertificate(folder);
        assertThat(serving.isThere()).isFalse();
        assertThat(serving.fault()).contains("tls.crt and tls.key in " + folder + " cannot be read");
    }

    @Test
    void whatIsNoReviewIsRefused() throws Exception {
        Certificate certificate = Certificates.write(folder, "EC", true);
        try (WebhookServer server = WebhookServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new ServingCertificate(folder),
                Runnable::run,
                ENDPOINTS)) {
            HttpClient client = trusting(certificate);
            assertThat(post(client, server.port(), PATH, "{]").statusCode()).isEqualTo(400);
            assertThat(post(client, server.port(), PATH, "{\"kind\": \"AdmissionReview\"}")
                            .body())
                    .contains("not an AdmissionReview of admission.k8s.io/v1");
            assertThat(post(client, server.port(), "/elsewhere", recorded("review-create-pod.json"))
                            .statusCode())
                    .isEqualTo(404);
            assertThat(client.send(
                                    HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + PATH))
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(405);
        }
    }

    @Test
    void askedAgainItChangesNothingMore() throws Exception {
        String review = recorded("review-create-pod.json");
        String reinvoked = review.replace(
                "\"tolerations\": [",
                "\"priorityClassName\": \"gpu-high\", \"tolerations\": [{\"key\": \"nvidia.com/gpu\", \"operator\":"
                        + " \"Exists\", \"effect\": \"NoSchedule\"},");
        assertThat(reinvoked).isNotEqualTo(review);
        assertThat(response(ENDPOINTS.answer(PATH, reinvoked).orElseThrow()))
                .containsEntry("allowed", true)
                .doesNotContainKeys("patch", "patchType");
    }

    @ParameterizedTest
    @CsvSource({
        "\"operation\": \"CREATE\", \"operation\": \"UPDATE\"",
        "\"operation\": \"CREATE\", \"operation\": \"DELETE\"",
        "nvidia.com/gpu, amd.com/gpu",
    })
    void whatIsNotToBeChangedIsAllowedAsItIs(String what, String other) throws Exception {
        String review = recorded("review-create-pod.json").replace(what, other);
        assertThat(response(ENDPOINTS.answer(PATH, review).orElseThrow()))
                .containsEntry("allowed", true)
                .doesNotContainKey("patch");
    }

    @Test
    void aPathOfNoSpecialResourceAllows() throws Exception {
        assertThat(response(ENDPOINTS
                        .answer(PodAdmission.PATH + "gone", recorded("review-create-pod.json"))
                        .orElseThrow()))
                .containsEntry("allowed", true)
                .doesNotContainKey("patch");
    }

    @Test
    void aRefusalHasCodeAndMessage() {
        assertThat(AdmissionResponse.deny(403, "no")
                        .review("u", String::valueOf)
                        .get("response"))
                .isEqualTo(Map.of("uid", "u", "allowed", false, "status", Map.of("code", 403, "message", "no")));
    }
}
