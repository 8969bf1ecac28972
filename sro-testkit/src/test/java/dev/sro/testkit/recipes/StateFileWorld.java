package dev.sro.testkit.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.plugin.Plugins;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A cluster with recipes of numbered manifests. */
abstract class StateFileWorld {
    static final Duration LIMIT = Duration.ofMinutes(30);
    static final Path RECIPES = Path.of("src", "test", "resources", "dev", "sro", "testkit", "recipes");

    static final String K1 = "4.18.0-305.45.1.el8_4.x86_64";
    static final String K1_HASH = "b657a71de7fad62f";
    static final String K2 = "4.18.0-305.40.2.el8_4.x86_64";
    static final String K2_HASH = "e383247e62b56585";

    static final NodeProfile NODE =
            NodeProfile.of(OsRelease.RHCOS_8).withKernel(K1).withRole("worker");

    final SroSandbox sandbox = SroSandbox.create(true, Plugins.of());

    @BeforeEach
    void nodes() {
        sandbox.nodes().create("one", NODE);
        sandbox.nodes().create("two", NODE);
        sandbox.run(Duration.ofMinutes(2));
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Map<String, String> manifests(String recipe) {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> entries = Files.list(RECIPES.resolve(recipe).resolve("manifests"))) {
            entries.forEach(file -> files.put(String.valueOf(file.getFileName()), read(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    void namespace(String name) {
        sandbox.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    void put(ConfigMap map) {
        sandbox.client().resource(map).createOr(existing -> existing.update());
    }

    static ConfigMap map(String namespace, String name, Map<String, String> data) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withData(data)
                .build();
    }

    static String kmod() {
        return read(RECIPES.resolve("example-kmod").resolve("0000-example-kmod-cr.yaml"));
    }

    /** As "kubectl apply -k manifests" and "kubectl create -f 0000-example-kmod-cr.yaml" do. */
    void installKmod() {
        namespace("example-kmod");
        put(map("example-kmod", "example-kmod", manifests("example-kmod")));
        sandbox.apply(kmod());
    }

    void awaitReady(String name) {
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady(name)))
                .as(() -> "" + sandbox.get(name))
                .isTrue();
    }

    List<String> daemonSets(String namespace) {
        return sandbox.client().apps().daemonSets().inNamespace(namespace).list().getItems().stream()
                .map(set -> set.getMetadata().getName())
                .sorted()
                .toList();
    }

    String label(String node, String label) {
        return String.valueOf(sandbox.client()
                .nodes()
                .withName(node)
                .get()
                .getMetadata()
                .getLabels()
                .get(label));
    }

    Optional<Condition> condition(String name, String type) {
        return sandbox.get(name).map(found -> found.getStatus()).stream()
                .filter(status -> status != null)
                .flatMap(status -> status.getConditions().stream())
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }

    String image(String namespace, String name) {
        DaemonSet set = sandbox.client()
                .apps()
                .daemonSets()
                .inNamespace(namespace)
                .withName(name)
                .get();
        return set.getSpec().getTemplate().getSpec().getContainers().get(0).getImage();
    }

    void installGpu() {
        namespace("gpu");
        ConfigMap map = map("gpu", "0000-example-gpu", manifests("example-gpu"));
        map.getMetadata().setLabels(Map.of("specialresource.openshift.io/config", "true"));
        map.getMetadata()
                .setAnnotations(Map.of(
                        "specialresource.openshift.io/nfd", "feature.node.kubernetes.io/pci-1af4.present",
                        "specialresource.openshift.io/hardware", "example-gpu"));
        put(map);
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: example-gpu}
            spec: {namespace: gpu}
            """);
    }
}
