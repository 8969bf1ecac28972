package dev.sro.core.recipe.chart;

import static dev.sro.core.recipe.chart.Fixtures.CHART_YAML;
import static dev.sro.core.recipe.chart.Fixtures.chart;
import static dev.sro.core.recipe.chart.Rendering.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.Problem;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;

/** The process with Helm: what it must not reach, and what happens when it fails. */
@EnabledIf(
        value = "dev.sro.core.recipe.chart.Rendering#engineIsHere",
        disabledReason = "helm-java has no library for this machine")
class HelmProcessTest {
    private static final Chart SMALL = chart("Chart.yaml", CHART_YAML, "templates/a.yaml", "kind: A");

    @TempDir
    Path folder;

    private HelmRendererConfig config(Duration deadline, Duration idle, int memoryMiB, int renders) {
        return new HelmRendererConfig(
                Optional.of(folder), deadline, idle, memoryMiB, renders, List.of(), Optional.empty(), "");
    }

    private HelmRendererConfig config() {
        return config(Duration.ofSeconds(30), Duration.ofMinutes(1), 768, 100);
    }

    private static void works(HelmRenderer renderer) {
        assertThat(renderer.render(request(SMALL)).texts().values()).containsExactly("kind: A");
    }

    /** As Linux does when a container has no memory left. */
    @Test
    void aProcessThatIsKilledIsTheProblemOfItsChart() {
        Problem problem =
                HelmErrors.ofProcess(SMALL, new HelmProcess.EndedException(137, ""), HelmRendererConfig.DEFAULT);
        assertThat(problem.code()).isEqualTo("RendererKilled");
        assertThat(problem.message()).contains(SMALL.label(), HelmRendererConfig.DEFAULT.memoryMiB() + " MiB");
    }

