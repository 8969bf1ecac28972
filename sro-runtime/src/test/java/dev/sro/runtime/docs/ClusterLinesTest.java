package dev.sro.runtime.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import dev.sro.runtime.ClusterObjects;
import dev.sro.runtime.GoTool;
import dev.sro.runtime.Main;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the lines of kubectl and helm of the pages, as they stand there, with the real commands on a real API server:
 * {@code src/test/resources/dev/sro/runtime/docs/cluster} has them with what goes before and what is looked at afterwards. Of what they
 * install nothing is left in the end.
 */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.NODES})
@EnabledIf(value = "areHere", disabledReason = "no kubectl here: run .ci/kubectl/build.sh and .ci/helm/build.sh")
class ClusterLinesTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    /** Those of Prometheus' operator that the kit has. */
    private static final List<String> DEFINITIONS =
            List.of("servicemonitors.monitoring.coreos.com", "prometheusrules.monitoring.coreos.com");

    @TempDir
    private static Path home;

    private static SortedSet<String> before = new TreeSet<>();

    static boolean areHere() {
        return GoTool.find("kubectl").isPresent() && GoTool.find("helm").isPresent();
    }

    /** A folder as that of the repository, but for the launcher, which would build SRO first. */
    @BeforeAll
    static void prepare(RealCluster cluster) throws IOException {
        before = ClusterObjects.of(cluster);
        Path programs = Files.createDirectory(home.resolve("bin"));
        for (String name : List.of("kubectl", "helm")) {
            Files.createSymbolicLink(programs.resolve(name), GoTool.find(name).orElseThrow());
        }
        Path plugins = Cli.plugins(Files.createDirectories(home.resolve("plugins")));
        Cli.plugin(plugins, "sro-plugins-nvidia", "nvidia-gpu");
        Cli.plugin(plugins, "sro-plugins-solarflare", "solarflare-onload");
        Path sro = Files.writeString(home.resolve("sro"), """
                #!/bin/sh
                exec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dsro.home='%s' -cp '%s' %s "$@"
                """.formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"), home, classPath(), Main.class.getName()));
        Files.setPosixFilePermissions(sro, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createSymbolicLink(programs.resolve("sro"), sro);
        Files.createSymbolicLink(
                home.resolve("sro-runtime"),
                DocsTest.path("sro-runtime").toAbsolutePath().normalize());
        Cli.plugins(Files.createDirectory(home.resolve("my-plugins")));
        copy(DocsTest.path("docs/samples"), Files.createDirectory(home.resolve("samples")));
        copy(DocsTest.path("sro-runtime/release/src/samples"), home);
        Path definitions = Files.createDirectory(home.resolve("definitions"));
        for (String name : DEFINITIONS) {
            String path = "/dev/sro/testkit/contract/" + name + ".yaml";
            try (InputStream definition =
                    Objects.requireNonNull(ClusterLinesTest.class.getResourceAsStream(path), path)) {
                Files.copy(definition, definitions.resolve(name + ".yaml"));
            }
        }
    }

    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, to.resolve(String.valueOf(file.getFileName())));
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> linesOfThePages(RealCluster cluster) throws IOException {
        String node =
                cluster.nodes().create(1, NodeProfile.of(OsRelease.RHEL_9)).get(0);
        return ClusterScript.all().stream()
                .map(script -> DynamicTest.dynamicTest(script.name(), () -> run(script, cluster, node)));
    }

    private static void run(ClusterScript script, RealCluster cluster, String node) throws Exception {
        Path output = Files.createTempFile(home, script.name(), ".log");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script.shell())
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment()
                .putAll(Map.of(
                        "HOME",
                        home.toString(),
                        "KUBECONFIG",
                        cluster.controlPlane().kubeconfig().toString(),
                        "PATH",
                        home.resolve("bin") + File.pathSeparator + System.getenv("PATH"),
                        "NODE",
                        node));
        Process shell = builder.start();
        boolean ended = shell.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
        shell.descendants().forEach(ProcessHandle::destroyForcibly);
        shell.destroyForcibly();
        assertThat(ended && shell.exitValue() == 0)
                .as("%s\n%s", script.name(), Files.readString(output))
                .isTrue();
    }

    @AfterAll
    static void nothingIsLeft(RealCluster cluster) {
        SortedSet<String> left = new TreeSet<>();
        try {
            cluster.await("nothing is left", LIMIT, () -> {
                left.clear();
                left.addAll(ClusterObjects.of(cluster));
                left.removeAll(before);
                return left.isEmpty();
            });
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + ": " + left, e);
        }
    }
}
