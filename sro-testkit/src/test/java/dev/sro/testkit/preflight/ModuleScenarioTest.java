package dev.sro.testkit.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.ModuleVersionStatus;
import dev.sro.api.resource.SpecialResourceModule;
import dev.sro.api.resource.SpecialResourceModuleStatus;
import dev.sro.core.image.Images;
import dev.sro.core.module.VersionResolver;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.source.FileCharts;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.core.recipe.source.Registries;
import dev.sro.core.recipe.source.WebTexts;
import dev.sro.testkit.charts.PathRenderer;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The life of a SpecialResourceModule on a hub, with a registry and an update service over HTTP. */
class ModuleScenarioTest {
    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final String K1 = "4.18.0-372.32.1.el8_6.x86_64";
    private static final String K2 = "4.18.0-372.40.1.el8_6.x86_64";
    private static final String CLUSTER = "cluster.open-cluster-management.io/v1";

    private final HttpClients clients = new HttpClients(OutgoingGate.open());
    private final Images images = new Images(new Registries(clients, Duration.ofSeconds(10)));
    private final PathRenderer renderer = new PathRenderer();
    private final SroSandbox sandbox = SroSandbox.create(true, Plugins.of());
    private FakeRegistry registry;

    @BeforeEach
    void start() throws IOException {
        registry = new FakeRegistry();
        String first = registry.release("4.12.3", K1, "", "8.6");
        String second = registry.release("4.12.9", K2, "", "8.6");
        registry.graph("stable-4.12", Map.of("4.12.3", first));
        registry.graph("fast-4.12", Map.of());
        registry.graph("candidate-4.12", Map.of("4.12.3", "gone.example.com/x", "4.12.9", second));
        sandbox.kill();
        sandbox.charts(Map.of("file", new FileCharts(new ChartLoader())), renderer);
        sandbox.modules(new VersionResolver(images, new WebTexts(clients, Duration.ofSeconds(10))::get));
        sandbox.serve("cluster.open-cluster-management.io", "v1", "ManagedCluster", "managedclusters", false);
        sandbox.nodes().create("hub", NodeProfile.of(OsRelease.RHCOS_8).withRole("worker"));
        sandbox.run(Duration.ofMinutes(1));
        sandbox.start();
    }

    @AfterEach
    void stop() {
        sandbox.close();
        registry.close();
    }

    private void cluster(String name, String version, String... labels) {
        GenericKubernetesResource cluster = sandbox.client()
                .getKubernetesSerialization()
                .unmarshal(
                        """
                        apiVersion: %s
                        kind: ManagedCluster
                        metadata: {name: %s, labels: {openshiftVersion: "%s"%s}}
                        spec:
                          clusterClaims:
                          - {name: id.k8s.io, value: "7"}
                          - {name: version.openshift.io, value: "%s"}
                        """.formatted(
                                        CLUSTER,
                                        name,
                                        version.contains("/") ? "" : version,
                                        labels.length == 0 ? "" : ", " + labels[0],
                                        version),
                        GenericKubernetesResource.class);
        sandbox.client().resource(cluster).serverSideApply();
    }

    private void module(String watch) {
        Path charts = Path.of("src", "test", "resources", "dev", "sro", "testkit", "charts")
                .toAbsolutePath();
        sandbox.client()
                .resource(sandbox.client()
                        .getKubernetesSerialization()
                        .unmarshal("""
                            apiVersion: sro.openshift.io/v1beta1
                            kind: SpecialResourceModule
                            metadata: {name: kmod}
                            spec:
                              namespace: kmod
                              chart:
                                name: example-module
                                version: 0.1.0
                                repository: {name: example, url: "%s"}
                              set: {kind: Values, apiVersion: sro.openshift.io/v1beta1, mine: yes-mine}
                              upgradeGraph: "http://%s/graph"
                              watch:
                              - %s
                            """.formatted(charts.toUri(), registry.host(), watch), SpecialResourceModule.class))
                .serverSideApply();
        sandbox.settle();
    }

    private void byLabel() {
        module("{apiVersion: " + CLUSTER + ", kind: ManagedCluster, path: $.metadata.labels.openshiftVersion}");
    }

    private SpecialResourceModule get() {
        return sandbox.client()
                .resources(SpecialResourceModule.class)
                .withName("kmod")
                .get();
    }

    private SpecialResourceModuleStatus status() {
        return Objects.requireNonNullElseGet(get().getStatus(), SpecialResourceModuleStatus::new);
    }

    private boolean isReady() {
        return status().getConditions().stream()
                .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
    }

