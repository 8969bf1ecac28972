package dev.sro.testkit.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing is left of a test that ended, nor of a run that was killed. */
@RealControlPlane
final class KilledRunTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    private Path root;

    /** Starts a control plane and waits to be killed. */
    static final class Main {
        private Main() {}

        public static void main(String[] arguments) throws IOException {
            ClusterFinder.Programs programs =
                    (ClusterFinder.Programs) ClusterFinder.ofThisMachine().find();
            ControlPlane started = ControlPlane.builder(programs.binaries())
                    .root(Path.of(arguments[0]))
                    .start();
            System.out.println("started " + started.directory());
            System.out.flush();
            System.in.read();
        }
    }

    @Test
    @RealControlPlane(needs = Feature.RESTART)
    void theNextRunEndsTheProcessesOfAKilledOne() throws Exception {
        Process run = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        root.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Path directory;
        try (BufferedReader out = run.inputReader()) {
            String line = out.readLine();
            assertThat(line).startsWith("started ");
            directory = Path.of(line.substring("started ".length()));
        } finally {
            run.destroyForcibly().waitFor();
        }
        List<ProcessHandle> left = RunDirectory.processesOf(directory);
        assertThat(left).as("processes outlive the JVM that started them").isNotEmpty();

        assertThat(RunDirectory.reap(root)).containsExactly(directory);

        assertThat(left).noneMatch(ProcessHandle::isAlive);
        try (Stream<Path> files = Files.list(root)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    @RealControlPlane(needs = Feature.RESTART)
    void nothingIsLeftOfAControlPlaneThatWasClosed(RealCluster cluster) throws IOException {
        ClusterFinder.Programs programs =
                (ClusterFinder.Programs) ClusterFinder.ofThisMachine().find();
        Path directory;
        try (ControlPlane second =
                ControlPlane.builder(programs.binaries()).root(root).start()) {
            directory = second.directory();
            assertThat(second.client()
                            .namespaces()
                            .withName(cluster.namespace())
                            .get())
                    .as("the two know nothing of each other")
                    .isNull();
            assertThat(RunDirectory.processesOf(directory)).isNotEmpty();
        }

        assertThat(RunDirectory.processesOf(directory)).isEmpty();
        assertThat(directory).doesNotExist();
    }

    @Test
    @RealControlPlane(needs = {Feature.CONTROLLERS, Feature.NODES})
    void namespaceAndNodesGoWithTheTest(RealCluster cluster) {
        RealCluster ended = cluster.another("ended");
        String node =
                ended.nodes().create(1, NodeProfile.of(OsRelease.UBUNTU_22)).get(0);
        ended.client()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withName("p")
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName(node)
                        .addNewContainer()
                        .withName("c")
                        .withImage("registry.example/c:1")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        cluster.await(
                "the pod runs",
                LIMIT,
                () -> ended.client()
                        .pods()
                        .withName("p")
                        .get()
                        .getStatus()
                        .getPhase()
                        .equals("Running"));

        String namespace = ended.namespace();
        ended.close();

        assertThat(cluster.client().nodes().withName(node).get()).isNull();
        cluster.await(
                "the namespace is gone",
                LIMIT,
                () -> cluster.client().namespaces().withName(namespace).get() == null);
    }

    @Test
    @RealControlPlane(needs = Feature.CONTROLLERS)
    void namespacesOfAKilledRunGo(RealCluster cluster) {
        RunId self = RunId.ofThisProcess();
        String name = cluster.namespace() + "-left";
        cluster.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .addToLabels(RunId.LABEL, new RunId(self.host(), 99_999_999, 1000).label())
                        .endMetadata()
                        .build())
                .create();

        StaleRunCleanup.remove(cluster.client(), self, Clock.systemUTC().instant());

        cluster.await(
                "the namespace is gone",
                LIMIT,
                () -> cluster.client().namespaces().withName(name).get() == null);
        assertThat(cluster.client().namespaces().withName(cluster.namespace()).get())
                .isNotNull();
    }
}
