package dev.sro.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.PluginHostConfig;
import dev.sro.runtime.Cli;
import dev.sro.runtime.SroVersion;
import dev.sro.testkit.http.HttpFront;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusCommandTest {
    private static final String RESOURCE = """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %s}
            spec:
              namespace: %1$s
              plugin: {name: simple-kmod}
              nodeSelector: {example.com/device: "%1$s"}
              driverContainer: {source: {git: {uri: "https://git.example.com/simple-kmod.git", ref: main}}}
            """;

    private static final class Cluster implements AutoCloseable {
        final PluginHost host;
        final SroSandbox sandbox;
        final String kubeconfig;

        Cluster(Path folder) throws IOException {
            host = PluginHost.open(PluginHostConfig.builder()
                    .directory(Cli.plugins(Files.createDirectories(folder.resolve("plugins"))))
                    .sroVersion(SroVersion.current())
                    .build());
            sandbox = SroSandbox.create(false, host);
            HttpFront front = sandbox.cluster().serveHttp(0);
            kubeconfig = Files.writeString(folder.resolve("kubeconfig"), front.kubeconfig())
                    .toString();
        }

        Cli status(String... args) {
            return Cli.run(Stream.concat(Stream.of("status", "--kubeconfig", kubeconfig), Stream.of(args))
                    .toArray(String[]::new));
        }

        void node(String name, String device) {
            sandbox.nodes().create(name, NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", device));
        }

        @Override
        public void close() {
            sandbox.close();
            host.close();
        }
    }

    @TempDir
    private Path folder;

    private Cluster on;

    @BeforeEach
    void start() throws IOException {
        on = new Cluster(folder);
    }

    @AfterEach
    void close() {
        on.close();
    }

    @Test
    void drawsStatesPoolsAndTheNodesThatAreStuck() throws IOException {
        on.sandbox.simulation().behaviors().add(Behavior.neverReady().node("b").workload("*driver-container*"));
        on.node("a", "one");
        on.node("b", "one");
        on.node("c", "two");
        on.sandbox.apply(RESOURCE.formatted("one"));
        on.sandbox.apply(RESOURCE.formatted("two"));
        on.sandbox.run(Duration.ofMinutes(10));

        Cli all = on.status();
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

        Cli one = on.status("two");
        assertThat(one.code()).isZero();
        assertThat(one.out()).startsWith("two  ready").doesNotContain("one");

        JsonNode json = new ObjectMapper().readTree(on.status("-o", "json").out());
        assertThat(json).hasSize(2);
        assertThat(json.get(0).get("ready").asBoolean()).isFalse();
        assertThat(json.get(0).get("samples").get(0).get("node").asText()).isEqualTo("b");
        assertThat(json.get(1).get("states")).hasSize(3);
        assertThat(on.status("two", "-o", "yaml").out()).contains("name: \"two\"", "ready: true");
    }

    @Test
    void saysThatNobodyHasLookedYet() {
        on.sandbox.kill();
        assertThat(on.status().out()).isEqualTo("there are no special resources\n");
        assertThat(on.status().code()).isZero();
        on.sandbox.apply(RESOURCE.formatted("one"));

        assertThat(on.status().out()).isEqualTo("one  not looked at yet; is the operator running?\n");
        assertThat(on.status().code()).isEqualTo(1);

        on.sandbox.start();
        on.sandbox.run(Duration.ofSeconds(10));
        on.sandbox.kill();
        on.sandbox.apply(RESOURCE.formatted("one").replace("ref: main", "ref: other"));
        assertThat(on.status().out()).contains("not looked at since it was changed; what follows is older");
        assertThat(on.status().code()).isEqualTo(1);
    }

    @Test
    void saysWhyItCannotShowAnything() throws IOException {
        assertThat(on.status("three").err()).isEqualTo("sro: NAME: there is no special resource three\n");
        Path dead = Files.writeString(
                folder.resolve("dead"),
                Files.readString(Path.of(on.kubeconfig)).replaceFirst("127.0.0.1:\\d+", "127.0.0.1:1"));
        Cli none = Cli.run("status", "--kubeconfig", dead.toString());
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).startsWith("sro: http://127.0.0.1:1/: no answer: ");
    }
}
