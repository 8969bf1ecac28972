package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.sro.runtime.Clients;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the operator's client does to requests, on a server that answers what the test wants. */
class ApiTrafficTest {

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger requests = new AtomicInteger();
    private final RateLimit limit = new RateLimit(1_000, 1_000, now::get);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private volatile int code = 200;
    private HttpServer server;
    private KubernetesClient client;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            exchange.getRequestBody().readAllBytes();
            byte[] body =
                    "{\"apiVersion\":\"v1\",\"kind\":\"Status\",\"metadata\":{}}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.getResponseHeaders().add("Retry-After", "7");
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        client = Clients.through(
                new ConfigBuilder()
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .withRequestRetryBackoffLimit(0)
                        .build(),
                ApiTraffic.NAME,
                new ApiTraffic(limit, now::get, () -> true, metrics));
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    private void write() {
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("a")
                        .withNamespace("b")
                        .endMetadata()
                        .build())
                .create();
    }

    private void event() {
        client.resource(new EventBuilder()
                        .withNewMetadata()
                        .withName("a")
                        .withNamespace("b")
                        .endMetadata()
                        .build())
                .create();
    }

    @Test
    void aServerThatIsBusyIsLeftAloneForAsLongAsItAsks() {
        code = 429;
        assertThatThrownBy(this::write).isInstanceOf(KubernetesClientException.class);
        assertThat(limit.take()).isEqualTo(7_000_000_000L);
        now.addAndGet(7_000_000_000L);
        assertThat(limit.take()).isZero();
    }

    @Test
    void anEvictionThatABudgetOfPodsForbidsHoldsUpNobody() {
        code = 429;
        assertThatThrownBy(() -> client.raw("/api/v1/namespaces/b/pods/a/eviction", "POST", "{}"))
                .isInstanceOf(KubernetesClientException.class);
        assertThat(limit.take()).isZero();
    }

    @Test
    void eventsHaveABudgetOfTheirOwnAndAreDroppedBeyondIt() {
        for (int i = 0; i < 100; i++) {
            event();
        }
        assertThatThrownBy(this::event).hasStackTraceContaining("dropped");
        assertThat(requests.get()).isEqualTo(100);
        write();
        assertThat(requests.get()).isEqualTo(101);
        now.addAndGet(100_000_000);
        event();
        assertThat(requests.get()).isEqualTo(102);
    }

    @Test
    void eventsTakeNothingFromTheWork() {
        for (int i = 0; i < 50; i++) {
            event();
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(limit.tryTake()).isTrue();
        }
        assertThat(limit.tryTake()).isFalse();
    }
}
