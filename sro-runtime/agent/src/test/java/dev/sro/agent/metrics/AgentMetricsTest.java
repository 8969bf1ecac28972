package dev.sro.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class AgentMetricsTest {
    @Test
    void countsGaugesAndTimesAreTextThatPrometheusReads() throws Exception {
        AgentMetrics metrics = new AgentMetrics();
        metrics.add("sro_agent_refusals_total", AgentMetrics.label("reason", "held"), 1);
        metrics.add("sro_agent_refusals_total", AgentMetrics.label("reason", "held"), 1);
        metrics.set("sro_agent_free_places", Map.of(AgentMetrics.label("profile", "a\"b\\c\n"), 3.0));
        metrics.set("sro_agent_fragmentation_ratio", 0.125);
        metrics.observe("sro_agent_device_seconds", AgentMetrics.label("operation", "reset"), Duration.ofMillis(300));
        metrics.observe("sro_agent_device_seconds", AgentMetrics.label("operation", "reset"), Duration.ofSeconds(60));
        String text;
        try (MetricsServer server = new MetricsServer("127.0.0.1:0", metrics, () -> true)) {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.headers().firstValue("Content-Type"))
                    .contains("text/plain; version=0.0.4; charset=utf-8");
            text = answer.body();
        }
        assertThat(text.split("\n"))
                .contains(
                        "# TYPE sro_agent_refusals_total counter",
                        "sro_agent_refusals_total{reason=\"held\"} 2",
                        "sro_agent_repairs_total 0",
                        "sro_agent_free_places{profile=\"a\\\"b\\\\c\\n\"} 3",
                        "sro_agent_fragmentation_ratio 0.125",
                        "sro_agent_device_seconds_bucket{operation=\"reset\",le=\"0.25\"} 0",
                        "sro_agent_device_seconds_bucket{operation=\"reset\",le=\"0.5\"} 1",
                        "sro_agent_device_seconds_bucket{operation=\"reset\",le=\"30\"} 1",
                        "sro_agent_device_seconds_bucket{operation=\"reset\",le=\"+Inf\"} 2",
                        "sro_agent_device_seconds_sum{operation=\"reset\"} 60.3",
                        "sro_agent_device_seconds_count{operation=\"reset\"} 2");
    }

    @Test
    void itIsReadyWhenTheAgentSaysSo() throws Exception {
        AtomicBoolean ready = new AtomicBoolean();
        try (MetricsServer server = new MetricsServer("127.0.0.1:0", new AgentMetrics(), ready::get)) {
            assertThat(code(server, "/readyz")).isEqualTo(503);
            assertThat(code(server, "/healthz")).as("it is alive").isEqualTo(200);
            ready.set(true);
            assertThat(code(server, "/readyz")).isEqualTo(200);
        }
    }

    private static int code(MetricsServer server, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
