package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sro.runtime.AnyCertificate;
import dev.sro.runtime.operator.MetricsAccess.Verdict;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against an API server that knows two tokens, of which one has the right. */
class MetricsAccessTest {

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private volatile boolean down;
    private HttpServer api;
    private KubernetesClient client;
    private MetricsAccess access;

    @BeforeEach
    void start() throws IOException {
        api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            asked.add(path.replaceFirst(".*/", ""));
            byte[] answer = answer(path, body).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(down ? 503 : 201, answer.length);
            try (exchange) {
                exchange.getResponseBody().write(answer);
            }
        });
        api.start();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + api.getAddress().getPort())
                .withRequestRetryBackoffLimit(0)
                .build();
        client = new KubernetesClientBuilder().withConfig(config).build();
        access = new MetricsAccess(client, nanos::get);
    }

    @AfterEach
    void stop() {
        client.close();
        api.stop(0);
    }

    private static String answer(String path, String body) {
        if (path.endsWith("/tokenreviews")) {
            String user = body.contains("good") ? "prometheus" : body.contains("other") ? "somebody" : "";
            return "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenReview\",\"spec\":{},\"status\":{"
                    + "\"authenticated\":" + !user.isEmpty() + ",\"user\":{\"username\":\"" + user
                    + "\",\"groups\":[\"g\"],\"extra\":{\"k\":[\"v\"]}}}}";
        }
        boolean allowed = body.contains("prometheus") && body.contains("\"/metrics\"") && body.contains("\"get\"");
        return "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":{},\"status\":{"
                + "\"allowed\":" + allowed + "}}";
    }

    @ParameterizedTest
    @CsvSource({"Bearer good, ALLOWED", "bearer good, ALLOWED", "Bearer other, FORBIDDEN", "Bearer unknown, UNKNOWN"})
    void theApiServerSaysWhoMay(String authorization, Verdict verdict) {
        assertThat(access.judge(authorization)).isEqualTo(verdict);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer", "Bearer ", "Basic Z29vZDpnb29k", "good"})
    void whoHasNoTokenIsNotAskedFor(String authorization) {
        assertThat(access.judge(authorization)).isEqualTo(Verdict.UNKNOWN);
        assertThat(asked).isEmpty();
    }

    @Test
    void anAnswerIsKeptForAMinuteAndABadOneForTenSeconds() {
        access.judge("Bearer good");
        access.judge("Bearer other");
        nanos.addAndGet(9_000_000_000L);
        access.judge("Bearer good");
        access.judge("Bearer other");
        assertThat(asked).hasSize(4);
        nanos.addAndGet(2_000_000_000L);
        access.judge("Bearer good");
        access.judge("Bearer other");
        assertThat(asked).hasSize(6);
        nanos.addAndGet(60_000_000_000L);
        access.judge("Bearer good");
        assertThat(asked).hasSize(8);
    }

    @Test
    void whereTheApiServerDoesNotAnswerNobodyGetsAnything() {
        down = true;
        assertThat(access.judge("Bearer good")).isEqualTo(Verdict.UNAVAILABLE);
        down = false;
        assertThat(access.judge("Bearer good")).as("and that is not kept").isEqualTo(Verdict.ALLOWED);
    }

    @Test
    void metricsComeOverHttpsForThoseAlone() throws Exception {
        try (MetricsServer server = MetricsServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                SelfSigned.context("test", Instant.parse("2026-01-01T00:00:00Z")),
                Runnable::run,
                access,
                () -> "sro_leader 1\n")) {
            HttpClient http = AnyCertificate.client();
            assertThat(get(http, server, "/metrics", "").statusCode()).isEqualTo(401);
            assertThat(get(http, server, "/metrics", "Bearer other").statusCode())
                    .isEqualTo(403);
            assertThat(get(http, server, "/metrics", "Bearer good").body()).isEqualTo("sro_leader 1\n");
            assertThat(get(http, server, "/else", "Bearer good").statusCode()).isEqualTo(404);
            down = true;
            assertThat(get(http, server, "/metrics", "Bearer third").statusCode())
                    .isEqualTo(503);
        }
    }

    private static HttpResponse<String> get(HttpClient http, MetricsServer server, String path, String authorization)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + path));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
