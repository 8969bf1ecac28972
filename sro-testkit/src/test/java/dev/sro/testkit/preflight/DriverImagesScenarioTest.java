package dev.sro.testkit.preflight;

import static dev.sro.testkit.preflight.FakeRegistry.OCI_INDEX;
import static dev.sro.testkit.preflight.FakeRegistry.OCI_MANIFEST;
import static dev.sro.testkit.preflight.FakeRegistry.gzip;
import static dev.sro.testkit.preflight.FakeRegistry.layer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.ImageResolver;
import dev.sro.api.resource.PoolStatus;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.image.Images;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.source.FileCharts;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.core.recipe.source.Registries;
import dev.sro.testkit.charts.PathRenderer;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which image a pool's driver gets, with the operator and a registry over HTTP. */
class DriverImagesScenarioTest {
    private static final String OLD = "5.15.0-91-generic";
    private static final String NEW = "5.15.0-94-generic";
    private static final byte[] CONTENT = gzip(layer(Map.of("etc/passwd", "root")));

    private static final String SETTINGS = """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: settings}
        """;

    private static final String DRIVER = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata:
          name: driver
          annotations: {specialresource.openshift.io/kernel-affine: "true"}
        spec:
          selector: {matchLabels: {app: driver}}
          template:
            metadata: {labels: {app: driver}}
            spec:
              containers:
              - {name: driver, image: "${driverImage}"}
        """;

    /** As somebody else made it: it names an image of its own. */
    private static final String UNMODIFIED = DRIVER.replace("${driverImage}", "example.com/other:1")
            .replace("kernel-affine: \"true\"", "kernel-affine: \"true\", sro.dev/use-driver-image: driver");

    /** Its second state is what spec.plugin.config.yaml has; its first one needs no image. */
    private static class TextPlugin implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("text", "1.0.0", "Test Vendor");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            String yaml = String.valueOf(context.config().get("yaml"));
            return StateGraph.chain(
                    State.of("0000-settings", ManifestTemplate.text("settings.yaml", SETTINGS)),
                    State.builder()
                            .id("1000-driver")
                            .perNode(true)
                            .addManifests(ManifestTemplate.text("driver.yaml", yaml))
                            .build());
        }
    }

    /** Says itself which images there are: those of {@code spec.plugin.config.images}. */
    private static final class ImagesPlugin extends TextPlugin implements ImageResolver {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("images", "1.0.0", "Test Vendor");
        }

        @Override
        public ImageCandidates images(RecipeContext context, Pool pool) {
            ImageCandidates.Builder candidates = ImageCandidates.builder();
            for (Object image :
                    (List<?>) Objects.requireNonNull(context.config().get("images"))) {
                candidates.addCandidates(ImageCandidate.of(
                        ImageCandidate.Kind.PREBUILT,
                        String.valueOf(image).replace("KERNEL", pool.kernel().normalized())));
            }
            return candidates.build();
        }
    }

    @TempDir
    private Path folder;

    private final SroSandbox sandbox = SroSandbox.create(new TextPlugin(), new ImagesPlugin());
    private FakeRegistry registry;

    @BeforeEach
    void start() throws IOException {
        registry = new FakeRegistry();
        sandbox.kill();
        sandbox.preflights(
                new Images(new Registries(new HttpClients(builder -> builder), Duration.ofSeconds(10))),
                folder.resolve("registries.conf"));
        node("one", OLD);
        sandbox.run(Duration.ofMinutes(1));
        sandbox.start();
    }

    @AfterEach
    void stop() {
        sandbox.close();
        registry.close();
    }

    private void node(String name, String kernel) {
        sandbox.nodes().create(name, NodeProfile.of(OsRelease.UBUNTU_22).withKernel(kernel));
    }

    private void apply(String driver, String yaml) {
        apply("text", "driver: {" + driver + "}", "yaml: |\n" + yaml.indent(6));
    }

    private void apply(String plugin, String more, String config) {
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: acme}
            spec:
              namespace: acme
              %s
              plugin:
                name: %s
                config:
            %s
            """.formatted(more, plugin, config.indent(6)));
        sandbox.settle();
    }

    private void image(String tag) {
        registry.push("acme/driver", tag, OCI_MANIFEST, CONTENT);
    }

    private String named(String tag) {
        return registry.host() + "/acme/driver:" + tag;
    }

    private void byKernel() {
        apply("containerImage: \"" + named("${KERNEL_FULL_VERSION}") + "\"", DRIVER);
    }

    private List<String> images() {
        return sandbox.client().apps().daemonSets().inNamespace("acme").list().getItems().stream()
                .map(DriverImagesScenarioTest::image)
                .sorted()
                .toList();
    }

    private static String image(DaemonSet daemonSet) {
        return daemonSet
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0)
                .getImage();
    }

    private PoolStatus pool(String kernel) {
        SpecialResource resource = sandbox.get("acme").orElseThrow();
        return Objects.requireNonNull(resource.getStatus()).getPools().stream()
                .filter(pool -> kernel.equals(pool.getKernel()))
                .findFirst()
                .orElseThrow();
    }

    /** An hour in which nobody is asked anything. */
    private void idle() {
        sandbox.run(Duration.ofMinutes(10));
        Recording recording = sandbox.cluster().recording();
        recording.start();
        int asked = registry.requests.size();
        sandbox.run(Duration.ofHours(1));
        assertThat(recording.entries(entry -> String.valueOf(entry).contains("acme")))
                .isEmpty();
        assertThat(registry.requests).hasSize(asked);
        recording.stop();
    }

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
