package dev.sro.runtime.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An API server takes what is installed: what only a server refuses, no schema knows. The chart gives the same objects. */
class InstalledObjectsTest {
    private static final Path BASE = Path.of("install", "kustomize");

    /** Their definitions are other people's. */
    private static final List<String> FOREIGN =
            List.of("ServiceMonitor", "PrometheusRule", "GrafanaDashboard", "Issuer", "Certificate");

    /** What has to be there before the others. */
    private static final List<String> FIRST = List.of("CustomResourceDefinition", "Namespace");

    @Test
    void aServerTakesTheBaseWithAllItsParts() throws IOException {
        try (EmbeddedCluster cluster = EmbeddedCluster.create()) {
            KubernetesClient client = cluster.client();
            List<HasMetadata> objects = objects(client);
            assertThat(objects)
                    .extracting(HasMetadata::getKind)
                    .contains("Deployment", "NetworkPolicy", "ClusterRoleBinding", "PodDisruptionBudget");
            for (HasMetadata object : objects) {
                assertThatCode(() -> client.resource(object).serverSideApply())
                        .as(object.getKind() + " " + object.getMetadata().getName())
                        .doesNotThrowAnyException();
            }
        }
    }

    private static List<HasMetadata> objects(KubernetesClient client) throws IOException {
        try (Stream<Path> files = Files.walk(BASE)) {
            return files.filter(file -> file.toString().endsWith(".yaml") && !file.endsWith("kustomization.yaml"))
                    .sorted()
                    .flatMap(InstalledObjectsTest::documents)
                    .map(text ->
                            (HasMetadata) client.getKubernetesSerialization().unmarshal(text))
                    .filter(object -> !FOREIGN.contains(object.getKind()))
                    .sorted(Comparator.comparing(object -> -FIRST.indexOf(object.getKind())))
                    .toList();
        }
    }

    private static Stream<String> documents(Path file) {
        try {
            return Stream.of(Files.readString(file).split("(?m)^---\n"))
                    .filter(text -> text.lines().anyMatch(line -> line.startsWith("kind:")));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
