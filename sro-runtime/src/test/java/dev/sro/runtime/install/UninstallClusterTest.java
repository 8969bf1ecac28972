package dev.sro.runtime.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import dev.sro.runtime.ClusterObjects;
import dev.sro.runtime.Main;
import dev.sro.runtime.ServiceAccountConfig;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Node;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Installing and uninstalling on a real API server, as docs/admins/installing.md says. */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
class UninstallClusterTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    @Test
    void nothingIsLeftBehind(RealCluster cluster) throws Exception {
        cluster.nodes().create(2, NodeProfile.of(OsRelease.UBUNTU_22));
        SortedSet<String> before = ClusterObjects.of(cluster);
        Map<String, Map<String, String>> labels = labels(cluster);
        KustomizeBase base = new KustomizeBase(cluster);
        base.apply();
        cluster.await(
                "pods of the operator are admitted under the restricted standard",
                LIMIT,
                () -> cluster.client()
                                .pods()
                                .inNamespace(KustomizeBase.NAMESPACE)
                                .list()
                                .getItems()
                                .size()
                        == 2);

        Path kubeconfig = ServiceAccountConfig.write(cluster, KustomizeBase.NAMESPACE, folder.resolve("kubeconfig"));
        try (OperatorProcess operator =
                OperatorProcess.start(command(), Map.of(), kubeconfig, folder.resolve("operator.log"))) {
            base.applySpecialResource("uninstalled");
            base.awaitReady("uninstalled", operator);
            assertThat(labels(cluster)).as("labels of nodes").isNotEqualTo(labels);

            base.deleteSpecialResources();
            base.delete();
            assertThat(operator.stop()).as("%s", operator.log()).isZero();
        } finally {
            base.delete();
        }

        cluster.await("nothing is left", LIMIT, () -> before.containsAll(ClusterObjects.of(cluster)));
        assertThat(ClusterObjects.of(cluster)).isSubsetOf(before);
        assertThat(labels(cluster)).isEqualTo(labels);
    }

    /** This build, without the launcher. */
    private List<String> command() throws Exception {
        Path plugins = Cli.plugins(Files.createDirectories(folder.resolve("plugins")));
        String classes = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dsro.home=" + plugins.getParent(),
                "-cp",
                classes,
                Main.class.getName());
    }

    private static Map<String, Map<String, String>> labels(RealCluster cluster) {
        return cluster.client().nodes().withLabels(cluster.nodes().selector()).list().getItems().stream()
                .collect(Collectors.toMap(
                        node -> node.getMetadata().getName(), UninstallClusterTest::labels, (a, b) -> a, TreeMap::new));
    }

    private static Map<String, String> labels(Node node) {
        return new TreeMap<>(node.getMetadata().getLabels());
    }
}
