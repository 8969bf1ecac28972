package dev.sro.testkit.preflight;

import static dev.sro.testkit.preflight.FakeRegistry.DOCKER_LIST;
import static dev.sro.testkit.preflight.FakeRegistry.DOCKER_MANIFEST;
import static dev.sro.testkit.preflight.FakeRegistry.OCI_INDEX;
import static dev.sro.testkit.preflight.FakeRegistry.OCI_MANIFEST;
import static dev.sro.testkit.preflight.FakeRegistry.gzip;
import static dev.sro.testkit.preflight.FakeRegistry.layer;
import static dev.sro.testkit.preflight.FakeRegistry.toolkit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.driver.RegistrySecurity;
import dev.sro.core.image.Image;
import dev.sro.core.image.ImageException;
import dev.sro.core.image.Images;
import dev.sro.core.image.Mirrors;
import dev.sro.core.image.PullSecrets;
import dev.sro.core.image.RegistrySettings;
import dev.sro.core.image.ReleasePayload;
import dev.sro.core.image.ToolkitRelease;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.core.recipe.source.Registries;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Images in a registry over HTTP. */
class ImagesTest {
    private static final String K1 = "4.18.0-305.45.1.el8_4.x86_64";
    private static final String K2 = "4.18.0-305.40.2.el8_4.x86_64";
    private static final byte[] OTHER = gzip(layer(Map.of("etc/passwd", "root")));

    private final Images images =
            new Images(new Registries(new HttpClients(OutgoingGate.open()), Duration.ofSeconds(10)));
    private FakeRegistry registry;
    private FakeRegistry mirror;

    @BeforeEach
    void start() throws IOException {
        registry = new FakeRegistry();
        mirror = new FakeRegistry();
    }

    @AfterEach
    void stop() {
        registry.close();
        mirror.close();
    }

    private static byte[] toolkitLayer(String kernel) {
        return gzip(layer(toolkit(kernel, "", "8.4")));
    }

    private String kernel(String image, RegistrySettings settings) throws IOException {
        Image opened = images.open(image, "amd64", settings);
        return ToolkitRelease.parse(opened.file(ToolkitRelease.PATH).orElseThrow(), "amd64")
                .kernel();
    }

    private String kernel(String image) throws IOException {
        return kernel(image, RegistrySettings.NONE);
    }

    private RegistrySettings mirrors(String toml, String logins) {
        return new RegistrySettings(
                Mirrors.parse("registries.conf", toml), PullSecrets.parse("Secret ns/pull", logins), "hint", Map.of());
    }

    @Test
    void aRegistryWithoutEncryptionSaysItselfThatThereIsNoSuchImage() {
        assertThatThrownBy(() -> images.open(
                        registry.host() + "/team/driver:v1", "amd64", RegistrySettings.NONE, RegistrySecurity.PLAIN))
                .isInstanceOfSatisfying(
                        ImageException.class,
                        missing -> assertThat(missing.kind()).isEqualTo(ImageException.Kind.NOT_FOUND))
                .hasMessageContaining("HTTP 404")
                .hasMessageNotContaining("https://");
    }

