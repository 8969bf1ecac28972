package dev.sro.runtime.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An operator in a process of its own. */
final class OperatorProcess implements AutoCloseable {

    private static final Pattern PORT = Pattern.compile("listening on port (\\d+)");
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Process process;
    private final Path log;

    private OperatorProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts one, whose probes are on a port of this machine.
     *
     * @param command up to the name of the main class
     * @param environment all of it
     */
    static OperatorProcess start(List<String> command, Map<String, String> environment, Path kubeconfig, Path log)
            throws IOException {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of("operator", "--kubeconfig", kubeconfig.toString(), "--bind-address", "127.0.0.1:0"));
        ProcessBuilder builder = new ProcessBuilder(all)
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return new OperatorProcess(builder.start(), log);
    }

    /** What it said. */
    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Fails if it has ended. */
    void requireAlive() {
        assertThat(process.isAlive()).as("%s", log()).isTrue();
    }

    /** Whether it is ready to serve. */
    boolean isReady() {
        requireAlive();
        Matcher port = PORT.matcher(log());
        if (!port.find()) {
            return false;
        }
        URI probe = URI.create("http://127.0.0.1:" + port.group(1) + "/readyz");
        try {
            return HttpClient.newHttpClient()
                            .send(HttpRequest.newBuilder(probe).build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Tells it to stop, as the kubelet does, and returns its exit code. */
    int stop() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as("%s", log())
                .isTrue();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
