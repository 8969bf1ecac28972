package dev.sro.runtime.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.runtime.Cli;
import dev.sro.runtime.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {

    @TempDir
    private static Path pluginDirectory;

    @BeforeAll
    static void buildPlugin() {
        Cli.plugins(pluginDirectory);
    }

    @Test
    void goesFromInstallationToNothingLeft() throws Exception {
        Cli cli = demo("--json");

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        List<JsonNode> events = events(cli);
        assertThat(texts(events, "phase", "phase")).containsExactly("install", "upgrade", "node-deleted", "deleted");
        assertThat(events.stream().filter(event -> event.path("event").asText().equals("check")))
                .hasSize(7)
                .allMatch(event -> event.path("ok").asBoolean());
        JsonNode summary = events.get(events.size() - 1);
        assertThat(summary.path("event").asText()).isEqualTo("summary");
        assertThat(summary.path("ok").asBoolean()).isTrue();
        assertThat(summary.path("phases")).hasSize(4);
    }

    @Test
    void writesOnlyToThePoolOfTheUpgradedNode() throws Exception {
        List<JsonNode> events = events(demo("--json"));

        assertThat(events.stream()
                        .filter(event -> event.path("event").asText().equals("write"))
                        .filter(event -> event.path("phase").asText().equals("upgrade"))
                        .map(event -> event.path("name").asText()))
                .isNotEmpty()
                .allMatch(name -> name.endsWith("79de22ce8656333")
                        || name.endsWith("e4ab180856c6b1c8")
                        || List.of("worker-1", "simple-kmod").contains(name));
    }

    @Test
    void buildsWithBuildConfigsOnOpenShift() {
        Cli cli = demo("--plain", "--openshift");

        assertThat(cli.code()).isZero();
        assertThat(cli.out())
                .contains("-driver-build-79de22ce8656333-1", "4/4 deleted")
                .doesNotContain("Job ", "FAILED");
    }

    @Test
    void saysInPlainLinesWhatIsWaitedForAndWhatIsReady() {
        Cli cli = demo();

        assertThat(cli.code()).isZero();
        assertThat(cli.out())
                .contains("Waiting: Job simple-kmod/simple-kmod-driver-build-79de22ce8656333 is not complete yet")
                .containsPattern("2000-validation +ubuntu[^ ]+ +Ready on worker-2 worker-3 worker-4")
                .contains("ok      only that node's pool changed: zero writes to others")
                .contains("phase         objects")
                .doesNotContain("\033");
        assertThat(cli.out()).contains(pictured());
    }

    /** The lines of the picture in the README; each is cut at its margin. */
    private static List<String> pictured() {
        try {
            return Pattern.compile("xml:space=\"preserve\">([^<]+)<")
                    .matcher(Files.readString(Repository.file("docs/pictures/demo.svg")))
                    .results()
                    .map(line -> line.group(1).replace("&gt;", ">").replace("&amp;", "&"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void upgradesAFleetThroughAFailureAHaltAndARollback() throws Exception {
        Cli cli = Cli.run("demo", "--scenario", "upgrade", "--speed", "0", "--json");

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).as(cli.out()).isZero();
        List<JsonNode> events = events(cli);
        assertThat(texts(events, "phase", "phase"))
                .containsExactly("install", "kernel", "driver", "rollback", "deleted");
        assertThat(events.stream().filter(event -> event.path("event").asText().equals("check")))
                .hasSize(10)
                .allMatch(event -> event.path("ok").asBoolean());
    }

    @Test
    void bringsGpusToNodesPastAFailureAndKeepsThemForThoseWhoNeedThem() throws Exception {
        Cli.plugin(pluginDirectory, "sro-plugins-nvidia", "nvidia-gpu");
        Cli cli = demo("--scenario", "gpu", "--json");

        assertThat(cli.err()).as(cli.out()).isEmpty();
        assertThat(cli.code()).as(cli.out()).isZero();
        List<JsonNode> events = events(cli);
        assertThat(texts(events, "phase", "phase"))
                .containsExactly("install", "mended", "taints", "priorities", "deleted");
        assertThat(events.stream().filter(event -> event.path("event").asText().equals("check")))
                .hasSize(14)
                .allMatch(event -> event.path("ok").asBoolean());
        assertThat(texts(events, "check", "text"))
                .anyMatch(text -> text.startsWith("the status says: ")
                        && text.contains("3000-driver-validation")
                        && text.contains("gpu-5")
                        && text.contains("cuda-validation"));
    }

    @Test
    void theScenarioWithGpusSaysWhichPluginItMisses(@TempDir Path without) {
        Cli cli = Cli.run(
                "demo", "--scenario", "gpu", "--plugins", Cli.plugins(without).toString());

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).contains("--plugins", "nvidia-gpu", "simple-kmod");
    }

    @Test
    void refusesAScenarioThatThereIsNot() {
        Cli cli = Cli.run("demo", "--scenario", "none");

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err())
                .contains("--scenario none: is none of life, upgrade, gpu, slices")
                .doesNotContain("did you mean");
        assertThat(Cli.run("demo", "--scenario", "slice").err())
                .contains("--scenario slice: is none of life, upgrade, gpu, slices; did you mean slices?");
    }

    @Test
    void refusesUnknownOptions() {
        assertThat(demo("--fast").code()).isEqualTo(2);
    }

    private static Cli demo(String... more) {
        List<String> args = new ArrayList<>(List.of("demo", "--speed", "0", "--plugins", pluginDirectory.toString()));
        args.addAll(List.of(more));
        return Cli.run(args.toArray(String[]::new));
    }

    private static List<JsonNode> events(Cli cli) throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        List<JsonNode> events = new ArrayList<>();
        for (String line : cli.out().lines().toList()) {
            events.add(mapper.readTree(line));
        }
        return events;
    }

    private static List<String> texts(List<JsonNode> events, String event, String field) {
        return events.stream()
                .filter(node -> node.path("event").asText().equals(event))
                .map(node -> node.path(field).asText())
                .toList();
    }
}
