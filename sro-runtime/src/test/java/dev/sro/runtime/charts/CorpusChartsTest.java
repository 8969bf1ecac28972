package dev.sro.runtime.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.chart.HelmRenderer;
import dev.sro.core.recipe.source.FileCharts;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Special resources of the Special Resource Operator with their charts, as published: nothing of them is changed but the address
 * of the chart.
 */
@EnabledIf(value = "corpusIsHere", disabledReason = "no corpus here: set SRO_CORPUS to the folder that has charts/")
class CorpusChartsTest {
    private static final Duration LIMIT = Duration.ofMinutes(30);

    /** Its process, which takes a second to start, is the same for all. */
    private static final HelmRenderer RENDERER = new HelmRenderer();

    private final SroSandbox sandbox = SroSandbox.create(true, Plugins.of());

    static boolean corpusIsHere() {
        return corpus().isPresent();
    }

    static Optional<Path> corpus() {
        String given = System.getProperty("sro.corpus", System.getenv("SRO_CORPUS"));
        Path place = given != null && !given.isEmpty()
                ? Path.of(given)
                : Path.of("").toAbsolutePath().resolveSibling("shared").resolve("corpus");
        return Optional.of(place).filter(found -> Files.isDirectory(found.resolve("charts")));
    }

    @BeforeEach
    void operatorWithCharts() {
        sandbox.kill();
        sandbox.charts(Map.of("file", new FileCharts(new ChartLoader())), RENDERER);
        sandbox.start();
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    @AfterAll
    static void closeRenderer() {
        RENDERER.close();
    }

    @ParameterizedTest
    @CsvSource({
        "simple-kmod-2021, 1",
        "simple-kmod-2021, 2",
        "simple-kmod-2021, 5",
        "simple-kmod-4.10, 1",
        "simple-kmod-4.10, 2",
        "simple-kmod-4.10, 5",
        "simple-kmod-4.12, 1",
        "simple-kmod-4.12, 2",
        "simple-kmod-4.12, 5"
    })
    void getsReady(String folder, int kernels) throws IOException {
        Path chart = corpus().orElseThrow().resolve("charts").resolve(folder);
        NodeProfile node = NodeProfile.of(OsRelease.RHCOS_8).withRole("worker");
        IntStream.range(0, kernels)
                .forEach(i -> sandbox.nodes()
                        .create("node-" + i, node.withKernel("4.18.0-305." + (19 + i) + ".1.el8_4.x86_64")));
        sandbox.run(Duration.ofMinutes(2));

        sandbox.apply(resource(chart));

        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("simple-kmod")))
                .as(() -> sandbox.state("simple-kmod"))
                .isTrue();
        assertThat(sandbox.client()
                        .apps()
                        .daemonSets()
                        .inNamespace("simple-kmod")
                        .list()
                        .getItems())
                .hasSize(kernels);
        assertThat(sandbox.simulation().registry().pushes()).hasSize(kernels);
        sandbox.run(Duration.ofMinutes(1));
        sandbox.cluster().recording().start();
        sandbox.run(Duration.ofHours(2));
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(e -> e.userAgent().equals("sro") && !e.verb().equals("watch")))
                .as("requests when nothing changes")
                .isEmpty();
        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(5));
        assertThat(sandbox.cluster().recording().entries(e -> e.userAgent().equals("sro") && e.isWrite()))
                .as("writes after a restart")
                .isEmpty();
    }

    /** What OpenShift makes in each namespace: the recipe mounts the secret, and an API server refuses a volume without its name. */
    private void pushSecret(String namespace) {
        sandbox.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        sandbox.client()
                .resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("builder")
                        .endMetadata()
                        .addNewImagePullSecret("builder-dockercfg-7x2kp")
                        .build())
                .create();
    }

    /** Pods that run to their end, one for each kernel, and wait for text in their logs. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void driverContainerBaseGetsReadyWhenTheLogsSaySo(int kernels) throws IOException {
        Path chart = corpus().orElseThrow().resolve("charts").resolve("driver-container-base");
        NodeProfile node = NodeProfile.of(OsRelease.RHCOS_8).withRole("worker");
        IntStream.range(0, kernels)
                .forEach(i -> sandbox.nodes()
                        .create("node-" + i, node.withKernel("4.18.0-305." + (19 + i) + ".1.el8_4.x86_64")));
        sandbox.simulation()
                .behaviors()
                .add(Behavior.succeedAfter(Duration.ofMinutes(1)).image("*ubi8*"));
        pushSecret("driver-container-base");
        sandbox.run(Duration.ofMinutes(2));

        sandbox.apply(resource(chart));
        sandbox.run(Duration.ofMinutes(10));
        assertThat(sandbox.state("driver-container-base")).contains("does not match touch /tmp/ready");

        sandbox.simulation().logs().image("*ubi8*", "+ buildah push\n+ touch /tmp/ready\n");
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("driver-container-base")))
                .as(() -> sandbox.state("driver-container-base"))
                .isTrue();
        assertThat(sandbox.client()
                        .pods()
                        .inNamespace("driver-container-base")
                        .list()
                        .getItems())
                .hasSize(kernels);
    }

    /** Builds by Shipwright, and templates that are not made for one kernel. It was published without a special resource. */
    @Test
    void centosSimpleKmodGetsReady() {
        sandbox.serve("shipwright.io", "v1alpha1", "Build", "builds", true);
        sandbox.serve("shipwright.io", "v1alpha1", "BuildRun", "buildruns", true);
        sandbox.nodes()
                .create(
                        "one",
                        NodeProfile.of(OsRelease.RHCOS_8)
                                .withRole("worker")
                                .withLabel("node-role.kubernetes.io/node", ""));
        Path chart = corpus().orElseThrow().resolve("charts").resolve("centos-simple-kmod");

        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: centos-simple-kmod}
            spec:
              namespace: centos-simple-kmod
              chart: {name: centos-simple-kmod, version: %s, repository: {name: example, url: "%s"}}
              set:
                apiVersion: sro.openshift.io/v1beta1
                kind: Values
                pull_secret_creds: eyJhdXRocyI6e319
                image_repo: quay.example.com/centos8-simple-kmod
              driverContainer: {source: {git: {ref: main, uri: "https://git.example.com/kmod.git"}}}
            """.formatted(version(chart), chart.toUri()));

        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("centos-simple-kmod")))
                .as(() -> sandbox.state("centos-simple-kmod"))
                .isTrue();
        assertThat(sandbox.client()
                        .genericKubernetesResources("shipwright.io/v1alpha1", "BuildRun")
                        .inNamespace("centos-simple-kmod")
                        .list()
                        .getItems())
                .singleElement()
                .satisfies(run ->
                        assertThat(run.getMetadata().getName()).isEqualTo("centos-simple-kmod-driver-container"));
    }

    private static String version(Path chart) {
        return new ChartLoader()
                .fromDirectory(String.valueOf(chart.getFileName()), chart)
                .metadata()
                .version();
    }

    /** Its dependency has no {@code chart}. */
    @Test
    void theInvalidOneIsRefusedByItsFieldAndNothingOfItIsMade() throws IOException {
        Path chart = corpus().orElseThrow().resolve("charts").resolve("invalid-simple-kmod-build-v2");
        sandbox.nodes().create("one", NodeProfile.of(OsRelease.RHCOS_8).withRole("worker"));

        // As "kubectl create" does: the API server drops fields that it does not know.
        GenericKubernetesResource invalid = sandbox.client()
                .getKubernetesSerialization()
                .unmarshal(
                        Files.readString(chart.resolve("simple-kmod.yaml"))
                                .replace("url: file:///charts/example", "url: " + chart.toUri()),
                        GenericKubernetesResource.class);
        sandbox.client()
                .genericKubernetesResources(invalid.getApiVersion(), invalid.getKind())
                .resource(invalid)
                .create();
        sandbox.run(Duration.ofMinutes(10));

        assertThat(sandbox.state("simple-kmod")).startsWith("Errored:").contains("spec.dependencies[0]", "chart");
        assertThat(sandbox.client().namespaces().withName("simple-kmod").get()).isNull();
    }

    private static String resource(Path chart) throws IOException {
        String name = chart.getFileName().toString().startsWith("simple-kmod")
                ? "simple-kmod"
                : chart.getFileName().toString();
        String yaml = Files.readString(chart.resolve(name + ".yaml"));
        String url = Matcher.quoteReplacement("url: \"" + chart.toUri() + "\"");
        String changed = yaml.replaceAll("url: (file|cm):\\S+", url);
        assertThat(changed).isNotEqualTo(yaml);
        return changed;
    }
}