    @Test
    void lookupReachesNoCluster() throws IOException {
        // Where a client without configuration looks for an API server.
        try (ServerSocket trap = new ServerSocket(8080, 5, InetAddress.getLoopbackAddress());
                HelmRenderer renderer = new HelmRenderer(config())) {
            trap.setSoTimeout(1);
            String text = renderer.render(request(chart("functions"))).texts().get("functions/templates/cluster.yaml");
            assertThat(Rendering.data(text)).containsEntry("lookup", "{}").containsEntry("lookups", "null");
            assertThatThrownBy(trap::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theProcessHasNothingOfOurEnvironmentAndNoConnection() throws IOException {
        Set<Long> before = children();
        try (HelmRenderer renderer = new HelmRenderer(config())) {
            renderer.render(request(chart("functions")));
            Set<Long> started = new HashSet<>(children());
            started.removeAll(before);
            assertThat(started).hasSize(1);
            Path process = Path.of("/proc", String.valueOf(started.iterator().next()));
            String environment = Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
            assertThat(environment.split("\0"))
                    .extracting(variable -> variable.replaceFirst("=.*", ""))
                    .isSubsetOf("HOME", "TMPDIR", "KUBECONFIG", "TZ", "GOMEMLIMIT")
                    .contains("KUBECONFIG");
            assertThat(internetSockets(process)).isEmpty();
        }
    }

    /** Those that the process has; Java itself keeps a pair of local ones. */
    private static Set<String> internetSockets(Path process) throws IOException {
        Set<String> own = new HashSet<>();
        try (Stream<Path> open = Files.list(process.resolve("fd"))) {
            for (Path file : open.toList()) {
                String target = Files.readSymbolicLink(file).toString();
                if (target.startsWith("socket:[")) {
                    own.add(target.substring("socket:[".length(), target.length() - 1));
                }
            }
        }
        Set<String> internet = new HashSet<>();
        for (String family : List.of("tcp", "tcp6", "udp", "udp6")) {
            Path table = process.resolve("net").resolve(family);
            if (Files.exists(table)) {
                Files.readAllLines(table)
                        .forEach(line -> internet.addAll(List.of(line.trim().split("\\s+"))));
            }
        }
        assertThat(internet).as("the tables of sockets").isNotEmpty();
        own.retainAll(internet);
        return own;
    }

    @Test
    void aChartThatNeverEndsIsStoppedAndTheNextOneIsRendered() {
        Chart endless = chart(
                "Chart.yaml",
                CHART_YAML,
                "templates/a.yaml",
                "{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}");
        // Long enough for a small one on a machine with much else to do.
        try (HelmRenderer renderer =
                new HelmRenderer(config(Duration.ofSeconds(10), Duration.ofMinutes(1), 768, 100))) {
            works(renderer);
            assertProblem(renderer, endless, "RenderingTooLong", "chart c 0.1.0 was not rendered within 10000 ms");
            works(renderer);
        }
    }

    @Test
    void aChartThatNeedsTooMuchMemoryIsStopped() {
        Chart large = chart(
                "Chart.yaml",
                CHART_YAML,
                "templates/a.yaml",
                "{{ $x := \"0123456789\" }}{{ range until 30 }}{{ $x = print $x $x }}{{ end }}{{ len $x }}");
        try (HelmRenderer renderer =
                new HelmRenderer(config(Duration.ofSeconds(30), Duration.ofMinutes(1), 400, 100))) {
            assertProblem(renderer, large, "RenderingTooLarge", "needs more than 400 MiB");
            works(renderer);
        }
    }

    @Test
    void aNewProcessTakesOverAfterSomeCharts() {
        try (HelmRenderer renderer = new HelmRenderer(config(Duration.ofSeconds(30), Duration.ofMinutes(1), 768, 2))) {
            for (int i = 0; i < 5; i++) {
                works(renderer);
            }
        }
    }

    @Test
    void anIdleProcessEndsAndIsStartedAgain() {
        try (HelmRenderer renderer =
                new HelmRenderer(config(Duration.ofSeconds(30), Duration.ofSeconds(1), 768, 100))) {
            Set<Long> before = children();
            works(renderer);
            Set<Long> started = children();
            started.removeAll(before);
            assertThat(started).hasSize(1);
            ProcessHandle.of(started.iterator().next())
                    .ifPresent(process ->
                            process.onExit().orTimeout(30, TimeUnit.SECONDS).join());
            works(renderer);
        }
    }

    private static Set<Long> children() {
        return ProcessHandle.current()
                .children()
                .filter(ProcessHandle::isAlive)
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
    }

    @Test
    void nothingIsLeftBehindNotEvenByOneThatWasKilled() throws IOException {
        Path left = Files.createDirectory(folder.resolve("sro-helm-1"));
        Files.writeString(left.resolve("lock"), "");
        Files.writeString(left.resolve("large"), "");
        try (HelmRenderer renderer = new HelmRenderer(config())) {
            works(renderer);
            try (HelmRenderer second = new HelmRenderer(config())) {
                works(second);
                works(renderer);
            }
            assertThat(left).doesNotExist();
            works(renderer);
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void aDirectoryThatCannotBeWrittenIsAProblemOfThePlatform() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        HelmRendererConfig config = new HelmRendererConfig(
                Optional.of(file),
                Duration.ofSeconds(30),
                Duration.ofMinutes(1),
                768,
                100,
                List.of(),
                Optional.empty(),
                "");
        try (HelmRenderer renderer = new HelmRenderer(config)) {
            assertProblem(renderer, SMALL, "RendererNotStarted", "it needs a writable directory");
        }
    }

    @Test
    void withoutHelmTheProblemNamesTheJar() throws Exception {
        URL[] without = {place(HelmRenderer.class), place(Problem.class), place(Load.class), place(NullMarked.class)};
        try (URLClassLoader loader = new URLClassLoader(without, ClassLoader.getPlatformClassLoader())) {
            Method find =
                    loader.loadClass(HelmClassPath.class.getName()).getDeclaredMethod("find", List.class, Path.class);
            find.setAccessible(true);
            assertThatThrownBy(() -> find.invoke(null, List.of(), folder))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .hasMessageContaining("charts need com.marcnuri.helm-java:helm-java on the class path");
        }
    }

    private static URL place(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    private static void assertProblem(HelmRenderer renderer, Chart chart, String code, String message) {
        assertThatThrownBy(() -> renderer.render(request(chart)))
                .isInstanceOfSatisfying(
                        ChartException.class,
                        e -> assertThat(e.problem().code()).isEqualTo(code))
                .hasMessageContaining(message);
    }
}
