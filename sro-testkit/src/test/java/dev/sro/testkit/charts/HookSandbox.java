package dev.sro.testkit.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.source.FileCharts;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A sandbox with the chart example-hooks in two versions, and one without hooks. Confined to one thread. */
final class HookSandbox implements AutoCloseable {
    private static final Path CHART =
            Path.of("src", "test", "resources", "dev", "sro", "testkit", "charts", "example-hooks-0.1.0");

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: example}
        spec:
          namespace: example
          chart:
            name: example-hooks
            version: %s
            repository: {name: example, url: "%s"}
          nodeSelector: {node-role.kubernetes.io/worker: ""}
          %s
        """;

    /** The cluster. */
    final SroSandbox sandbox = SroSandbox.create(false, Plugins.of());

    private final Path folder;

    HookSandbox(Path folder) throws IOException {
        this.folder = folder;
        copy("example-hooks-0.1.0", "example-hooks", "0.1.0");
        copy("example-hooks-0.2.0", "example-hooks", "0.2.0");
        edit("example-hooks-0.2.0/values.yaml", text -> text.replace("slow", "fast"));
        copy("plain-0.1.0", "plain", "0.1.0");
        edit("plain-0.1.0/templates/1000-driver.yaml", text -> text.substring(0, text.indexOf("---")));
        Files.delete(folder.resolve("plain-0.1.0/templates/hooks.yaml"));
        node("one", "4.18.0-305.45.1.el8_4.x86_64");
        restart(writer -> writer);
        sandbox.run(Duration.ofMinutes(2));
        sandbox.cluster().recording().start();
    }

    private void copy(String to, String name, String version) throws IOException {
        try (Stream<Path> files = Files.walk(CHART)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = folder.resolve(to).resolve(CHART.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.writeString(
                        target,
                        Files.readString(file)
                                .replace("name: example-hooks", "name: " + name)
                                .replace("version: 0.1.0", "version: " + version));
            }
        }
    }

    void edit(String file, UnaryOperator<String> change) throws IOException {
        Path path = folder.resolve(file);
        Files.writeString(path, change.apply(Files.readString(path)));
    }

    void restart(UnaryOperator<ClusterWriter> writer) {
        sandbox.kill();
        sandbox.writer(writer);
        sandbox.charts(Map.of("file", new FileCharts(new ChartLoader())), new PathRenderer());
        sandbox.start();
    }

    void node(String name, String kernel) {
        sandbox.nodes()
                .create(
                        name,
                        NodeProfile.of(OsRelease.RHCOS_8).withKernel(kernel).withRole("worker"));
    }

    String resource(String version, String more) {
        return RESOURCE.formatted(version, folder.toUri(), more);
    }

    static String speed(String value) {
        return "set: {apiVersion: sro.openshift.io/v1beta1, kind: Values, speed: \"" + value + "\"}";
    }

    void install(String version) {
        sandbox.apply(resource(version, ""));
        awaitReady();
    }

    /** Until it is ready for what it says now. */
    void awaitReady() {
        assertThat(sandbox.runUntil(Duration.ofMinutes(30), () -> sandbox.isReady("example")))
                .as(() -> sandbox.state("example"))
                .isTrue();
        sandbox.run(Duration.ofSeconds(5));
    }

    void delete() {
        sandbox.client().resources(SpecialResource.class).withName("example").delete();
    }

    void annotate(String key, String value) {
        sandbox.client().resources(SpecialResource.class).withName("example").edit(resource -> {
            resource.getMetadata().getAnnotations().put(key, value);
            return resource;
        });
    }

    void forgetHooks(int revision) {
        sandbox.client()
                .secrets()
                .inNamespace("example")
                .withName("sh.helm.release.v1.example.v" + revision)
                .edit(secret -> {
                    secret.getMetadata().getAnnotations().remove(MetadataKeys.HOOKS);
                    return secret;
                });
    }

    List<Secret> secrets() {
        return sandbox.client().secrets().inNamespace("example").withLabel("owner", "helm").list().getItems().stream()
                .sorted(Comparator.comparing((Secret secret) ->
                        Integer.valueOf(secret.getMetadata().getLabels().get("version"))))
                .toList();
    }

    Secret secret(int revision) {
        return secrets().stream()
                .filter(secret -> secret.getMetadata().getName().endsWith(".v" + revision))
                .findFirst()
                .orElseThrow();
    }

    /** Of all revisions, the oldest first. */
    List<String> statuses() {
        return secrets().stream()
                .map(secret -> secret.getMetadata().getLabels().get("status"))
                .toList();
    }

    Set<String> names(Gvr type) {
        return sandbox.cluster().api().list(type).stream()
                .map(object -> object.at("/metadata/name").asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    List<String> events() {
        return sandbox.client().events().v1().events().inAnyNamespace().list().getItems().stream()
                .map(event -> event.getReason() + " " + event.getNote())
                .toList();
    }

    Condition condition(String type) {
        return sandbox.get("example").map(found -> found.getStatus()).orElseThrow().getConditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        sandbox.close();
    }
}
