package dev.sro.testkit.preflight;

import static dev.sro.testkit.preflight.FakeRegistry.OCI_INDEX;
import static dev.sro.testkit.preflight.FakeRegistry.OCI_MANIFEST;
import static dev.sro.testkit.preflight.FakeRegistry.gzip;
import static dev.sro.testkit.preflight.FakeRegistry.layer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.server.Recording;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which image a pool's driver gets, with the operator and a registry over HTTP. */
class DriverImagesScenarioTest extends DriverImagesWorld {
    @Test
    void anImageThatIsPushedLaterIsUsedAsSoonAsItIsThere() {
        byKernel();
        assertThat(images()).isEmpty();
        assertThat(pool(OLD).getDriverReason()).isEqualTo("WaitingForImage");
        assertThat(pool(OLD).getDriverMessage()).contains(named(OLD)).contains("HTTP 404");
        assertThat(sandbox.state("acme"))
                .startsWith("Progressing: 1000-driver: ")
                .contains(named(OLD));
        assertThat(sandbox.client()
                        .configMaps()
                        .inNamespace("acme")
                        .withName("settings")
                        .get())
                .as("what needs no image")
                .isNotNull();

        image(OLD);
        sandbox.run(Duration.ofMinutes(2));
        assertThat(images()).containsExactly(named(OLD));
        assertThat(sandbox.isReady("acme")).as(sandbox.state("acme")).isTrue();
        assertThat(pool(OLD).getDriverImage()).isEqualTo(named(OLD));
        assertThat(pool(OLD).getDriverReason()).isNull();
        idle();
    }

    @Test
    void aMissingImageIsLookedForLessAndLessOften() {
        byKernel();
        sandbox.run(Duration.ofMinutes(30));
        int before = registry.requests.size();
        Recording recording = sandbox.cluster().recording();
        recording.start();
        sandbox.run(Duration.ofHours(1));
        assertThat(registry.requests.size() - before).isBetween(11, 13);
        assertThat(recording.entries(entry -> String.valueOf(entry).contains("acme")))
                .as("the API server is asked nothing")
                .isEmpty();
        recording.stop();
    }

    @Test
    void pollEverySaysHowOften() {
        apply("pollEvery: 30s, containerImage: \"" + named("${KERNEL_FULL_VERSION}") + "\"", DRIVER);
        sandbox.run(Duration.ofMinutes(5));
        int before = registry.requests.size();
        sandbox.run(Duration.ofMinutes(10));
        assertThat(registry.requests.size() - before).isBetween(19, 21);
    }

    @Test
    void theOldImageIsKeptUntilTheNewOneExists() {
        image("1");
        image("2");
        apply("containerImage: \"" + named("1") + "\"", DRIVER);
        sandbox.run(Duration.ofMinutes(1));
        assertThat(images()).containsExactly(named("1"));

        apply("containerImage: \"" + named("3") + "\"", DRIVER);
        sandbox.run(Duration.ofMinutes(1));
        assertThat(images()).containsExactly(named("1"));
        assertThat(sandbox.isReady("acme")).as("what runs goes on").isTrue();
        assertThat(pool(OLD).getDriverImage()).isEqualTo(named("1"));
        assertThat(pool(OLD).getDriverReason()).isEqualTo("WaitingForImage");
        assertThat(pool(OLD).getDriverMessage()).contains(named("3"));

        image("3");
        sandbox.run(Duration.ofMinutes(6));
        assertThat(images()).containsExactly(named("3"));
        assertThat(pool(OLD).getDriverReason()).isNull();
        idle();
    }

    @Test
    void aPoolWithoutImageHoldsUpNoOther() {
        image(OLD);
        node("two", NEW);
        sandbox.run(Duration.ofMinutes(1));
        byKernel();
        sandbox.run(Duration.ofMinutes(1));
        assertThat(images()).containsExactly(named(OLD));
        assertThat(pool(OLD).getDriverImage()).isEqualTo(named(OLD));
        assertThat(pool(NEW).getDriverImage()).isNull();
        assertThat(pool(NEW).getDriverMessage()).contains(named(NEW));
        assertThat(label("one")).contains("Ready");
        assertThat(label("two")).isEmpty();
    }

    private Optional<String> label(String node) {
        return Optional.ofNullable(sandbox.client()
                .nodes()
                .withName(node)
                .get()
                .getMetadata()
                .getLabels()
                .get("specialresource.openshift.io/state-acme-1000"));
    }

