package dev.sro.testkit.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.source.FileCharts;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The life of a special resource whose recipe is a chart of the Special Resource Operator's kind, on OpenShift. */
class ChartScenarioTest {
    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final String IMAGES = "image-registry.openshift-image-registry.svc:5000/example-kmod/example-kmod:v";

    /** K1 and K2 of RHEL CoreOS 8.4, with the suffixes that the original gave to their objects. */
    private static final String K1 = "4.18.0-305.45.1.el8_4.x86_64";

    private static final String K1_HASH = "b657a71de7fad62f";
    private static final String K2 = "4.18.0-305.40.2.el8_4.x86_64";
    private static final String K2_HASH = "e383247e62b56585";

    private static final NodeProfile NODE =
            NodeProfile.of(OsRelease.RHCOS_8).withKernel(K1).withRole("worker");

    private final PathRenderer renderer = new PathRenderer();
    private final SroSandbox sandbox = SroSandbox.create(true, Plugins.of());

    @BeforeEach
    void operatorWithCharts() {
        sandbox.kill();
        sandbox.charts(Map.of("file", new FileCharts(new ChartLoader())), renderer);
        sandbox.nodes().create("one", NODE);
        sandbox.nodes().create("two", NODE);
        sandbox.run(Duration.ofMinutes(2));
        sandbox.start();
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private static String resource(String name, String more) {
        Path charts = Path.of("src", "test", "resources", "dev", "sro", "testkit", "charts")
                .toAbsolutePath();
        return """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %s}
            spec:
              namespace: %s
              chart:
                name: example-kmod
                version: 0.1.0
                repository: {name: example, url: "%s"}
              driverContainer: {source: {git: {ref: main, uri: "https://git.example.com/kmod.git"}}}
              nodeSelector: {node-role.kubernetes.io/worker: ""}
            %s
            """.formatted(name, name, charts.toUri(), more.indent(2));
    }

    private void applyAndAwait() {
        sandbox.apply(resource("example-kmod", ""));
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("example-kmod")))
                .as(() -> "" + sandbox.get("example-kmod"))
                .isTrue();
    }

    private Set<String> names(Gvr type) {
        return sandbox.cluster().api().list(type).stream()
                .map(object -> object.at("/metadata/name").asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> builds() {
        return sandbox
                .client()
                .genericKubernetesResources("build.openshift.io/v1", "BuildConfig")
                .inAnyNamespace()
                .list()
                .getItems()
                .stream()
                .map(build -> build.getMetadata().getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void takesTheImageThatIsThere() {
        sandbox.simulation().registry().push(IMAGES + K1);

        applyAndAwait();

        assertThat(builds()).isEmpty();
        assertThat(names(Gvr.DAEMONSETS)).containsExactly("example-kmod-driver-container-" + K1_HASH);
    }

    @Test
    void buildsTheImageThatCannotBePulled() {
        applyAndAwait();

        assertThat(builds()).containsExactly("example-kmod-build-" + K1_HASH);
        assertThat(sandbox.simulation().registry().pushes()).containsExactly(IMAGES + K1);
    }

    @Test
    void waitsWithoutCallingItAFailureWhileTheImageIsBuilt() {
        sandbox.apply(resource("example-kmod", ""));
        sandbox.runUntil(LIMIT, () -> !builds().isEmpty());
        sandbox.run(Duration.ofSeconds(1));

        assertThat(condition("Degraded").orElseThrow().getStatus()).isEqualTo("False");
        assertThat(condition("Progressing").orElseThrow().getReason()).isEqualTo("BuildRunning");
    }

    @Test
    void eachKernelHasItsOwnBuild() {
        sandbox.simulation().registry().push(IMAGES + K1);
        sandbox.nodes().create("three", NODE.withKernel(K2));

        applyAndAwait();

        assertThat(builds()).containsExactly("example-kmod-build-" + K2_HASH);
        assertThat(names(Gvr.DAEMONSETS))
                .containsExactly(
                        "example-kmod-driver-container-" + K1_HASH, "example-kmod-driver-container-" + K2_HASH);
    }

    @Test
    void whatNoNodeNeedsAnyMoreGoes() {
        sandbox.nodes().create("three", NODE.withKernel(K2));
        applyAndAwait();

        sandbox.nodes().reboot("three", K1);
        sandbox.run(Duration.ofMinutes(10));

        assertThat(sandbox.isReady("example-kmod")).isTrue();
        assertThat(names(Gvr.DAEMONSETS)).containsExactly("example-kmod-driver-container-" + K1_HASH);
        assertThat(builds()).containsExactly("example-kmod-build-" + K1_HASH);
    }

    @Test
    void writesObjectsAsTheOriginalDid() {
        applyAndAwait();

        DaemonSet live = sandbox.client()
                .apps()
                .daemonSets()
                .inNamespace("example-kmod")
                .withName("example-kmod-driver-container-" + K1_HASH)
                .get();
        String name = live.getMetadata().getName();
        assertThat(live.getMetadata().getLabels())
                .containsEntry("app", name)
                .containsEntry("specialresource.openshift.io/owned", "true")
                .containsEntry("app.kubernetes.io/managed-by", "Helm");
        assertThat(live.getMetadata().getAnnotations())
                .containsEntry("meta.helm.sh/release-name", "example-kmod")
                .containsEntry("meta.helm.sh/release-namespace", "example-kmod");
        assertThat(live.getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getController()).isTrue());
        assertThat(live.getSpec().getSelector().getMatchLabels()).containsEntry("app", name);
        assertThat(live.getSpec().getTemplate().getMetadata().getLabels())
                .containsEntry("app", name)
                .containsEntry("tier", "driver")
                .containsEntry("specialresource.openshift.io/owned", "true");
        assertThat(live.getSpec().getTemplate().getSpec().getNodeSelector())
                .containsEntry("feature.node.kubernetes.io/kernel-version.full", K1)
                .containsEntry("node-role.kubernetes.io/worker", "");
    }

    @Test
    void labelsNodesStateByState() {
        applyAndAwait();

        assertThat(sandbox.client()
                        .nodes()
                        .withLabels(Map.of(
                                "specialresource.openshift.io/state-example-kmod-0000", "Ready",
                                "specialresource.openshift.io/state-example-kmod-1000", "Ready"))
                        .list()
                        .getItems())
                .hasSize(2);
    }

    @Test
    void containersGetTheProxyOfTheClusterAndKeepTheirOwn() {
        sandbox.client().resource("""
            apiVersion: config.openshift.io/v1
            kind: Proxy
            metadata: {name: cluster}
            spec: {httpProxy: "http://proxy:3128", httpsProxy: "http://proxy:3128", noProxy: ".cluster.local"}
            """).create();
        applyAndAwait();

        Container driver = sandbox.client()
                .apps()
                .daemonSets()
                .inNamespace("example-kmod")
                .list()
                .getItems()
                .get(0)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0);
        assertThat(driver.getEnv())
                .extracting(EnvVar::getName, EnvVar::getValue)
                .containsExactly(
                        tuple("HTTPS_PROXY", "http://own.example.com:3128"),
                        tuple("HTTP_PROXY", "http://proxy:3128"),
                        tuple("NO_PROXY", ".cluster.local"));
    }

    @Test
    void makesNoRequestAndRendersNothingWhenNothingChanges() {
        applyAndAwait();
        sandbox.run(Duration.ofSeconds(10));
        int renders = renderer.renders();
        sandbox.cluster().recording().start();

        sandbox.run(Duration.ofHours(2));

        List<Recording.Entry> requests = sandbox.cluster()
                .recording()
                .entries(e -> e.userAgent().equals("sro") && !e.verb().equals("watch"));
        assertThat(requests).isEmpty();
        assertThat(renderer.renders()).isEqualTo(renders);
    }

    @Test
    void writesNothingAfterARestart() {
        applyAndAwait();
        sandbox.run(Duration.ofSeconds(10));
        sandbox.kill();
        sandbox.cluster().recording().start();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(5));

        assertThat(sandbox.cluster().recording().entries(e -> e.userAgent().equals("sro") && e.isWrite()))
                .isEmpty();
    }

    @Test
    void saysWhatIsWrongWithTheReference() {
        sandbox.apply(
                resource("example-kmod", "").replace("name: example-kmod\n    version", "name: other\n    version"));
        sandbox.run(Duration.ofMinutes(1));

        assertThat(condition("Degraded").orElseThrow())
                .satisfies(degraded -> assertThat(degraded.getReason()).isEqualTo("ChartNotFound"))
                .satisfies(degraded -> assertThat(degraded.getMessage()).contains("spec.chart", "other 0.1.0"));
    }

    @Test
    void leavesNothingBehind() {
        applyAndAwait();
        sandbox.client()
                .resources(SpecialResource.class)
                .withName("example-kmod")
                .delete();

        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.get("example-kmod").isEmpty()))
                .isTrue();
        sandbox.run(Duration.ofMinutes(2));
        assertThat(sandbox.client().namespaces().withName("example-kmod").get()).isNull();
        assertThat(names(Gvr.DAEMONSETS)).isEmpty();
        assertThat(builds()).isEmpty();
    }

    @Test
    void definitionsComeFirstAndStay() {
        sandbox.apply(resource("example-kmod", "")
                .replace("name: example-kmod\n    version", "name: example-definition\n    version"));
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("example-kmod")))
                .as(() -> sandbox.state("example-kmod"))
                .isTrue();
        assertThat(sandbox.client()
                        .genericKubernetesResources("example.com/v1", "Thing")
                        .inNamespace("example-kmod")
                        .list()
                        .getItems())
                .hasSize(1);

        sandbox.client()
                .resources(SpecialResource.class)
                .withName("example-kmod")
                .delete();
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.get("example-kmod").isEmpty()))
                .isTrue();
        sandbox.run(Duration.ofMinutes(2));

        assertThat(sandbox.client().namespaces().withName("example-kmod").get()).isNull();
        assertThat(sandbox.client()
                        .apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName("things.example.com")
                        .get())
                .as("with it the objects of others would go")
                .isNotNull();
    }

    @Test
    void aDefinitionThatIsThereAlreadyIsLeftAsItIs() {
        sandbox.serve("example.com", "v1", "Thing", "things", true);
        String before = definition();

        sandbox.apply(resource("example-kmod", "")
                .replace("name: example-kmod\n    version", "name: example-definition\n    version"));
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("example-kmod")))
                .as(() -> sandbox.state("example-kmod"))
                .isTrue();
        sandbox.run(Duration.ofMinutes(5));
        sandbox.cluster().recording().start();
        sandbox.run(Duration.ofHours(1));

        assertThat(definition()).isEqualTo(before);
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(e -> e.userAgent().equals("sro") && !e.verb().equals("watch")))
                .isEmpty();
    }

    private String definition() {
        return sandbox.client()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("things.example.com")
                .get()
                .getMetadata()
                .getResourceVersion();
    }

    private Optional<Condition> condition(String type) {
        return sandbox.get("example-kmod").map(found -> found.getStatus()).stream()
                .filter(status -> status != null)
                .flatMap(status -> status.getConditions().stream())
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }
}
