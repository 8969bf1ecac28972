package dev.sro.testkit.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.ChartRepository;
import dev.sro.api.resource.CredentialsSecret;
import dev.sro.core.client.source.ChartSources;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.recipe.chart.ChartException;
import dev.sro.core.recipe.source.ChartFetcher;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Charts, and the credentials for them, out of a cluster. */
class ChartSourcesTest {

    private static final String INDEX = "apiVersion: v1\nentries: {kmod: [{version: 0.1.0, urls: [kmod-0.1.0.tgz]}]}\n";

    private final EmbeddedCluster cluster = EmbeddedCluster.create();

    @BeforeEach
    void aNamespace() {
        cluster.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("ns")
                        .endMetadata()
                        .build())
                .create();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private static ChartReference kmod(String url) {
        ChartRepository repository = new ChartRepository();
        repository.setName("test");
        repository.setUrl(url);
        ChartReference reference = new ChartReference();
        reference.setName("kmod");
        reference.setVersion("0.1.0");
        reference.setRepository(repository);
        return reference;
    }

    private static ChartFetcher.Fetched fetch(KubernetesClient client, ChartReference reference) throws IOException {
        String scheme = URI.create(
                        Objects.requireNonNull(reference.getRepository()).getUrl())
                .getScheme();
        return Objects.requireNonNull(ChartSources.create(client, new HttpClients(OutgoingGate.open()))
                        .get(scheme))
                .fetch(reference);
    }

    /** One file, as tar and gzip have it: header of 512 bytes, content filled up to 512, two empty blocks. */
    private static byte[] archive() throws IOException {
        byte[] content = "apiVersion: v2\nname: kmod\nversion: 0.1.0\n".getBytes(StandardCharsets.UTF_8);
        byte[] header = new byte[512];
        put(header, 0, "kmod/Chart.yaml");
        put(header, 100, "0000644\0");
        put(header, 124, String.format("%011o", content.length));
        put(header, 148, "        ");
        put(header, 156, "0");
        put(header, 257, "ustar\00000");
        int sum = 0;
        for (byte one : header) {
            sum += one;
        }
        put(header, 148, String.format("%06o\0 ", sum));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(header);
            out.write(Arrays.copyOf(content, 512));
            out.write(new byte[1024]);
        }
        return bytes.toByteArray();
    }

    private static void put(byte[] block, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }

    private void createConfigMap() throws IOException {
        cluster.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("ns")
                        .withName("charts")
                        .endMetadata()
                        .withData(Map.of("index.yaml", INDEX))
                        .withBinaryData(
                                Map.of("kmod-0.1.0.tgz", Base64.getEncoder().encodeToString(archive())))
                        .build())
                .create();
    }

    @Test
    void everySchemeThatTheOriginalHadIsThere() {
        assertThat(ChartSources.create(cluster.client(), new HttpClients(OutgoingGate.open())))
                .containsOnlyKeys("file", "http", "https", "oci", "cm", "configmap");
    }

    @Test
    void aChartComesOutOfAConfigMap() throws IOException {
        createConfigMap();
        assertThat(fetch(cluster.client(), kmod("cm://ns/charts")).chart().label())
                .isEqualTo("kmod 0.1.0");
        assertThat(fetch(cluster.client(), kmod("configmap://ns/charts"))
                        .chart()
                        .label())
                .isEqualTo("kmod 0.1.0");
        assertThat(catchThrowableOfType(ChartException.class, () -> fetch(cluster.client(), kmod("cm://ns/other")))
                        .problem()
                        .message())
                .contains("no ConfigMap other in namespace ns");
    }

    @Test
    void whoMayNotReadTheConfigMapIsToldWhatToGrant() throws IOException {
        createConfigMap();
        KubernetesClient nobody = cluster.newClient(
                new ConfigBuilder().withImpersonateUsername("nobody").build());
        assertThatThrownBy(() -> fetch(nobody, kmod("cm://ns/charts")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("configmaps \"charts\" in namespace ns may not be read")
                .hasMessageContaining("the verb get");
    }

    @Test
    void theLoginComesOutOfASecret() throws IOException {
        cluster.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace("ns")
                        .withName("login")
                        .endMetadata()
                        .withStringData(Map.of("username", "user", "password", "geheim"))
                        .build())
                .create();
        List<String> seen = new CopyOnWriteArrayList<>();
        byte[] archive = archive();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            seen.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            boolean index = exchange.getRequestURI().getPath().endsWith("index.yaml");
            byte[] body = index ? INDEX.getBytes(StandardCharsets.UTF_8) : archive;
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            ChartReference reference =
                    kmod("http://localhost:" + server.getAddress().getPort());
            CredentialsSecret secret = new CredentialsSecret();
            secret.setNamespace("ns");
            secret.setName("login");
            Objects.requireNonNull(reference.getRepository()).setCredentialsSecret(secret);
            assertThat(fetch(cluster.client(), reference).chart().label()).isEqualTo("kmod 0.1.0");
            assertThat(seen).containsExactly("Basic dXNlcjpnZWhlaW0=", "Basic dXNlcjpnZWhlaW0=");
        } finally {
            server.stop(0);
        }
    }
}