    @ParameterizedTest
    @CsvSource({OCI_MANIFEST + "," + OCI_INDEX, DOCKER_MANIFEST + "," + DOCKER_LIST, "'',''"})
    void readsImagesAndListsOfThem(String manifest, String list) throws IOException {
        String one = registry.push("team/driver", "v1", manifest, OTHER, toolkitLayer(K1));
        String arm = registry.push("team/driver", "arm", manifest, OTHER);
        registry.pushList("team/driver", "all", list, Map.of("arm64", arm, "amd64", one));

        assertThat(kernel(registry.host() + "/team/driver:v1")).isEqualTo(K1);
        assertThat(kernel(registry.host() + "/team/driver:all")).isEqualTo(K1);
        assertThat(kernel(registry.host() + "/team/driver@" + one)).isEqualTo(K1);
        assertThat(images.open(registry.host() + "/team/driver:all", "arm64", RegistrySettings.NONE)
                        .digest())
                .isEqualTo(arm);
        assertThatThrownBy(() -> images.open(registry.host() + "/team/driver:all", "s390x", RegistrySettings.NONE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("linux/s390x");
    }

    @Test
    void theTopmostLayerCountsAndLayersBelowAreNotRead() throws IOException {
        byte[] bottom = toolkitLayer(K2);
        registry.push("driver", "v1", OCI_MANIFEST, bottom, toolkitLayer(K1), OTHER);

        Image image = images.open(registry.host() + "/driver:v1", "amd64", RegistrySettings.NONE);

        assertThat(image.file(ToolkitRelease.PATH)).hasValueSatisfying(found -> {
            assertThat(found.content()).contains(K1);
            assertThat(found.layer()).isEqualTo(FakeRegistry.digest(toolkitLayer(K1)));
        });
        assertThat(registry.requests).noneMatch(path -> path.contains(FakeRegistry.digest(bottom)));
    }

    @ParameterizedTest
    @CsvSource({"etc/.wh.driver-toolkit-release.json", ".wh.etc", "etc/.wh..wh..opq", "./.wh..wh..opq"})
    void whatALayerTakesAwayIsNotThere(String whiteout) throws IOException {
        registry.push("driver", "v1", OCI_MANIFEST, toolkitLayer(K1), gzip(layer(Map.of(whiteout, ""))));

        assertThat(images.open(registry.host() + "/driver:v1", "amd64", RegistrySettings.NONE)
                        .file(ToolkitRelease.PATH))
                .isEmpty();
    }

    @Test
    void aLayerIsReadOnce() throws IOException {
        registry.push("driver", "v1", OCI_MANIFEST, toolkitLayer(K1));
        kernel(registry.host() + "/driver:v1");
        registry.requests.clear();

        assertThat(kernel(registry.host() + "/driver:v1")).isEqualTo(K1);
        assertThat(registry.requests).containsExactly("/v2/driver/manifests/v1");
    }

    @Test
    void layersNeedNotBeCompressedAndADamagedOneIsNamed() throws IOException {
        registry.push("driver", "plain", OCI_MANIFEST, layer(toolkit(K1, "", "")));
        registry.push("driver", "zstd", OCI_MANIFEST, new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, 0});

        assertThat(kernel(registry.host() + "/driver:plain")).isEqualTo(K1);
        assertThatThrownBy(() -> kernel(registry.host() + "/driver:zstd"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("driver:zstd cannot be read")
                .hasMessageContaining("layer sha256:");
    }

    @Test
    void aLayerThatIsAnotherOneIsRefused() throws IOException {
        byte[] layer = toolkitLayer(K1);
        registry.manifest("driver", "v1", """
            {"schemaVersion": 2, "layers": [{"digest": "%s"}]}
            """.formatted("sha256:" + "0".repeat(64)));
        registry.push("driver", "v2", OCI_MANIFEST, layer);
        registry.replace("/v2/driver/blobs/" + FakeRegistry.digest(layer), toolkitLayer(K2));

        assertThatThrownBy(() -> kernel(registry.host() + "/driver:v2"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was changed on the way");
        assertThatThrownBy(() -> kernel(registry.host() + "/driver:v1"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("HTTP 404");
    }

    @Test
    void whatIsNoImageIsRefused() {
        registry.manifest("driver", "old", "{\"schemaVersion\": 1, \"fsLayers\": []}");
        registry.manifest("driver", "chart", "{\"mediaType\": \"application/vnd.example+json\"}");

        assertThatThrownBy(() -> kernel(registry.host() + "/driver:old")).hasMessageContaining("schema 1");
        assertThatThrownBy(() -> kernel(registry.host() + "/driver:chart"))
                .hasMessageContaining("application/vnd.example");
        assertThatThrownBy(() -> kernel(registry.host() + "/driver:none")).hasMessageContaining("HTTP 404");
        assertThatThrownBy(() -> kernel("UPPER/Case")).hasMessageContaining("is no image");
    }

    private String mirrored(String more) {
        return """
            [[registry]]
              prefix = "registry.example.com/team"
              location = "%s/team"
              [[registry.mirror]]
                location = "%s/gone"
              [[registry.mirror]]
                location = "%s/copies"
                %s
            """.formatted(registry.host(), mirror.host(), mirror.host(), more);
    }

    @Test
    void allMirrorsAreAskedInTheirOrderAndTheRegistryInTheEnd() throws IOException {
        mirror.push("copies/driver", "v1", OCI_MANIFEST, toolkitLayer(K1));
        registry.push("team/driver", "v1", OCI_MANIFEST, toolkitLayer(K2));
        registry.push("team/driver", "v2", OCI_MANIFEST, toolkitLayer(K2));
        RegistrySettings settings = mirrors(mirrored(""), "{}");

        assertThat(kernel("registry.example.com/team/driver:v1", settings)).isEqualTo(K1);
        assertThat(mirror.requests).startsWith("/v2/gone/driver/manifests/v1", "/v2/copies/driver/manifests/v1");
        assertThat(registry.requests).isEmpty();
        assertThat(kernel("registry.example.com/team/driver:v2", settings)).isEqualTo(K2);
    }

    @Test
    void aMirrorForDigestsIsNotAskedForTags() throws IOException {
        String digest = mirror.push("copies/driver", "v1", OCI_MANIFEST, toolkitLayer(K1));
        registry.push("team/driver", "v1", OCI_MANIFEST, toolkitLayer(K2));
        RegistrySettings settings = mirrors(mirrored("pull-from-mirror = \"digest-only\""), "{}");

        assertThat(kernel("registry.example.com/team/driver:v1", settings)).isEqualTo(K2);
        assertThat(kernel("registry.example.com/team/driver@" + digest, settings))
                .isEqualTo(K1);
    }

    @Test
    void aLayerThatTheMirrorDoesNotHaveComesFromTheRegistry() throws IOException {
        byte[] layer = toolkitLayer(K1);
        String digest = mirror.push("copies/driver", "v1", OCI_MANIFEST, layer);
        registry.push("team/driver", "v1", OCI_MANIFEST, layer);
        mirror.lose(FakeRegistry.digest(layer));

        assertThat(kernel("registry.example.com/team/driver@" + digest, mirrors(mirrored(""), "{}")))
                .isEqualTo(K1);
    }

    @Test
    void theLoginIsThatOfTheMirror() throws IOException {
        mirror.push("copies/driver", "v1", OCI_MANIFEST, toolkitLayer(K1));
        mirror.require("Basic dXNlcjpnZWhlaW0=");
        String logins = """
            {"auths": {"registry.example.com": {"auth": "YTpi"}, "%s/copies": {"auth": "dXNlcjpnZWhlaW0="}}}
            """.formatted(mirror.host());

        assertThat(kernel("registry.example.com/team/driver:v1", mirrors(mirrored(""), logins)))
                .isEqualTo(K1);
        assertThatThrownBy(() -> kernel("registry.example.com/team/driver:v1", mirrors(mirrored(""), "{}")))
                .hasMessageContaining("HTTP 401")
                .hasMessageContaining("hint")
                .hasMessageNotContaining("geheim");
    }

    @Test
    void readsAReleasePayload() throws IOException {
        String release = registry.release("4.12.3", K1, "4.18.0-305.45.1.rt7.117.el8_4.x86_64", "8.4");

        ReleasePayload payload = ReleasePayload.read(images.open(release, "amd64", RegistrySettings.NONE));

        assertThat(payload.version()).isEqualTo("4.12.3");
        assertThat(kernel(payload.driverToolkit())).isEqualTo(K1);
        registry.push("other", "v1", OCI_MANIFEST, OTHER);
        assertThatThrownBy(() ->
                        ReleasePayload.read(images.open(registry.host() + "/other:v1", "amd64", RegistrySettings.NONE)))
                .hasMessageContaining("is no release image of OpenShift");
    }
}
