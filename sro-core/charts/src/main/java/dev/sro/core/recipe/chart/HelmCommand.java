package dev.sro.core.recipe.chart;

import dev.sro.api.Problem;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The command {@code helm}, called anew for each question, with nothing of this process's environment: for machines for which helm-java
 * has no library. Its time, its memory (on Linux) and the length of its output are limited by whoever waits for it, as are those of
 * {@link HelmWorker}. Not thread-safe; starts no thread.
 */
final class HelmCommand implements HelmEngine {

    private static final int TICK_MILLIS = 50;
    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;
    private static final int LOG_TAIL = 2_000;
    private static final int VERSION_SECONDS = 10;
    private static final String RESIDENT = "VmRSS:";
    private static final Pattern VERSION = Pattern.compile("v?(\\d+)\\.(\\d+)\\..*");
    private static final int MAJOR = 3;

    /** Of what the command adds for people: the first word, and advice. */
    private static final Pattern ERROR = Pattern.compile("(?:^|\n)Error: (.*)", Pattern.DOTALL);

    private static final Pattern ADVICE = Pattern.compile("\n\nUse --debug flag.*", Pattern.DOTALL);

    private static final Pattern ANSWER = Pattern.compile("(?m)^" + RenderArchive.ANSWER + "([A-Za-z0-9+/=]*)$");

    private final Path helm;
    private final Path directory;
    private final HelmRendererConfig config;
    private int asked;

    private HelmCommand(Path helm, Path directory, HelmRendererConfig config) {
        this.helm = helm;
        this.directory = directory;
        this.config = config;
    }

    /** The first {@code helm} in these folders, which stand as in the variable PATH. */
    static Optional<Path> find(String path) {
        return Arrays.stream(path.split(Pattern.quote(File.pathSeparator), -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "helm"))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    /**
     * The command, after a look at its version.
     *
     * @param directory exists and is empty; all that it writes is in there
     * @throws ChartException {@code HelmRendererMissing} if it is none, or of another major version
     */
    static HelmCommand of(Path helm, Path directory, HelmRendererConfig config) {
        HelmCommand command = new HelmCommand(helm.toAbsolutePath(), directory, config);
        String version;
        try {
            version = command.version();
        } catch (IOException e) {
            throw missing(helm + " cannot be run: " + e.getMessage(), e);
        }
        Matcher matcher = VERSION.matcher(version);
        if (!matcher.matches() || Integer.parseInt(matcher.group(1)) != MAJOR) {
            throw missing(
                    helm + " is no helm of version 3, as its answer to \"version --short\" is \"" + version
                            + "\"; name another one",
                    null);
        }
        return command;
    }

    private static ChartException missing(String message, @Nullable Throwable cause) {
        Problem problem = new Problem("HelmRendererMissing", message, Problem.Owner.PLATFORM, false);
        return cause == null ? new ChartException(problem) : new ChartException(problem, cause);
    }

    private String version() throws IOException {
        Path out = directory.resolve("version");
        Process process = started(List.of("version", "--short"), out, directory.resolve("version-log"));
        try {
            if (!process.waitFor(VERSION_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("it did not say its version within " + VERSION_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
        return tail(out).strip();
    }

    @Override
    public RenderArchive.Answer answer() {
        return RenderArchive.Answer.DOCUMENT;
    }

    @Override
    public boolean isAlive() {
        return true;
    }

    @Override
    public int asked() {
        return asked;
    }

    @Override
    public String ask(Path archive, Path values, RenderRequest.Release release, String kubeVersion)
            throws HelmProcess.HelmException, HelmProcess.EndedException {
        asked++;
        Path out = directory.resolve("out");
        Path log = directory.resolve("log");
        List<String> arguments = List.of(
                "template",
                release.name(),
                archive.toString(),
                "--namespace",
                release.namespace(),
                "--values",
                values.toString(),
                "--kube-version",
                kubeVersion);
        try {
            int status = finished(started(arguments, out, log), out);
            if (status == 0) {
                Matcher found = ANSWER.matcher(Files.readString(out, StandardCharsets.UTF_8));
                return found.find() ? found.group(1) : "";
            }
            String said = Files.readString(log, StandardCharsets.UTF_8);
            Matcher error = ERROR.matcher(said);
            if (status == 1 && error.find()) {
                throw new HelmProcess.HelmException(
                        ADVICE.matcher(error.group(1)).replaceFirst("").strip());
            }
            throw new HelmProcess.EndedException(status, tail(log));
        } catch (IOException e) {
            throw new HelmProcess.EndedException(-1, helm + ": " + e.getMessage());
        }
    }

    /** Its status; one that takes too much of anything is ended, as {@link HelmWorker} ends itself. */
    private int finished(Process process, Path out) throws IOException, HelmProcess.HelmException {
        long started = System.nanoTime();
        try {
            while (!process.waitFor(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (System.nanoTime() - started > config.deadline().toNanos()) {
                    return HelmWorker.TOO_LONG;
                }
                if (resident(process) > config.memoryMiB() * MIB) {
                    return HelmWorker.TOO_LARGE;
                }
                checkLength(out);
            }
            checkLength(out);
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static void checkLength(Path out) throws IOException, HelmProcess.HelmException {
        if (Files.size(out) > HelmWorker.MAX_CHARACTERS) {
            throw new HelmProcess.HelmException("what it renders has more than " + HelmWorker.MAX_CHARACTERS
                    + " characters, which is as many as are allowed; make fewer objects of its templates");
        }
    }

    private static long resident(Process process) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), "status"))) {
                if (line.startsWith(RESIDENT)) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) * KIB;
                }
            }
        } catch (IOException | RuntimeException e) {
            // Not Linux, or it is gone.
            return 0;
        }
        return 0;
    }

    private Process started(List<String> arguments, Path out, Path log) throws IOException {
        List<String> words = new ArrayList<>();
        words.add(helm.toString());
        words.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(words);
        Map<String, String> environment = builder.environment();
        String zone = environment.get("TZ");
        environment.clear();
        String folder = directory.toString();
        environment.put("HOME", folder);
        environment.put("TMPDIR", folder);
        environment.put("KUBECONFIG", directory.resolve("none").toString());
        environment.put("GOMEMLIMIT", config.memoryMiB() * 2 / 3 + "MiB");
        // Nobody's plugins: they are programs.
        environment.put("HELM_PLUGINS", directory.resolve("none").toString());
        if (zone != null) {
            environment.put("TZ", zone);
        }
        builder.directory(directory.toFile());
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        builder.redirectOutput(out.toFile());
        builder.redirectError(log.toFile());
        Process process = builder.start();
        preferToBeKilled(process);
        return process;
    }

    /** When a container runs out of memory, Linux ends a process of its choice: this one, not the operator. */
    private static void preferToBeKilled(Process process) {
        try {
            Files.writeString(Path.of("/proc", String.valueOf(process.pid()), "oom_score_adj"), "1000");
        } catch (IOException | RuntimeException e) {
            // Not Linux, or not allowed: its memory is looked at all the same.
            return;
        }
    }

    private static String tail(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        return text.substring(Math.max(0, text.length() - LOG_TAIL));
    }

    @Override
    public void close() {
        // Each call has ended.
    }
}
