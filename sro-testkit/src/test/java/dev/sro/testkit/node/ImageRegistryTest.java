package dev.sro.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class ImageRegistryTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private Path home;

    private final HttpClient client = HttpClient.newHttpClient();

    private HttpResponse<byte[]> get(ImageRegistry registry, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + registry.address().getPort() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    @Test
    void aProgramIsAnImageWhoseBlobsHaveTheirDigests() throws Exception {
        Path program = Files.writeString(home.resolve("hello"), "not really a program");
        try (ImageRegistry registry = ImageRegistry.start(home.resolve("registry"))) {
            registry.addProgram(program, "test/hello:1", "pause");
            assertThat(get(registry, "/v2/").statusCode()).isEqualTo(200);
            HttpResponse<byte[]> answer = get(registry, "/v2/test/hello/manifests/1");
            assertThat(answer.headers().firstValue("docker-content-digest"))
                    .hasValue(registry.digest("test/hello:1"))
                    .hasValue(digest(answer.body()));
            assertThat(get(registry, "/v2/test/hello/manifests/" + registry.digest("test/hello:1"))
                            .body())
                    .isEqualTo(answer.body());
            JsonNode manifest = JSON.readTree(answer.body());
            byte[] config = blob(registry, manifest.path("config"));
            assertThat(JSON.readTree(config).at("/config/Entrypoint/0").asText())
                    .isEqualTo("/hello");
            assertThat(JSON.readTree(config).at("/config/Cmd/0").asText()).isEqualTo("pause");
            byte[] layer = blob(registry, manifest.at("/layers/0"));
            assertThat(JSON.readTree(config).at("/rootfs/diff_ids/0").asText()).isEqualTo(digest(layer));
        }
    }

    private byte[] blob(ImageRegistry registry, JsonNode descriptor) throws Exception {
        byte[] body = get(
                        registry,
                        "/v2/test/hello/blobs/" + descriptor.path("digest").asText())
                .body();
        assertThat(digest(body)).isEqualTo(descriptor.path("digest").asText());
        assertThat(body).hasSize(descriptor.path("size").asInt());
        return body;
    }

    @Test
    void whatIsNotThereIsNotFound() throws Exception {
        try (ImageRegistry registry = ImageRegistry.start(home.resolve("registry"))) {
            assertThat(get(registry, "/v2/test/hello/manifests/1").statusCode()).isEqualTo(404);
            assertThat(get(registry, "/v2/test/hello/blobs/sha256:00").statusCode())
                    .isEqualTo(404);
            assertThatThrownBy(() -> registry.digest("test/hello:1")).hasMessageContaining("no image test/hello:1");
        }
    }

    private static String digest(byte[] content) throws Exception {
        return "sha256:"
                + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    }
}
