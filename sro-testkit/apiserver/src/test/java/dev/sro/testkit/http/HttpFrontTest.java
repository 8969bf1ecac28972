package dev.sro.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.Gvr;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpFrontTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final EmbeddedCluster cluster = EmbeddedCluster.create();
    private final HttpClient http = HttpClient.newHttpClient();
    private URI base = URI.create("http://127.0.0.1");

    @BeforeEach
    void serve() throws Exception {
        base = cluster.serveHttp(0).uri();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private JsonNode get(String path, String accept) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(base.resolve(path))
                .header("Accept", accept)
                .build();
        return JSON.readTree(
                http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    private static ObjectNode configMap(String name) {
        ObjectNode object = JSON.createObjectNode();
        object.putObject("metadata").put("name", name).put("namespace", "default");
        return object;
    }

    @Test
    void answersListsAndTables() throws Exception {
        JsonNode list = get("/api/v1/namespaces", "application/json");
        assertThat(list.path("kind").asText()).isEqualTo("NamespaceList");

        JsonNode table = get("/api/v1/namespaces", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json");
        assertThat(table.path("kind").asText()).isEqualTo("Table");
        assertThat(table.path("rows").path(0).path("cells").path(0).asText()).isEqualTo("default");
        assertThat(table.path("rows").path(0).path("cells").path(1).asText()).isEqualTo("Active");
    }

    @Test
    void streamsWatchEventsUntilTheirTimeIsOver() throws Exception {
        cluster.api().create(Gvr.CONFIGMAPS, configMap("a"));
        HttpRequest watch = HttpRequest.newBuilder(
                        base.resolve(
                                "/api/v1/namespaces/default/configmaps?watch=true&fieldSelector=metadata.name%3Db&timeoutSeconds=60"))
                .build();
        HttpResponse<InputStream> response = http.send(watch, HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            cluster.api().create(Gvr.CONFIGMAPS, configMap("b"));
            JsonNode event = JSON.readTree(lines.readLine());

            assertThat(event.path("type").asText()).isEqualTo("ADDED");
            assertThat(event.path("object").path("metadata").path("name").asText())
                    .isEqualTo("b");
            cluster.dropWatches(Gvr.CONFIGMAPS);
            assertThat(lines.readLine()).isNull();
        }
    }

    @Test
    void keepsAConnectionForTheNextRequestAndAnswersHeadsWithoutABody() throws Exception {
        try (Socket socket = new Socket(base.getHost(), base.getPort())) {
            for (int i = 0; i < 3; i++) {
                socket.getOutputStream()
                        .write("HEAD /api/v1/namespaces HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            }
            socket.getOutputStream()
                    .write("GET /version HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.UTF_8));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(all.split("HTTP/1.1 ")).hasSize(5);
            assertThat(all).contains("gitVersion").doesNotContain("\"kind\"");
        }
    }

    @Test
    void takesBodiesInChunksAndTellsClientsThatAskToGoOn() throws Exception {
        HttpRequest create = HttpRequest.newBuilder(base.resolve("/api/v1/namespaces/default/configmaps"))
                .header("Content-Type", "application/json")
                .expectContinue(true)
                .POST(HttpRequest.BodyPublishers.ofInputStream(
                        () -> new ByteArrayInputStream(configMap("a").toString().getBytes(StandardCharsets.UTF_8))))
                .build();
        assertThat(http.send(create, HttpResponse.BodyHandlers.discarding()).statusCode())
                .isEqualTo(201);
        assertThat(cluster.api().get(Gvr.CONFIGMAPS, "default", "a")).isPresent();
    }

    @Test
    void closingEndsItsConnections() throws Exception {
        try (Socket socket = new Socket(base.getHost(), base.getPort())) {
            socket.getOutputStream().write("GET /version HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            cluster.close();
            assertThat(socket.getInputStream().readAllBytes()).isNotEmpty();
        }
    }
}
