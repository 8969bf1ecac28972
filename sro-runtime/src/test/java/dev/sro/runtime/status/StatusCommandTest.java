package dev.sro.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.runtime.Cli;
import dev.sro.runtime.HttpSandbox;
import dev.sro.testkit.sim.Behavior;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusCommandTest {
    @TempDir
    private Path folder;

    private HttpSandbox on;

    @BeforeEach
    void start() throws IOException {
        on = new HttpSandbox(folder);
    }

    @AfterEach
    void close() {
        on.close();
    }

    private Cli status(String... args) {
        return on.run("status", args);
    }

    @Test
    void drawsStatesPoolsAndTheNodesThatAreStuck() throws IOException {
        on.sandbox.simulation().behaviors().add(Behavior.neverReady().node("b").workload("*driver-container*"));
        on.node("a", "one");
        on.node("b", "one");
        on.node("c", "two");
        on.sandbox.apply(HttpSandbox.resource("one"));
        on.sandbox.apply(HttpSandbox.resource("two"));
        on.sandbox.run(Duration.ofMinutes(10));

        Cli all = status();
        assertThat(all.code()).isEqualTo(1);
        assertThat(all.err()).isEmpty();
        assertThat(all.out().lines())
                .anySatisfy(line -> assertThat(line).isEqualTo("one  NOT READY  1/2 nodes  1 pool"))
                .anySatisfy(line -> assertThat(line).matches("├ 0000-driver-build +ready  1/1 pools"))
                .anySatisfy(line ->
                        assertThat(line).matches("├ 1000-driver-container +waiting  0/1 pools  1/2 nodes  \\w+ for .*"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("│   node b of pool rhel9.4-")
                        .contains(": waiting, "))
                .anySatisfy(line -> assertThat(line).isEqualTo("two  ready  1/1 nodes  1 pool"))
                .anySatisfy(line -> assertThat(line).matches("└ 2000-validation +ready  1/1 pools  1/1 nodes"));

        Cli one = status("two");
        assertThat(one.code()).isZero();
        assertThat(one.out()).startsWith("two  ready").doesNotContain("one");

        JsonNode json = new ObjectMapper().readTree(status("-o", "json").out());
        assertThat(json).hasSize(2);
        assertThat(json.get(0).get("ready").asBoolean()).isFalse();
        assertThat(json.get(0).get("samples").get(0).get("node").asText()).isEqualTo("b");
        assertThat(json.get(1).get("states")).hasSize(3);
        assertThat(status("two", "-o", "yaml").out()).contains("name: \"two\"", "ready: true");
    }

    @Test
    void saysThatNobodyHasLookedYet() {
        on.sandbox.kill();
        assertThat(status().out()).isEqualTo("there are no special resources\n");
        assertThat(status().code()).isZero();
        on.sandbox.apply(HttpSandbox.resource("one"));

        assertThat(status().out()).isEqualTo("one  not looked at yet; is the operator running?\n");
        assertThat(status().code()).isEqualTo(1);

        on.sandbox.start();
        on.sandbox.run(Duration.ofSeconds(10));
        on.sandbox.kill();
        on.sandbox.apply(HttpSandbox.resource("one").replace("ref: main", "ref: other"));
        assertThat(status().out()).contains("not looked at since it was changed; what follows is older");
        assertThat(status().code()).isEqualTo(1);
    }

    @Test
    void saysWhyItCannotShowAnything() throws IOException {
        assertThat(status("three").err()).isEqualTo("sro: NAME: there is no special resource three\n");
        Path dead = Files.writeString(
                folder.resolve("dead"),
                Files.readString(Path.of(on.kubeconfig)).replaceFirst("127.0.0.1:\\d+", "127.0.0.1:1"));
        Cli none = Cli.run("status", "--kubeconfig", dead.toString());
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).startsWith("sro: http://127.0.0.1:1/: no answer: ");
    }
}
