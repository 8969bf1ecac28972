package dev.sro.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is stopped when, and what is left on the disk. */
class PluginStopTest {

    @TempDir
    Path root;

    private Hosts hosts;

    @BeforeEach
    void directories() throws IOException {
        hosts = new Hosts(root);
    }

    private static PluginBuilder acme(String version) {
        return PluginBuilder.named("acme").version(version).plugin("acme.Main", "acme", "\"" + version + "\"", "");
    }

    private void alive(PluginBuilder plugin, String id, String label) {
        plugin.attribute("Plugin-Class", id + ".Life")
                .source(
                        id + ".Life",
                        LifeCycles.source(
                                id + ".Life",
                                hosts.logStatement("start " + label),
                                hosts.logStatement("stop " + label)))
                .jar(hosts.plugins());
    }

    @Test
    void stopsTheOldOneAfterTheNewOneHasStarted() throws IOException {
        alive(acme("1.0.0"), "acme", "1.0.0");
        try (PluginHost host = hosts.open()) {
            alive(acme("1.1.0"), "acme", "1.1.0");
            host.rescan();
            assertThat(hosts.logged()).containsExactly("start 1.0.0", "start 1.1.0", "stop 1.0.0");

            Files.delete(hosts.plugins().resolve("acme.jar"));
            host.rescan();
            assertThat(hosts.logged()).endsWith("stop 1.0.0", "stop 1.1.0");
        }
    }

    @Test
    void stopsAPluginThatLosesItsNameToAnotherOne() {
        PluginBuilder second =
                PluginBuilder.empty("zzz").plugin("zzz.Main", "acme", "").service("zzz.Main");
        acme("1.0.0").jar(hosts.plugins());
        alive(second, "zzz", "zzz");
        try (PluginHost host = hosts.open()) {
            assertThat(Hosts.onlyRejection(host).code()).isEqualTo(PluginRejectionCodes.DUPLICATE_NAME);
            assertThat(hosts.logged()).containsExactly("start zzz", "stop zzz");
        }
    }

    @Test
    void stopsEveryPluginAtClose() {
        for (String name : List.of("one", "two", "three", "four")) {
            PluginBuilder.named(name)
                    .attribute("Plugin-Class", name + ".Life")
                    .source(name + ".Life", LifeCycles.source(name + ".Life", "", hosts.logStatement("stop " + name)))
                    .jar(hosts.plugins());
        }
        PluginBuilder.named("worse")
                .attribute("Plugin-Class", "worse.Life")
                .source("worse.Life", LifeCycles.source("worse.Life", "", "throw new Error(\"boom\");"))
                .jar(hosts.plugins());
        PluginHost host = hosts.open();
        assertThat(host.names()).hasSize(5);

        host.close();
        host.close();

        assertThat(hosts.logged()).containsExactlyInAnyOrder("stop one", "stop two", "stop three", "stop four");
        assertThat(host.names()).isEmpty();
        assertThatThrownBy(host::rescan).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void stopsTheOthersWhenOneHangs() {
        String hang = "try { new java.util.concurrent.CountDownLatch(1).await(); }"
                + " catch (InterruptedException e) { throw new RuntimeException(e); }";
        PluginBuilder.named("aaa")
                .attribute("Plugin-Class", "aaa.Life")
                .source("aaa.Life", LifeCycles.source("aaa.Life", "", hosts.logStatement("stop aaa")))
                .jar(hosts.plugins());
        PluginBuilder.named("zzz")
                .attribute("Plugin-Class", "zzz.Life")
                .source("zzz.Life", LifeCycles.source("zzz.Life", "", hang))
                .jar(hosts.plugins());

        hosts.open(config -> config.callDeadline(Duration.ofSeconds(1))).close();

        assertThat(hosts.logged()).containsExactly("stop aaa");
    }

    @Test
    void stopsDependentsBeforeWhatTheyDependOn() {
        PluginBuilder.named("base")
                .attribute("Plugin-Class", "base.Life")
                .source("base.Life", LifeCycles.source("base.Life", hosts))
                .jar(hosts.plugins());
        PluginBuilder.named("acme")
                .dependsOn("base")
                .attribute("Plugin-Class", "acme.Life")
                .source("acme.Life", LifeCycles.source("acme.Life", hosts))
                .jar(hosts.plugins());

        hosts.open().close();

        assertThat(hosts.logged())
                .containsExactly("start base.Life", "start acme.Life", "stop acme.Life", "stop base.Life");
    }

    @Test
    void deletesItsPrivateCopiesAndNothingElse() throws IOException {
        Files.createDirectories(hosts.work().resolve("f".repeat(64)));
        Path users = Files.writeString(hosts.work().resolve("users.txt"), "keep me");
        acme("1.0.0").jar(hosts.plugins());

        PluginHost host = hosts.open();
        assertThat(copies()).containsExactly(onlyFile(host).sha256());
        String first = onlyFile(host).sha256();
        acme("1.1.0").jar(hosts.plugins());
        host.rescan();
        assertThat(copies()).containsExactly(onlyFile(host).sha256()).doesNotContain(first);
        host.close();

        assertThat(copies()).isEmpty();
        assertThat(users).exists();
    }

    private static PluginFile onlyFile(PluginHost host) {
        return host.current().files().get(0);
    }

    private List<String> copies() throws IOException {
        try (Stream<Path> entries = Files.list(hosts.work())) {
            return entries.map(path -> path.getFileName().toString())
                    .filter(name -> name.length() == 64)
                    .toList();
        }
    }

    @Test
    void refusesAWorkDirectoryThatAnotherHostUses() {
        try (PluginHost host = hosts.open()) {
            assertThat(host.names()).isEmpty();
            assertThatThrownBy(() -> hosts.open().close())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("in use by another PluginHost");
        }
        hosts.open().close();
    }
}