    @Test
    void aRegistryThatWantsALoginIsToldApartAndGetsIt() {
        String login = "Basic " + Base64.getEncoder().encodeToString("me:secret".getBytes(StandardCharsets.UTF_8));
        registry.require(login);
        image(OLD);
        apply("pullSecrets: [{name: pull}], containerImage: \"" + named("${KERNEL_FULL_VERSION}") + "\"", DRIVER);
        assertThat(pool(OLD).getDriverReason()).isEqualTo("ImageAccessDenied");
        assertThat(pool(OLD).getDriverMessage()).contains("there is no Secret acme/pull");
        assertThat(sandbox.state("acme")).startsWith("Errored: ").doesNotContain("secret\"");

        String config = "{\"auths\": {\"" + registry.host() + "\": {\"username\": \"me\", \"password\": \"wrong\"}}}";
        secret(config);
        sandbox.run(Duration.ofMinutes(6));
        assertThat(pool(OLD).getDriverReason()).isEqualTo("ImageAccessDenied");
        assertThat(pool(OLD).getDriverMessage()).contains("HTTP 401").doesNotContain("wrong");

        secret(config.replace("wrong", "secret"));
        sandbox.run(Duration.ofMinutes(6));
        assertThat(images()).containsExactly(named(OLD));
        assertThat(sandbox.isReady("acme")).isTrue();
    }

    private void secret(String config) {
        sandbox.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("pull")
                        .withNamespace("acme")
                        .endMetadata()
                        .withType("kubernetes.io/dockerconfigjson")
                        .addToStringData(".dockerconfigjson", config)
                        .build())
                .serverSideApply();
        sandbox.client()
                .secrets()
                .inNamespace("acme")
                .withName("pull")
                .edit(found -> new SecretBuilder(found)
                        .withData(Map.of(
                                ".dockerconfigjson",
                                Base64.getEncoder().encodeToString(config.getBytes(StandardCharsets.UTF_8))))
                        .withStringData(null)
                        .build());
    }

    @Test
    void aRegistryWithoutAnswerIsToldApart() {
        apply("containerImage: \"localhost:1/acme/driver:1\"", DRIVER);
        assertThat(pool(OLD).getDriverReason()).isEqualTo("RegistryUnreachable");
        assertThat(sandbox.state("acme")).startsWith("Errored: ").contains("localhost:1/acme/driver:1");
    }

    @Test
    void anImageForAnotherArchitectureIsNone() {
        String arm = registry.push("acme/driver", "arm", OCI_MANIFEST, CONTENT);
        registry.pushList("acme/driver", OLD, OCI_INDEX, Map.of("arm64", arm));
        byKernel();
        assertThat(images()).isEmpty();
        assertThat(pool(OLD).getDriverReason()).isEqualTo("WaitingForImage");
        assertThat(pool(OLD).getDriverMessage())
                .contains("no image for linux/amd64")
                .contains("arm64");
    }

    @Test
    void anImageWithModulesOfAnotherKernelIsNoneWhereThatIsLookedAt() {
        registry.push(
                "acme/driver", "1", OCI_MANIFEST, gzip(layer(Map.of("opt/lib/modules/" + NEW + "/acme.ko", "x"))));
        apply("verifyKernel: true, containerImage: \"" + named("1") + "\"", DRIVER);
        assertThat(images()).isEmpty();
        assertThat(pool(OLD).getDriverMessage()).contains("it is for kernel " + NEW + " and not for " + OLD);

        registry.push(
                "acme/driver", "1", OCI_MANIFEST, gzip(layer(Map.of("opt/lib/modules/" + OLD + "/acme.ko", "x"))));
        sandbox.run(Duration.ofMinutes(6));
        assertThat(images()).containsExactly(named("1"));
    }

    @Test
    void mirrorsAreAskedFirst() throws IOException {
        Files.writeString(folder.resolve("registries.conf"), """
            [[registry]]
            location = "registry.example.com/acme"
            [[registry.mirror]]
            location = "%s/acme"
            """.formatted(registry.host()));
        image(OLD);
        apply("containerImage: \"registry.example.com/acme/driver:${KERNEL_FULL_VERSION}\"", DRIVER);
        sandbox.run(Duration.ofMinutes(1));
        assertThat(images()).containsExactly("registry.example.com/acme/driver:" + OLD);
        assertThat(sandbox.isReady("acme")).isTrue();
    }
}
