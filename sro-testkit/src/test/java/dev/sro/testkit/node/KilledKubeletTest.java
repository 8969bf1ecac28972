package dev.sro.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No process of a node is left of a run that was killed. */
@RealKubelet
class KilledKubeletTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private Path home;

    /** Starts a node and waits to be killed. */
    static final class Main {
        private Main() {}

        public static void main(String[] arguments) throws IOException {
            KubeletCluster cluster =
                    KubeletCluster.start(KubeletPrograms.Finder.ofThisMachine().find());
            System.out.println("started " + cluster.add().name());
            System.out.flush();
            System.in.read();
        }
    }

    @Test
    void aNodeEndsWithTheJvmThatStartedIt() throws Exception {
        Process run = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<ProcessHandle> all = List.of();
        try (BufferedReader out = run.inputReader()) {
            String line = String.valueOf(out.readLine());
            all = run.descendants().toList();
            assertThat(line).startsWith("started ");
            String name = line.substring("started ".length());
            List<ProcessHandle> node = run.children()
                    .filter(child -> child.info().commandLine().orElse("").contains(name))
                    .flatMap(child -> Stream.concat(Stream.of(child), child.descendants()))
                    .toList();
            assertThat(node)
                    .extracting(process -> process.info().commandLine().orElse(""))
                    .anyMatch(command -> command.contains("kubelet --config"))
                    .anyMatch(command -> command.contains("containerd -c"));

            run.destroyForcibly().waitFor();
            Pause.until(
                    SOON,
                    () -> node.stream().noneMatch(ProcessHandle::isAlive),
                    () -> "processes of " + name + " outlive the JVM that started them: " + node);
            RigProcess.run(
                    List.of(
                            KubeletPrograms.Finder.ofThisMachine()
                                    .find()
                                    .file("node")
                                    .toString(),
                            "--remove",
                            name),
                    home,
                    "remove",
                    SOON);
        } finally {
            run.destroyForcibly();
            // The control plane's; the next one of this user would end them, too.
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }
}
