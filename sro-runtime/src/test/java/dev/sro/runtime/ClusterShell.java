package dev.sro.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.node.KubeletCluster;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** A shell for a cluster with a real kubelet, with kubectl and helm, in the module's folder. Not thread-safe. */
public final class ClusterShell {
    private static final List<String> PROGRAMS = List.of("kubectl", "helm");

    private final KubeletCluster cluster;
    private final Path home;

    /**
     * A shell.
     *
     * @param home a folder that is empty
     */
    public ClusterShell(KubeletCluster cluster, Path home) {
        this.cluster = cluster;
        this.home = home;
        try {
            Path programs = Files.createDirectory(home.resolve("bin"));
            for (String name : PROGRAMS) {
                Files.copy(GoTool.find(name).orElseThrow(), programs.resolve(name));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it has its programs. */
    public static boolean isHere() {
        return PROGRAMS.stream().allMatch(name -> GoTool.find(name).isPresent());
    }

    /** Runs a line, which must succeed, and returns what it wrote. */
    public String run(String line) {
        try {
            Path output = Files.createTempFile(home, "line", ".log");
            ProcessBuilder builder = new ProcessBuilder("bash", "-euc", line)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment()
                    .putAll(Map.of(
                            "HOME",
                            home.toString(),
                            "KUBECONFIG",
                            cluster.controlPlane().kubeconfig().toString(),
                            "PATH",
                            home.resolve("bin") + File.pathSeparator + System.getenv("PATH")));
            Process running = builder.start();
            boolean ended = running.waitFor(5, TimeUnit.MINUTES);
            running.destroyForcibly();
            String text = Files.readString(output);
            assertThat(ended && running.exitValue() == 0)
                    .as("%s%n%s%s", line, text, cluster.said())
                    .isTrue();
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Applies objects. */
    public void apply(String yaml) {
        try {
            Path file = Files.writeString(Files.createTempFile(home, "objects", ".yaml"), yaml);
            run("kubectl apply -f " + file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Makes a ConfigMap with a packed chart, in the default namespace.
     *
     * @param name of the chart, whose version is 0.1.0, and of the ConfigMap
     */
    public void packChart(String folder, String name) {
        run("helm package " + folder + " -d " + home + " && kubectl create configmap " + name + " --from-file=" + home
                + "/" + name + "-0.1.0.tgz");
    }

    /** Events that warn, with what they are about and say; but for those that a test expects. */
    public Set<String> warnings(String expected) {
        Set<String> warnings = new TreeSet<>();
        cluster.client().v1().events().inAnyNamespace().list().getItems().stream()
                .filter(event -> "Warning".equals(event.getType()))
                .map(event ->
                        event.getReason() + " " + event.getInvolvedObject().getKind() + " "
                                + event.getInvolvedObject().getName() + ": " + event.getMessage())
                .filter(line -> !line.matches("(?s)" + expected))
                .forEach(warnings::add);
        return warnings;
    }
}
