package dev.sro.testkit.preflight;

import static dev.sro.testkit.preflight.FakeRegistry.OCI_MANIFEST;
import static dev.sro.testkit.preflight.FakeRegistry.gzip;
import static dev.sro.testkit.preflight.FakeRegistry.layer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.source.FileCharts;
import dev.sro.testkit.charts.PathRenderer;
import dev.sro.testkit.server.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Who may say which image a driver gets, and that a restart forgets none. */
class DriverImageSourcesScenarioTest extends DriverImagesWorld {
    @Test
    void digestsArePinnedWhereThatIsAskedFor() {
        String digest = registry.push("acme/driver", "1", OCI_MANIFEST, CONTENT);
        apply("pinDigest: true, containerImage: \"" + named("1") + "\"", DRIVER);
        sandbox.run(Duration.ofMinutes(1));
        assertThat(images()).containsExactly(registry.host() + "/acme/driver@" + digest);
        registry.push("acme/driver", "1", OCI_MANIFEST, gzip(layer(Map.of("etc/passwd", "other"))));
        idle();
        assertThat(images()).containsExactly(registry.host() + "/acme/driver@" + digest);
    }

    @Test
    void aRestartKeepsWhatRunsAndAsksNobody() {
        image(OLD);
        byKernel();
        sandbox.run(Duration.ofMinutes(2));
        registry.lose("/");
        int asked = registry.requests.size();
        sandbox.kill();
        sandbox.run(Duration.ofMinutes(1));
        Recording recording = sandbox.cluster().recording();
        recording.start();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(10));
        assertThat(recording.entries(Recording.Entry::isWrite)).isEmpty();
        assertThat(registry.requests).hasSize(asked);
        assertThat(images()).containsExactly(named(OLD));
        recording.stop();
    }

    @Test
    void aRestartWhileANewImageIsAwaitedKeepsTheOldOne() {
        image("1");
        apply("containerImage: \"" + named("1") + "\"", DRIVER);
        sandbox.run(Duration.ofMinutes(1));
        apply("containerImage: \"" + named("2") + "\"", DRIVER);
        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(6));
        assertThat(images()).containsExactly(named("1"));
        assertThat(pool(OLD).getDriverMessage()).contains(named("2"));
        image("2");
        sandbox.run(Duration.ofMinutes(6));
        assertThat(images()).containsExactly(named("2"));
    }

    @Test
    void aManifestOfOthersGetsTheImageByAnAnnotation() {
        image(OLD);
        apply("containerImage: \"" + named("${KERNEL_FULL_VERSION}") + "\"", UNMODIFIED);
        sandbox.run(Duration.ofMinutes(1));
        assertThat(images()).containsExactly(named(OLD));
    }

    @Test
    void withoutAMappingForItsKernelAPoolIsToldSo() {
        apply("containerImage: \"" + named("1") + "\", kernelMappings: [{regexp: \"^6[.]\"}]", DRIVER);
        assertThat(pool(OLD).getDriverReason()).isEqualTo("NoKernelMapping");
        assertThat(sandbox.state("acme"))
                .startsWith("Errored: ")
                .contains("spec.driver.kernelMappings")
                .contains(OLD);
        assertThat(registry.requests).isEmpty();
    }

    @Test
    void nobodySaysWhichImage() {
        apply("text", "nodeSelector: {}", "yaml: |\n" + UNMODIFIED.indent(6));
        assertThat(sandbox.state("acme")).startsWith("Errored: ").contains("spec.driver.containerImage");
    }

    @Test
    void aPluginSaysWhichImagesThereAreAndTheFirstThatExistsIsTaken() {
        image("second-" + OLD);
        String config = "images: [\"" + named("first-KERNEL") + "\", \"" + named("second-KERNEL") + "\"]\n"
                + "yaml: |\n" + DRIVER.indent(6);
        apply("images", "nodeSelector: {}", config);
        sandbox.run(Duration.ofMinutes(1));
        assertThat(images()).containsExactly(named("second-" + OLD));
        image("first-" + OLD);
        idle();
        assertThat(images()).as("nobody asked to look for a better one").containsExactly(named("second-" + OLD));

        apply("images", "driver: {pollEvery: 1m}", config);
        sandbox.run(Duration.ofMinutes(3));
        assertThat(images()).containsExactly(named("first-" + OLD));
        assertThat(Objects.requireNonNull(sandbox.get("acme").orElseThrow().getStatus())
                        .getConditions())
                .noneMatch(condition -> condition.getMessage().contains("ImageResolver"));
    }

    @Test
    void aChartGetsTheImageAsAValue() throws IOException {
        Path templates = Files.createDirectories(folder.resolve("acme").resolve("templates"));
        Files.writeString(folder.resolve("acme").resolve("Chart.yaml"), """
            apiVersion: v2
            name: acme
            version: 0.1.0
            """);
        Files.writeString(templates.resolve("0000-settings.yaml"), SETTINGS);
        Files.writeString(
                templates.resolve("1000-driver.yaml"),
                DRIVER.replace(
                                "  annotations: {specialresource.openshift.io/kernel-affine: \"true\"}",
                                "  annotations:\n    specialresource.openshift.io/kernel-affine: \"true\"")
                        .replace("${driverImage}", "{{ .Values.driverImage }}"));
        sandbox.kill();
        PathRenderer renderer = new PathRenderer();
        sandbox.charts(Map.of("file", new FileCharts(new ChartLoader())), renderer);
        sandbox.start();
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: acme}
            spec:
              namespace: acme
              chart:
                name: acme
                version: 0.1.0
                repository: {name: here, url: "%s"}
              driver:
                containerImage: "%s"
            """.formatted(folder.toUri(), named("${KERNEL_FULL_VERSION}")));
        sandbox.run(Duration.ofMinutes(1));
        assertThat(images()).isEmpty();
        assertThat(pool(OLD).getDriverReason()).as(sandbox.state("acme")).isEqualTo("WaitingForImage");
        int renders = renderer.renders();

        image(OLD);
        sandbox.run(Duration.ofMinutes(2));
        assertThat(images()).containsExactly(named(OLD));
        assertThat(sandbox.isReady("acme")).as(sandbox.state("acme")).isTrue();
        assertThat(renderer.renders())
                .as("another image is no reason to render")
                .isEqualTo(renders);
        idle();
    }
}
