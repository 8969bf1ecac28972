package dev.sro.core.recipe.chart;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The other end of {@link HelmWorker}: a process with nothing of this one's environment, so that no kubeconfig, proxy or
 * credential reaches it. Not thread-safe.
 */
final class HelmProcess implements HelmEngine {

    private static final int LOG_TAIL = 2_000;
    private static final int EXIT_SECONDS = 5;

    /** MiB for what it reads and answers; Helm itself is beside the heap. */
    private static final int LEAST_HEAP = 64;

    private static final int MOST_HEAP = 256;

    private final Process process;
    private final Path log;
    private final BufferedReader answers;
    private final OutputStream requests;
    private int asked;

    private HelmProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
        this.answers = process.inputReader(StandardCharsets.US_ASCII);
        this.requests = process.getOutputStream();
    }

    /** Helm says no; the message is Helm's. */
    static final class HelmException extends Exception {
        @Serial
        private static final long serialVersionUID = 1L;

        HelmException(String message) {
            super(message);
        }
    }

    /** The process is gone. */
    static final class EndedException extends Exception {
        @Serial
        private static final long serialVersionUID = 1L;

        private final int status;

        EndedException(int status, String log) {
            super(log);
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    /**
     * Starts the process.
     *
     * @param directory exists and is empty; all that it writes is in there
     */
    static HelmProcess start(String classPath, Path directory, HelmRendererConfig config) throws IOException {
        String folder = directory.toString();
        Path log = directory.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + Math.max(LEAST_HEAP, Math.min(MOST_HEAP, config.memoryMiB() / 3)) + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-XX:ErrorFile=" + directory.resolve("crash"),
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + folder,
                "-Djna.tmpdir=" + folder,
                "-Djna.encoding=UTF-8",
                "-cp",
                classPath,
                HelmWorker.class.getName(),
                String.valueOf(config.deadline().toMillis()),
                String.valueOf(config.idle().toSeconds()),
                String.valueOf(config.memoryMiB())));
        Map<String, String> environment = builder.environment();
        String zone = environment.get("TZ");
        environment.clear();
        environment.put("HOME", folder);
        // Go collects garbage before it takes the last third, instead of at twice of what it uses.
        environment.put("GOMEMLIMIT", config.memoryMiB() * 2 / 3 + "MiB");
        environment.put("TMPDIR", folder);
        environment.put("KUBECONFIG", directory.resolve("none").toString());
        // Templates may ask for the time.
        if (zone != null) {
            environment.put("TZ", zone);
        }
        builder.directory(directory.toFile());
        builder.redirectError(log.toFile());
        return new HelmProcess(builder.start(), log);
    }

    @Override
    public RenderArchive.Answer answer() {
        return RenderArchive.Answer.NOTES;
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public int asked() {
        return asked;
    }

    @Override
    public String ask(Path archive, Path values, RenderRequest.Release release, String kubeVersion)
            throws HelmException, EndedException {
        asked++;
        String request =
                List.of(archive.toString(), values.toString(), release.name(), release.namespace(), kubeVersion)
                        .stream()
                        .map(HelmWorker::encode)
                        .collect(Collectors.joining(" ", asked + " ", "\n"));
        String prefix = HelmWorker.MARK + " " + asked + " ";
        try {
            requests.write(request.getBytes(StandardCharsets.US_ASCII));
            requests.flush();
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                if (line.startsWith(prefix)) {
                    String[] fields = line.substring(prefix.length()).split(" ", -1);
                    if (fields[0].equals("error")) {
                        throw new HelmException(HelmWorker.decode(fields[1]));
                    }
                    return HelmWorker.decode(fields[1]);
                }
            }
        } catch (IOException e) {
            // As when it is at its end: the status says more.
        }
        throw ended();
    }

    private EndedException ended() {
        process.destroyForcibly();
        try {
            process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        int status = process.isAlive() ? -1 : process.exitValue();
        try {
            String text = Files.readString(log, StandardCharsets.ISO_8859_1).strip();
            return new EndedException(status, text.substring(Math.max(0, text.length() - LOG_TAIL)));
        } catch (IOException e) {
            return new EndedException(status, "");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
