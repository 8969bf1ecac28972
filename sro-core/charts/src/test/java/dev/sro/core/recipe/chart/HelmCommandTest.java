package dev.sro.core.recipe.chart;

import static dev.sro.core.recipe.chart.Fixtures.CHART_YAML;
import static dev.sro.core.recipe.chart.Fixtures.chart;
import static dev.sro.core.recipe.chart.Rendering.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command {@code helm}, where helm-java has no library: the same results, and the same limits. */
@EnabledOnOs(OS.LINUX)
class HelmCommandTest {
    private static final String NO_HELM = "no helm here: run .ci/helm/build.sh, or set SRO_HELM to the command";
    private static final Chart SMALL = chart("Chart.yaml", CHART_YAML, "templates/a.yaml", "kind: A");

    @TempDir
    Path folder;

    private HelmRendererConfig config(Duration deadline, Optional<Path> command, String path) throws IOException {
        return new HelmRendererConfig(
                Optional.of(Files.createDirectories(folder.resolve("work"))),
                deadline,
                Duration.ofMinutes(1),
                768,
                100,
                // No library, whatever this machine is.
                List.of(),
                command,
                path);
    }

    private HelmRendererConfig config(Path command) throws IOException {
        return config(Duration.ofMinutes(5), Optional.of(command), "");
    }

    /** A command that knows its version, and does this otherwise. */
    private Path fake(String version, String script) throws IOException {
        Path file = Files.writeString(
                folder.resolve("helm"),
                "#!/bin/sh\nif [ \"$1\" = version ]; then echo " + version + "; exit; fi\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return file;
    }

    private static String outcome(HelmRenderer renderer, RenderRequest request) {
        try {
            return renderer.render(request).toString();
        } catch (ChartException e) {
            return e.problem().toString();
        }
    }

    private void fails(Path command, String code, String message) throws IOException {
        fails(config(command), code, message);
    }

    private static void fails(HelmRendererConfig config, String code, String message) {
        try (HelmRenderer renderer = new HelmRenderer(config)) {
            assertThatThrownBy(() -> renderer.render(request(SMALL)))
                    .isInstanceOfSatisfying(
                            ChartException.class,
                            e -> assertThat(e.problem().code()).isEqualTo(code))
                    .hasMessageContaining(message);
        }
    }

    /** One process of either for all charts. */
    @Test
    @EnabledIf(value = "dev.sro.core.recipe.chart.RealHelm#isHere", disabledReason = NO_HELM)
    void rendersWhatTheLibraryRenders() throws IOException {
        Path helm = RealHelm.find().orElseThrow().path();
        List<RenderRequest> requests = new ArrayList<>();
        for (String name :
                List.of("states", "dependencies", "functions", "schema", "order", "legacy", "failures", "unparsable")) {
            requests.add(request(chart(name), Rendering.VALUES));
        }
        requests.add(request(chart("schema"), Map.of("count", "no number")));
        for (long seed = 1; seed <= 8; seed++) {
            try {
                requests.add(request(new ChartLoader().fromArchive("mutated.tgz", new ChartMutator(seed).archive())));
            } catch (ChartException refused) {
                // Before anybody renders it.
            }
        }
        try (HelmRenderer library = new HelmRenderer(config(Duration.ofMinutes(5), Optional.empty(), ""));
                HelmRenderer command = new HelmRenderer(config(Duration.ofMinutes(5), Optional.of(helm), ""))) {
            for (RenderRequest request : requests) {
                // A context that is printed has addresses in it.
                assertThat(outcome(command, request).replaceAll("0x[0-9a-f]+", "0x"))
                        .as(request.chart().label())
                        .isEqualTo(outcome(library, request).replaceAll("0x[0-9a-f]+", "0x"));
            }
            String text = command.render(request(chart("functions"))).texts().get("functions/templates/cluster.yaml");
            assertThat(Rendering.data(text)).containsEntry("lookup", "{}").containsEntry("lookups", "null");
        }
    }

    @Test
    void isFoundInPath() throws IOException {
        Path helm = fake("v3.21.0", "");
        assertThat(HelmCommand.find("/nowhere::" + folder)).contains(helm);
        assertThat(HelmCommand.find("/nowhere")).isEmpty();
        assertThat(HelmCommand.find("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v4.0.1+g123", "v2.17.0", "hello"})
    void anotherVersionIsRefused(String version) throws IOException {
        fails(fake(version, ""), "HelmRendererMissing", "is no helm of version 3, as its answer");
    }

    @Test
    void whatIsNoCommandIsRefused() throws IOException {
        fails(folder.resolve("nothing"), "HelmRendererMissing", "cannot be run");
    }

    @Test
    void aChartThatNeverEndsIsStopped() throws IOException {
        Path helm = fake("v3.21.0", "exec sleep 600");
        fails(config(Duration.ofMillis(700), Optional.of(helm), ""), "RenderingTooLong", "not rendered within 700 ms");
    }

    @Test
    void aChartThatFillsTheDiskIsStopped() throws IOException {
        fails(fake("v3.21.0", "exec yes $(printf %050000d 0)"), "ChartNotRendered", "what it renders has more than");
    }

    @Test
    void aCommandThatIsKilledIsTheProblemOfItsChart() throws IOException {
        fails(fake("v3.21.0", "kill -9 $$"), "RendererKilled", "was killed while it rendered the chart");
    }

    @Test
    void aCommandThatCrashesSaysItsLastWords() throws IOException {
        fails(fake("v3.21.0", "echo 'panic: oh' >&2; exit 2"), "RendererCrashed", "panic: oh");
    }

    @Test
    void nothingOfOurEnvironmentReachesIt() throws IOException {
        Path seen = folder.resolve("seen");
        Path helm = fake("v3.21.0", "/usr/bin/env > " + seen + "; echo 'Error: no' >&2; exit 1");
        fails(helm, "ChartNotRendered", "no");
        assertThat(Files.readAllLines(seen))
                .extracting(variable -> variable.replaceFirst("=.*", ""))
                // The shell has some of its own.
                .isSubsetOf(
                        "HOME",
                        "TMPDIR",
                        "KUBECONFIG",
                        "TZ",
                        "GOMEMLIMIT",
                        "HELM_PLUGINS",
                        "PWD",
                        "SHLVL",
                        "_",
                        "OLDPWD");
    }
}
