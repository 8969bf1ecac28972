package dev.sro.testkit.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.source.FileCharts;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Condition;
import java.io.IOException;
import java.nio.file.Files;
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
import org.junit.jupiter.api.io.TempDir;

/** Special resources that need the charts of others first. */
class DependenciesScenarioTest {
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @TempDir
    private Path charts;

    private final SroSandbox sandbox = SroSandbox.create(false, Plugins.of());

    @BeforeEach
    void operatorWithCharts() throws IOException {
        sandbox.kill();
        sandbox.charts(Map.of("file", new FileCharts(new ChartLoader())), new PathRenderer());
        sandbox.nodes().create("one", NodeProfile.of(OsRelease.UBUNTU_22));
        chart("base", "1.0.0", "");
        chart("base", "2.0.0", "");
        chart("app", "1.0.0", "");
        sandbox.start();
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    /** A chart that makes a Deployment with the value {@code word} in it, and carries a special resource if given. */
    private void chart(String name, String version, String resource) throws IOException {
        Path folder = charts.resolve(name + "-" + version);
        Files.createDirectories(folder.resolve("templates"));
        Files.writeString(
                folder.resolve("Chart.yaml"), "{apiVersion: v2, name: " + name + ", version: " + version + "}");
        Files.writeString(folder.resolve("values.yaml"), "word: none");
        Files.writeString(folder.resolve("templates/0000-all.yaml"), """
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: %s
              annotations: {word: "{{ .Values.word }}"}
            spec:
              selector: {matchLabels: {app: %s}}
              template:
                metadata: {labels: {app: %s}}
                spec: {containers: [{name: c, image: "registry.example.com/%s:1"}]}
            """.formatted(name, name, name, name));
        if (!resource.isEmpty()) {
            Files.writeString(folder.resolve(name + ".yaml"), resource);
        }
    }

    private String resource(String name, String dependencies) {
        return """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %s}
            spec:
              namespace: %s
              chart: %s
              dependencies: [%s]
            """.formatted(name, name, reference("app", "1.0.0"), dependencies);
    }

    private String reference(String chart, String version) {
        return "{name: %s, version: %s, repository: {name: example, url: \"%s\"}}"
                .formatted(chart, version, charts.toUri());
    }

    private String on(String chart, String version, String word) {
        String set = word.isEmpty() ? "" : ", set: {apiVersion: v1, kind: Values, word: " + word + "}";
        return "{chart: " + reference(chart, version) + set + "}";
    }

    private void awaitReady(String... names) {
        for (String name : names) {
            assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady(name)))
                    .as(() -> "" + sandbox.state(name))
                    .isTrue();
        }
    }

    private SpecialResourceStatus status(String name) {
        return Objects.requireNonNull(sandbox.get(name).orElseThrow().getStatus());
    }

    private static ChartReference chart(SpecialResource resource) {
        return Objects.requireNonNull(Objects.requireNonNull(resource.getSpec()).getChart());
    }

    private Condition condition(String name, String type) {
        return status(name).getConditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst()
                .orElseThrow(() -> new AssertionError("" + sandbox.get(name)));
    }

    private Set<String> resources() {
        return sandbox.client().resources(SpecialResource.class).list().getItems().stream()
                .map(resource -> resource.getMetadata().getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> deployments() {
        return sandbox.cluster().api().list(Gvr.DEPLOYMENTS).stream()
                .map(object -> object.at("/metadata/namespace").asText() + "/"
                        + object.at("/metadata/name").asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void theDependencyIsReadyBeforeAnythingElseIsMade() {
        sandbox.apply(resource("top", on("base", "1.0.0", "hello")));

        assertThat(sandbox.runUntil(LIMIT, () -> resources().contains("base"))).isTrue();
        assertThat(sandbox.runUntil(LIMIT, () -> deployments().contains("base/base")))
                .isTrue();
        assertThat(deployments()).containsExactly("base/base");
        assertThat(condition("top", "Progressing").getReason()).isEqualTo("DependencyNotReady");
        assertThat(condition("top", "Degraded").getStatus()).isEqualTo("False");
        awaitReady("top");

        assertThat(sandbox.isReady("base")).isTrue();
        assertThat(deployments()).containsExactly("base/base", "top/app");
        assertThat(sandbox.client()
                        .apps()
                        .deployments()
                        .inNamespace("base")
                        .withName("base")
                        .get()
                        .getMetadata()
                        .getAnnotations())
                .containsEntry("word", "hello");
        SpecialResource child = sandbox.get("base").orElseThrow();
        assertThat(child.getMetadata().getLabels()).containsEntry("sro.dev/dependency", "true");
        assertThat(child.getMetadata().getOwnerReferences()).isEmpty();
        assertThat(status("top").getManagedKinds()).doesNotContain("sro.openshift.io/v1beta1/SpecialResource");
    }

    @Test
    void nothingIsWrittenWhenAllIsAsItShallBe() {
        sandbox.apply(resource("top", on("base", "1.0.0", "hello")));
        awaitReady("top");
        sandbox.run(Duration.ofMinutes(1));

        sandbox.cluster().recording().start();
        sandbox.run(Duration.ofHours(1));
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(e -> e.userAgent().equals("sro") && !e.verb().equals("watch")))
                .isEmpty();

        sandbox.kill();
        sandbox.cluster().recording().start();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(1));
        assertThat(sandbox.cluster().recording().entries(e -> e.userAgent().equals("sro") && e.isWrite()))
                .isEmpty();
    }

    @Test
    void oneThatIsDeletedByHandComesBack() {
        sandbox.apply(resource("top", on("base", "1.0.0", "")));
        awaitReady("top");
        String uid = sandbox.get("base").orElseThrow().getMetadata().getUid();

        sandbox.client().resources(SpecialResource.class).withName("base").delete();
        sandbox.runUntil(
                LIMIT,
                () -> sandbox.get("base")
                        .filter(child -> !child.getMetadata().getUid().equals(uid))
                        .isPresent());
        awaitReady("base", "top");

        assertThat(deployments()).containsExactly("base/base", "top/app");
    }

    @Test
    void whatSomebodyChangesInItIsPutRight() {
        sandbox.apply(resource("top", on("base", "1.0.0", "")));
        awaitReady("top");

        sandbox.client().resources(SpecialResource.class).withName("base").edit(child -> {
            chart(child).setVersion("2.0.0");
            return child;
        });
        sandbox.run(Duration.ofMinutes(1));

        assertThat(chart(sandbox.get("base").orElseThrow()).getVersion()).isEqualTo("1.0.0");
    }

    @Test
    void itStaysWhenItsParentGoes() {
        sandbox.apply(resource("top", on("base", "1.0.0", "")));
        awaitReady("top");

        sandbox.client().resources(SpecialResource.class).withName("top").delete();
        sandbox.runUntil(LIMIT, () -> sandbox.get("top").isEmpty());
        sandbox.run(Duration.ofMinutes(1));

        assertThat(resources()).containsExactly("base");
        assertThat(deployments()).containsExactly("base/base");
    }

    @Test
    void itGoesWithTheLastThatNeedsItWhenAsked() {
        sandbox.apply(resource("top", on("base", "1.0.0", "")));
        sandbox.apply(resource("second", on("base", "1.0.0", "")));
        awaitReady("top", "second");
        for (String name : List.of("top", "second")) {
            sandbox.client().resources(SpecialResource.class).withName(name).edit(parent -> {
                parent.getMetadata().setAnnotations(Map.of("sro.dev/delete-dependencies", "true"));
                return parent;
            });
        }

        sandbox.client().resources(SpecialResource.class).withName("top").delete();
        sandbox.runUntil(LIMIT, () -> sandbox.get("top").isEmpty());
        sandbox.run(Duration.ofMinutes(1));
        assertThat(resources()).containsExactly("base", "second");
        assertThat(sandbox.isReady("base")).isTrue();

        sandbox.client().resources(SpecialResource.class).withName("second").delete();
        assertThat(sandbox.runUntil(LIMIT, () -> resources().isEmpty())).isTrue();
        assertThat(deployments()).isEmpty();
    }

    @Test
    void ofTwoThatAskForDifferentThingsTheOlderDecides() {
        sandbox.apply(resource("top", on("base", "1.0.0", "")));
        awaitReady("top");
        sandbox.run(Duration.ofSeconds(5));
        sandbox.apply(resource("second", on("base", "2.0.0", "")));
        sandbox.run(Duration.ofMinutes(1));

        assertThat(condition("second", "Degraded").getReason()).isEqualTo("DependencyConflict");
        assertThat(condition("second", "Degraded").getMessage())
                .contains("base", "version 1.0.0 and not 2.0.0", "special resource top");
        assertThat(sandbox.isReady("top")).isTrue();

        sandbox.client().resources(SpecialResource.class).withName("top").delete();
        sandbox.runUntil(LIMIT, () -> sandbox.isReady("second"));
        assertThat(chart(sandbox.get("base").orElseThrow()).getVersion()).isEqualTo("2.0.0");
    }

    @Test
    void cyclesAreRefusedAndPrinted() throws IOException {
        chart("base", "3.0.0", """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: base}
            spec:
              namespace: base
              chart: %s
              dependencies: [%s]
            """.formatted(reference("base", "3.0.0"), on("top", "1.0.0", "")));
        sandbox.apply(resource("top", on("base", "3.0.0", "")));
        sandbox.run(Duration.ofMinutes(1));

        assertThat(condition("top", "Degraded").getReason()).isEqualTo("DependencyCycle");
        assertThat(condition("top", "Degraded").getMessage()).contains("top needs base needs top");
        assertThat(condition("base", "Degraded").getMessage()).contains("base needs top needs base");
        assertThat(deployments()).isEmpty();
    }

    @Test
    void theChartsOwnSpecialResourceIsTaken() throws IOException {
        chart("middle", "1.0.0", """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: anything, labels: {team: drivers}}
            spec:
              namespace: elsewhere
              chart: %s
              set: {apiVersion: v1, kind: Values, word: own}
              dependencies: [%s]
            """.formatted(reference("middle", "1.0.0"), on("base", "1.0.0", "")));
        sandbox.apply(resource("top", on("middle", "1.0.0", "") + ", " + on("base", "1.0.0", "")));
        awaitReady("top");

        assertThat(deployments()).containsExactly("base/base", "elsewhere/middle", "top/app");
        assertThat(sandbox.get("middle").orElseThrow().getMetadata().getLabels())
                .containsEntry("team", "drivers");
        assertThat(sandbox.client()
                        .apps()
                        .deployments()
                        .inNamespace("elsewhere")
                        .withName("middle")
                        .get()
                        .getMetadata()
                        .getAnnotations())
                .containsEntry("word", "own");
    }

    @Test
    void dependsOnWaitsForWhatIsThere() {
        sandbox.apply(resource("base", "").replace("name: app", "name: nowhere"));
        String dependent = resource("top", "").replace("dependencies: []", "dependsOn: [{name: base}, {name: none}]");
        sandbox.apply(dependent);
        sandbox.run(Duration.ofMinutes(1));
        assertThat(condition("top", "Progressing").getReason()).isEqualTo("DependencyNotReady");
        assertThat(condition("top", "Warning").getMessage())
                .contains("spec.dependsOn: there is no special resource none");

        sandbox.apply(resource("base", "").replace("name: app", "name: base"));
        awaitReady("base", "top");
        assertThat(deployments()).containsExactly("base/base", "top/app");
        assertThat(resources()).containsExactly("base", "top");
    }

    @Test
    void oneThatTheUserMadeIsUsedAsItIs() {
        sandbox.apply(resource("base", "").replace("name: app", "name: base"));
        awaitReady("base");
        sandbox.apply(resource("top", on("base", "1.0.0", "hello")));
        awaitReady("top");

        assertThat(Objects.requireNonNull(sandbox.get("base").orElseThrow().getSpec())
                        .getSet())
                .isEmpty();
        assertThat(condition("top", "Warning").getMessage())
                .contains("special resource base was not made by SRO", "set");
    }

    @Test
    void oneThatTheUserHandsOverIsKeptAsTheParentHasIt() {
        sandbox.apply(resource("base", "").replace("name: app", "name: base"));
        sandbox.apply(resource("top", on("base", "1.0.0", "hello")));
        awaitReady("base", "top");

        sandbox.client().resources(SpecialResource.class).withName("base").edit(child -> {
            child.getMetadata().setLabels(Map.of("sro.dev/dependency", "true"));
            return child;
        });
        sandbox.run(Duration.ofMinutes(1));

        assertThat(Objects.requireNonNull(sandbox.get("base").orElseThrow().getSpec())
                        .getSet())
                .containsEntry("word", "hello");
    }

    @Test
    void saysWhichChartCannotBeHad() {
        sandbox.apply(resource("top", on("nowhere", "1.0.0", "")));
        sandbox.run(Duration.ofMinutes(1));

        assertThat(condition("top", "Degraded").getMessage()).contains("spec.dependencies, chart nowhere", "1.0.0");
        assertThat(deployments()).isEmpty();

        sandbox.kill();
        sandbox.cluster().recording().start();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(1));
        assertThat(sandbox.cluster().recording().entries(e -> e.userAgent().equals("sro") && e.isWrite()))
                .as("what was said is said until the repository answers")
                .isEmpty();
    }

    @Test
    void refusesWhatCannotBeUnderstood() {
        sandbox.apply(resource("top", on("base", "1.0.0", "") + ", " + on("base", "2.0.0", "")));
        sandbox.run(Duration.ofMinutes(1));

        assertThat(condition("top", "Degraded").getReason()).isEqualTo("InvalidDependency");
        assertThat(condition("top", "Degraded").getMessage()).contains("spec.dependencies[1]", "base is there twice");
    }
}
