package dev.sro.runtime.operator.rollout;

import dev.sro.runtime.Main;
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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process of {@code sro operator}, as a pod would run it. */
public final class Replica {
    private static final Pattern PORT = Pattern.compile("listening on port (\\d+)");
    private static final Pattern REQUEST =
            Pattern.compile("sro_api_requests_total\\{code=\"(\\w+)\",resource=\"([^\"]*)\",verb=\"(\\w+)\"} (\\S+)");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Process process;
    private final Path log;

    private Replica(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts one that takes part in an election with short times.
     *
     * @param log gets what it prints
     */
    static Replica start(Path kubeconfig, Path plugins, Path log) throws IOException {
        return start(kubeconfig, plugins, log, List.of());
    }

    /**
     * The same.
     *
     * @param more further options
     */
    public static Replica start(Path kubeconfig, Path plugins, Path log, List<String> more) throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                classPath,
                Main.class.getName(),
                "operator",
                "--kubeconfig=" + kubeconfig,
                "--plugins=" + plugins,
                "--namespace=" + Site.NAMESPACE,
                "--lease-duration=4",
                "--renew-deadline=3",
                "--retry-period=1",
                "--requests-per-second=200",
                "--request-burst=400",
                "--bind-address=127.0.0.1:0"));
        command.addAll(more);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new Replica(process, log);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Whether it says so itself; not if it does not answer. */
    public boolean isLeader() throws InterruptedException {
        return metrics().contains("\nsro_leader 1.0");
    }

    /** How many requests it made, by {@code verb resource code}. */
    SortedMap<String, Long> requests() throws InterruptedException {
        TreeMap<String, Long> requests = new TreeMap<>();
        for (Matcher line = REQUEST.matcher(metrics()); line.find(); ) {
            String call = line.group(3) + " " + line.group(2) + " " + line.group(1);
            requests.merge(call, Math.round(Double.parseDouble(line.group(4))), Long::sum);
        }
        return requests;
    }

    private String metrics() throws InterruptedException {
        try {
            Matcher port = PORT.matcher(Files.readString(log));
            if (!port.find()) {
                return "";
            }
            URI uri = URI.create("http://127.0.0.1:" + port.group(1) + "/metrics");
            HttpRequest request =
                    HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(5)).build();
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            return "";
        }
    }

    /** As {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** As a kubelet does. Returns the exit code. */
    public int stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            kill();
            throw new AssertionError("the operator did not stop; see " + log);
        }
        return process.exitValue();
    }

    public Path log() {
        return log;
    }
}
