package dev.sro.testkit.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.testkit.http.HttpFront;
import dev.sro.testkit.sim.Behavior;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** What the command {@code helm} says of a special resource's release. */
@EnabledIfEnvironmentVariable(named = "SRO_HELM", matches = ".+", disabledReason = "no helm here")
class HelmHistoryTest {
    @TempDir
    private Path folder;

    private HookSandbox on;
    private Path kubeconfig = Path.of("");

    @BeforeEach
    void start() throws IOException {
        on = new HookSandbox(folder);
        HttpFront front = on.sandbox.cluster().serveHttp(0);
        kubeconfig = Files.writeString(folder.resolve("kubeconfig"), front.kubeconfig());
    }

    @AfterEach
    void close() {
        on.close();
    }

    private String helm(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(System.getenv("SRO_HELM")));
        command.addAll(List.of(args));
        command.addAll(List.of("--kubeconfig", kubeconfig.toString(), "-n", "example"));
        Path out = folder.resolve("out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(out, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    private JsonNode json(String... args) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("-o", "json"));
        return new ObjectMapper().readTree(helm(all.toArray(String[]::new)));
    }

    @Test
    void listsWhatIsInstalledInWhichVersion() throws IOException, InterruptedException {
        on.install("0.1.0");

        JsonNode list = json("list");
        assertThat(list).hasSize(1);
        assertThat(list.get(0).get("name").asText()).isEqualTo("example");
        assertThat(list.get(0).get("namespace").asText()).isEqualTo("example");
        assertThat(list.get(0).get("revision").asText()).isEqualTo("1");
        assertThat(list.get(0).get("status").asText()).isEqualTo("deployed");
        assertThat(list.get(0).get("chart").asText()).isEqualTo("example-hooks-0.1.0");
        assertThat(list.get(0).get("app_version").asText()).isEqualTo("1");
        assertThat(list.get(0).get("updated").asText())
                .startsWith(on.sandbox.cluster().clock().instant().toString().substring(0, 10));
    }

    @Test
    void tellsTheHistoryOfRevisions() throws IOException, InterruptedException {
        on.install("0.1.0");
        on.sandbox.apply(on.resource("0.1.0", HookSandbox.speed("faster")));
        on.awaitReady();
        on.install("0.2.0");

        JsonNode history = json("history", "example");
        assertThat(history)
                .extracting(one -> one.get("revision").asInt() + " "
                        + one.get("status").asText() + " " + one.get("chart").asText() + " "
                        + one.get("description").asText())
                .containsExactly(
                        "1 superseded example-hooks-0.1.0 Install complete",
                        "2 superseded example-hooks-0.1.0 Upgrade complete",
                        "3 deployed example-hooks-0.2.0 Upgrade complete");
        assertThat(json("get", "values", "example", "--revision", "2")
                        .get("speed")
                        .asText())
                .isEqualTo("faster");
    }

    @Test
    void saysThatAReleaseFailed() throws IOException, InterruptedException {
        on.sandbox
                .simulation()
                .behaviors()
                .add(Behavior.fail(1, Duration.ofSeconds(1)).workload("prepare-b"));
        on.sandbox.apply(on.resource("0.1.0", ""));
        on.sandbox.run(Duration.ofMinutes(2));

        assertThat(json("list").get(0).get("status").asText()).isEqualTo("failed");
        assertThat(json("history", "example").get(0).get("description").asText())
                .contains("HookFailed", "prepare-b");
    }

    @Test
    void showsManifestAndHooksAsTheyAreInTheCluster() throws IOException, InterruptedException {
        on.install("0.1.0");

        assertThat(helm("get", "manifest", "example"))
                .contains(
                        "kind: DaemonSet",
                        "name: plugin",
                        "speed: slow",
                        "specialresource.openshift.io/owned: \"true\"")
                .doesNotContain("prepare-b");
        assertThat(helm("get", "hooks", "example")).contains("name: prepare-b", "name: farewell", "name: check");
        JsonNode status = json("status", "example");
        assertThat(status.get("hooks"))
                .filteredOn(hook -> hook.get("name").asText().equals("announce"))
                .singleElement()
                .satisfies(
                        hook -> assertThat(hook.at("/last_run/phase").asText()).isEqualTo("Succeeded"));
    }

    @Test
    void theReleaseGoesWithTheSpecialResource() throws IOException, InterruptedException {
        on.install("0.1.0");
        on.sandbox.simulation().behaviors().add(Behavior.runForever().workload("drain"));
        on.delete();
        on.sandbox.run(Duration.ofMinutes(1));
        assertThat(json("list", "--uninstalling").get(0).get("status").asText()).isEqualTo("uninstalling");

        on.annotate("sro.dev/skip-delete-hooks", "true");
        on.sandbox.run(Duration.ofMinutes(5));
        assertThat(json("list", "-a")).isEmpty();
    }
}
