package dev.sro.agent.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Kubelet's own code for dynamic resource allocation in a process of its own: its watcher of plugins, its manager of claims and its
 * checkpoint. Not thread-safe.
 */
final class KubeletCode implements AutoCloseable {

    /** Of k8s.io/kubernetes; {@code .ci/kubelet-plugins} builds it. */
    private static final String VERSION = "1.36.2";

    private final Process process;
    private final Writer in;
    private final BufferedReader out;

    private KubeletCode(Process process) {
        this.process = process;
        in = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        out = process.inputReader(StandardCharsets.UTF_8);
    }

    static boolean isHere() {
        return find().isPresent();
    }

    /**
     * Where {@code sro.kubeletPlugins} or SRO_KUBELET_PLUGINS say, which must then be right, or where
     * {@code .ci/kubelet-plugins/build.sh} puts it.
     */
    private static Optional<Path> find() {
        String given =
                System.getProperty("sro.kubeletPlugins", System.getenv().getOrDefault("SRO_KUBELET_PLUGINS", ""));
        if (!given.isEmpty()) {
            assertThat(Path.of(given)).as("SRO_KUBELET_PLUGINS").isExecutable();
            return Optional.of(Path.of(given));
        }
        String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path caches = cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        String name = "kubelet-plugins";
        return List.of("amd64", "arm64").stream()
                .map(machine -> caches.resolve(Path.of("sro", name, VERSION + "-linux-" + machine, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts it.
     *
     * @param directory kubelet's
     * @param active pods that run already, with their namespaces
     */
    static KubeletCode start(Path directory, String node, URI api, String... active) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                find().orElseThrow().toString(),
                "--kubelet",
                directory.toString(),
                "--node",
                node,
                "--api",
                api.toString()));
        for (String pod : active) {
            command.add("--active");
            command.add(pod);
        }
        return new KubeletCode(new ProcessBuilder(command)
                .redirectError(directory.resolve("kubelet.log").toFile())
                .start());
    }

    /** What it answers to a command, in the words of {@code main.go}. */
    String run(String command, String name) throws IOException {
        in.write(command + " " + name + "\n");
        in.flush();
        String answer = out.readLine();
        assertThat(answer).as("%s %s: it has ended", command, name).isNotNull();
        return answer;
    }

    /** As {@link #run}, of what has to go well. */
    String done(String command, String name) throws IOException {
        String answer = run(command, name);
        assertThat(answer).as("%s %s", command, name).startsWith("ok");
        return answer.substring(2).strip();
    }

    /** Ends it as a loss of power does. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