    private Condition condition(String type) {
        return status().getConditions().stream()
                .filter(c -> c.getType().equals(type))
                .findFirst()
                .orElseThrow();
    }

    private void awaitReady() {
        assertThat(sandbox.runUntil(LIMIT, this::isReady))
                .as(() -> "" + status())
                .isTrue();
    }

    private Set<String> shipped() {
        return sandbox.client().configMaps().inNamespace("kmod").list().getItems().stream()
                .map(map -> map.getMetadata().getName())
                .filter(name -> name.startsWith("ship-"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private List<Recording.Entry> ours() {
        return sandbox.cluster()
                .recording()
                .entries(entry ->
                        entry.userAgent().equals("sro") && !entry.verb().equals("watch"));
    }

    @Test
    void buildsForTheVersionOfEachCluster() {
        cluster("spoke1", "4.12.3");
        cluster("spoke2", "4.12.9");
        cluster("spoke3", "4.12.3");
        byLabel();
        awaitReady();

        assertThat(shipped()).containsExactly("ship-4.12.3", "ship-4.12.9");
        ConfigMap shipped = sandbox.client()
                .configMaps()
                .inNamespace("kmod")
                .withName("ship-4.12.3")
                .get();
        assertThat(shipped.getData())
                .containsEntry("module", "kmod")
                .containsEntry("group", "driver-container")
                .containsEntry("mine", "yes-mine");
        assertThat(shipped.getMetadata().getLabels()).containsEntry("specialresourcemodule.openshift.io/owned", "true");
        OwnerReference owner = shipped.getMetadata().getOwnerReferences().get(0);
        assertThat(owner.getKind()).isEqualTo("SpecialResourceModule");
        assertThat(owner.getName()).isEqualTo("kmod");
        assertThat(owner.getUid()).isEqualTo(get().getMetadata().getUid());
        GenericKubernetesResource build = sandbox.client()
                .genericKubernetesResources("build.openshift.io/v1", "BuildConfig")
                .inNamespace("kmod")
                .withName("example-module-4.12.9")
                .get();
        assertThat(build.getAdditionalProperties().toString()).contains(K2, registry.host() + "/ocp/art@sha256:");
        assertThat(status().getVersions()).hasSize(2).allSatisfy((toolkit, version) -> {
            assertThat(toolkit).startsWith(registry.host() + "/ocp/art@sha256:");
            assertThat(version.getComplete()).isTrue();
            assertThat(version.getReconciledTemplates())
                    .containsExactly("templates/0000-build.yaml", "templates/1000-ship.yaml");
        });
    }

    /** F9. */
    @Test
    void onlyAnotherSetOfValuesIsAReasonToDoAnything() {
        cluster("spoke1", "4.12.3");
        byLabel();
        awaitReady();
        sandbox.run(Duration.ofSeconds(10));
        sandbox.cluster().recording().start();

        cluster("spoke2", "4.12.3");
        cluster("spoke1", "4.12.3", "other: label");
        sandbox.run(Duration.ofHours(2));

        assertThat(ours()).isEmpty();
        cluster("spoke2", "4.12.9");
        awaitReady();
        assertThat(sandbox.runUntil(LIMIT, () -> shipped().size() == 2)).isTrue();
    }

    @Test
    void aVersionThatNobodyHasAnyMoreGoes() {
        cluster("spoke1", "4.12.3");
        cluster("spoke2", "4.12.9");
        byLabel();
        awaitReady();
        cluster("spoke2", "4.12.3");

        assertThat(sandbox.runUntil(LIMIT, () -> shipped().equals(Set.of("ship-4.12.3"))))
                .isTrue();
        assertThat(sandbox.runUntil(LIMIT, () -> status().getVersions().size() == 1))
                .isTrue();
    }

    @Test
    void aVersionThatCannotBeFoundOutHoldsUpNoOther() {
        cluster("spoke1", "4.12.3");
        cluster("spoke2", "4.12.77");
        byLabel();
        assertThat(sandbox.runUntil(LIMIT, () -> shipped().contains("ship-4.12.3")))
                .isTrue();
        sandbox.run(Duration.ofMinutes(1));

        assertThat(condition("Degraded").getReason()).isEqualTo("VersionNotResolved");
        assertThat(condition("Degraded").getMessage()).contains("4.12.77", "does not know version");
        ModuleVersionStatus failed =
                Objects.requireNonNull(status().getVersions().get("4.12.77"));
        assertThat(failed.getComplete()).isFalse();
        assertThat(failed.getMessage()).contains("4.12.77");

        String late = registry.release("4.12.77", K2, "", "8.6");
        registry.graph("fast-4.12", Map.of("4.12.77", late));
        awaitReady();
        assertThat(shipped()).containsExactly("ship-4.12.3", "ship-4.12.77");
    }

    @Test
    void watchesWithFiltersAndSelectors() {
        cluster("spoke1", "4.12.3", "env: prod");
        cluster("spoke2", "4.12.9", "env: test");
        module("{apiVersion: " + CLUSTER + ", kind: ManagedCluster,"
                + " path: '$.spec.clusterClaims[?(@.name == \"version.openshift.io\")].value',"
                + " selector: [{path: $.metadata.labels.env, value: prod},"
                + " {path: $.metadata.name, value: spoke9, exclude: true}]}");
        awaitReady();

        assertThat(shipped()).containsExactly("ship-4.12.3");
    }

    @Test
    void aNamedObjectAndAnImageInsteadOfAVersion() {
        cluster("spoke1", "4.12.3");
        cluster("spoke2", registry.host() + "/ocp/release:4.12.9");
        module("{apiVersion: " + CLUSTER + ", kind: ManagedCluster, name: spoke2,"
                + " path: '$.spec.clusterClaims[1].value'}");
        awaitReady();

        assertThat(shipped()).containsExactly("ship-4.12.9");
    }

    @Test
    void saysWhatIsWrongAndLeavesAloneWhatIsThere() {
        cluster("spoke1", "4.12.3");
        byLabel();
        awaitReady();

        module("{apiVersion: " + CLUSTER + ", kind: ManagedCluster, path: '$.a[?('}");
        assertThat(sandbox.runUntil(
                        LIMIT, () -> condition("Degraded").getReason().equals("InvalidWatch")))
                .isTrue();
        assertThat(condition("Degraded").getMessage()).contains("is no JSONPath");
        module("{apiVersion: example.com/v1, kind: Nothing, path: $.a}");
        assertThat(sandbox.runUntil(
                        LIMIT, () -> condition("Degraded").getReason().equals("KindNotServed")))
                .isTrue();
        module("{apiVersion: " + CLUSTER + ", kind: ManagedCluster, path: $.metadata.generation}");
        assertThat(sandbox.runUntil(
                        LIMIT, () -> condition("Degraded").getMessage().contains("is no text")))
                .as(() -> "" + status())
                .isTrue();
        assertThat(shipped()).containsExactly("ship-4.12.3");
    }

    @Test
    void looksIntoNoSecret() {
        cluster("spoke1", "4.12.3");
        module("{apiVersion: v1, kind: Secret, name: login, namespace: default, path: $.data.password}");
        sandbox.run(Duration.ofMinutes(1));

        assertThat(condition("Degraded").getReason()).isEqualTo("InvalidWatch");
        assertThat(condition("Degraded").getMessage()).contains("Secrets are not watched");
    }

    @Test
    void aTextThatIsNoVersionIsNotToldInTheStatus() {
        cluster("spoke1", "correct horse/battery staple");
        module("{apiVersion: " + CLUSTER + ", kind: ManagedCluster, path: '$.spec.clusterClaims[1].value'}");
        sandbox.run(Duration.ofMinutes(1));

        assertThat(condition("Degraded").getReason()).isEqualTo("VersionNotResolved");
        assertThat(String.valueOf(status())).doesNotContain("horse").contains("a watched text");
    }

    @Test
    void goesWithAllThatItMadeAndItsNamespace() {
        cluster("spoke1", "4.12.3");
        byLabel();
        awaitReady();
        assertThat(get().getMetadata().getFinalizers()).contains("sro.openshift.io/finalizer");

        sandbox.client().resources(SpecialResourceModule.class).withName("kmod").delete();

        assertThat(sandbox.runUntil(LIMIT, () -> get() == null))
                .as(() -> "" + status())
                .isTrue();
        assertThat(sandbox.runUntil(
                        LIMIT,
                        () -> sandbox.client().namespaces().withName("kmod").get() == null))
                .isTrue();
    }

    @Test
    void writesNothingAfterARestart() {
        cluster("spoke1", "4.12.3");
        byLabel();
        awaitReady();
        sandbox.run(Duration.ofSeconds(10));
        sandbox.kill();
        registry.lose("/");
        sandbox.cluster().recording().start();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(10));

        assertThat(ours()).noneMatch(Recording.Entry::isWrite);
        assertThat(isReady()).isTrue();
    }
}
